import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { auditEntries, sessions, tenants, users } from '../../../src/db/schema.ts'
import { inviteUser } from '../../../src/users/links/links.ts'
import { startApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { ConsoleBrowser, createPerson, PASSWORD, type Person, signedIn } from '../../support/pages/console.ts'
import { countByClockOf } from '../../support/processes/nodes.ts'
import { startIdentityProvider, type TestIdentityProvider } from '../../support/servers/identity-provider.ts'

const PATH = '/console/sign-in/provider'

let provider: TestIdentityProvider
let app: TestApp
let acme: TestTenant
let ada: Person
let browser: ConsoleBrowser

beforeAll(async () => {
  provider = await startIdentityProvider()
  app = await startApp({ environment: { ...provider.environment, FRONTDESK_PUBLIC_RATE_LIMIT: '10000' } })
  countByClockOf(app)
})
beforeEach(async () => {
  app.clock.advance(3_600_000)
  provider.reset()
  acme = await app.createTenant()
  ada = await createPerson(acme, 'agent')
  provider.setAccount({ email: ada.email, email_verified: true })
  browser = new ConsoleBrowser(app)
})
afterAll(async () => {
  await app.close()
  provider.close()
})

const sessionsOf = (userId: string) => app.database.db.select().from(sessions).where(eq(sessions.userId, userId))
const hasSession = () => browser.cookies.has('frontdesk_session')

/** Goes to the provider. Returns its page, and the query with which it sends people back. */
async function leave(next = '') {
  const answer = await browser.get(`${PATH}${next && `?next=${encodeURIComponent(next)}`}`)
  expect([answer.status, answer.text]).toEqual([303, ''])
  const url = new URL(answer.headers.get('location') as string)
  return { url, query: provider.consent(url.href) }
}
const comeBack = (query: URLSearchParams | string) => browser.get(`${PATH}/callback?${query}`)

async function expectRefused(query: URLSearchParams | string, words: string, status = 400) {
  const answer = await comeBack(query)
  expect([answer.status, answer.headers.get('content-type')]).toEqual([status, 'text/html; charset=utf-8'])
  expect(answer.text).toContain(words)
  expect(answer.text).toContain('Back to the sign-in')
  expect([hasSession(), await sessionsOf(ada.userId)]).toEqual([false, []])
}

describe('sign-in by an identity provider', () => {
  test('is offered on the sign-in page, by its name, and leads back to where somebody wanted to go', async () => {
    const { text } = await browser.get('/console/sign-in?next=/console/account')
    const host = new URL(provider.issuer).host
    expect(text).toContain(`<a class="secondary" href="${PATH}?next=%2Fconsole%2Faccount">Sign in with ${host}</a>`)
  })

  test('asks with a code, PKCE, state and nonce, each of its own', async () => {
    const [one, two] = [(await leave()).url, (await leave()).url]
    expect(one.origin + one.pathname).toBe(`${provider.issuer}/authorize`)
    expect(Object.fromEntries(one.searchParams)).toMatchObject({
      response_type: 'code',
      client_id: 'desk',
      redirect_uri: `${app.url}${PATH}/callback`,
      scope: 'openid email',
      code_challenge_method: 'S256',
    })
    for (const name of ['state', 'nonce', 'code_challenge']) {
      expect(one.searchParams.get(name)).toMatch(/^[\w-]{43}$/)
      expect(one.searchParams.get(name)).not.toBe(two.searchParams.get(name))
    }
    // Neither secret nor verifier leaves.
    expect(one.href).not.toContain('hush')
    expect(one.searchParams.has('code_verifier')).toBe(false)
  })

  test('begins a session like any other, in whatever letters the address is written', async () => {
    provider.setAccount({ email: ada.email.toUpperCase(), email_verified: true })
    const { query } = await leave()
    const answer = await comeBack(query)
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/console'])
    const cookies = answer.headers.getSetCookie()
    expect(cookies).toContainEqual(
      expect.stringMatching(/^frontdesk_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/),
    )
    expect(cookies).toContainEqual(expect.stringMatching(/^frontdesk_provider=; .*Max-Age=0$/))
    expect((await browser.get('/console/account')).text).toContain(ada.email)
    const noted = await app.database.db
      .select()
      .from(auditEntries)
      .where(eq(auditEntries.recordId, ada.userId))
      .orderBy(auditEntries.number)
    expect(noted.map(({ action, via }) => [action, via])).toContainEqual(['user.signed_in', 'console'])
  })

  test('needs neither a password nor a code of ours: the second factor is the provider’s', async () => {
    const totpSecret = app.deps.secrets.seal('JBSWY3DPEHPK3PXP', `totp ${ada.userId}`)
    await acme.perform((tx) => tx.update(users).set({ totpSecret, passwordHash: '-' }).where(eq(users.id, ada.userId)))
    const answer = await comeBack((await leave()).query)
    expect([answer.status, hasSession()]).toEqual([303, true])
  })

  test('makes of somebody invited one of the people, who can be the one admin that is left', async () => {
    const { userId } = await acme.perform((tx, caller) =>
      inviteUser(tx, caller, { email: `eve@${acme.tenantId}.test`, name: 'Eve', role: 'admin', billable: true }),
    )
    const admin = await signedIn(app, acme)
    expect((await admin.get(`/console/users/${userId}`)).text).toContain('Invited')
    const step = () => admin.post(`/console/users/${admin.person.userId}`, { role: 'agent' })
    expect((await step()).status).toBe(409)
    provider.setAccount({ email: `eve@${acme.tenantId}.test`, email_verified: true })
    expect((await comeBack((await leave()).query)).status).toBe(303)
    const page = await browser.get(`/console/users/${userId}`)
    expect([page.text.includes('Invited'), page.text.includes('Active')]).toEqual([false, true])
    expect((await step()).status).toBe(303)
    for (const password of ['', '*', '-', PASSWORD]) {
      expect((await new ConsoleBrowser(app).signIn(`eve@${acme.tenantId}.test`, password)).status).toBe(400)
    }
  })

  test('asks for the address where the ID token holds none', async () => {
    provider.lie({ claims: { email: undefined, email_verified: undefined } })
    expect((await comeBack((await leave()).query)).status).toBe(303)
    expect(provider.asked.map(({ path }) => path)).toContain('/userinfo')
  })

  test.each([
    [undefined, 'Basic'],
    [['client_secret_post', 'client_secret_basic'], null],
    [['client_secret_basic'], 'Basic'],
  ] as const)('shows its secret as the provider wants it: %p', async (methods, scheme) => {
    // What a provider says of itself is known for an hour.
    app.clock.advance(3_600_000)
    if (methods) provider.lie({ metadata: { token_endpoint_auth_methods_supported: methods } })
    expect((await comeBack((await leave()).query)).status).toBe(303)
    const sent = provider.asked.find(({ path }) => path === '/token')?.authorization ?? null
    expect(sent?.split(' ')[0] ?? null).toBe(scheme)
    app.clock.advance(3_600_000)
  })

  test('leads to pages of the console and nowhere else', async () => {
    for (const [next, place] of [
      ['/console/account?tab=1', '/console/account?tab=1'],
      ['https://evil.test/console', '/console'],
      ['//evil.test/console', '/console'],
      ['/console/..//evil.test', '/console'],
      ['/console/sign-in/provider', '/console'],
      ['javascript:alert(1)', '/console'],
    ] as const) {
      const { query } = await leave(next)
      query.set('next', 'https://evil.test')
      const answer = await comeBack(query)
      expect([next, answer.status, answer.headers.get('location')]).toEqual([next, 303, place])
    }
  })
})

describe('somebody whom the provider has spoken of before', () => {
  const signInBy = async () => {
    browser = new ConsoleBrowser(app)
    return comeBack((await leave()).query)
  }
  const isSignedIn = async (person: Person) => {
    expect((await signInBy()).status).toBe(303)
    expect((await browser.get('/console/account')).text).toContain(`You sign in with ${person.email}.`)
  }

  test('is known by who they are there, whatever their address becomes', async () => {
    const bob = await createPerson(acme, 'agent')
    provider.setAccount({ sub: 'ada-1', email: ada.email, email_verified: true })
    await isSignedIn(ada)
    for (const claims of [
      { email: bob.email, email_verified: true },
      { email: 'elsewhere@third.test', email_verified: true },
      { email: ada.email, email_verified: false },
      { email_verified: undefined },
    ]) {
      provider.setAccount({ sub: 'ada-1', ...claims })
      await isSignedIn(ada)
    }
    expect(await sessionsOf(bob.userId)).toEqual([])
    const rows = await app.database.db.select().from(users).where(eq(users.id, ada.userId))
    expect(rows).toMatchObject([{ providerIssuer: provider.issuer, providerSubject: 'ada-1', email: ada.email }])
  })

  test('keeps out whoever has their address there later, until an admin forgets the account', async () => {
    provider.setAccount({ sub: 'ada-2', email: ada.email, email_verified: true })
    await isSignedIn(ada)
    await acme.perform((tx) => tx.delete(sessions).where(eq(sessions.userId, ada.userId)))
    provider.setAccount({ sub: 'eve-2', email: ada.email, email_verified: true })
    browser = new ConsoleBrowser(app)
    await expectRefused((await leave()).query, 'belongs to somebody else here')
    const admin = await signedIn(app, acme)
    const path = `/console/users/${ada.userId}`
    expect((await admin.get(path)).text).toContain(`Signs in by ${new URL(provider.issuer).host}`)
    expect((await admin.post(`${path}/identity-forget`)).status).toBe(303)
    await isSignedIn(ada)
    provider.setAccount({ sub: 'ada-2', email: 'gone@acme.test', email_verified: true })
    await acme.perform((tx) => tx.delete(sessions).where(eq(sessions.userId, ada.userId)))
    browser = new ConsoleBrowser(app)
    await expectRefused((await leave()).query, 'Nobody signs in here with gone@acme.test.')
  })

  test('shows who they are by signing in again where others give their password, and is led to set up nothing', async () => {
    await acme.perform((tx) =>
      tx.update(users).set({ passwordHash: '*', totpSecret: 'x' }).where(eq(users.id, ada.userId)),
    )
    await acme.perform((tx) =>
      tx.update(tenants).set({ requiresSecondFactor: true }).where(eq(tenants.id, acme.tenantId)),
    )
    await signInBy()
    const off = '/console/account/second-factor/off'
    expect((await browser.get(off)).text).not.toContain('Current password')
    app.clock.advance(600_001)
    expect((await browser.get(off)).text).toContain('You have no password here')
    const refused = await browser.post(off, { current: '' })
    expect([refused.status, refused.text.includes('sign in again, and do this within ten minutes')]).toEqual([
      400,
      true,
    ])
    await signInBy()
    expect((await browser.post(off)).status).toBe(303)
    expect((await browser.get('/console/account')).status).toBe(200)
  })
})

describe('nobody is signed in', () => {
  test('who has no account here, whatever their provider says, nor is one made', async () => {
    const everyone = () => app.database.db.select().from(users).orderBy(users.id)
    const before = await everyone()
    provider.setAccount({ email: '"><script>@evil.test', email_verified: true })
    await expectRefused((await leave()).query, 'Nobody signs in here with &quot;&gt;&lt;script&gt;@evil.test.')
    expect(await everyone()).toEqual(before)
  })

  test.each([
    ['unverified', { email_verified: false }],
    ['not said to be verified', { email_verified: undefined }],
    ['said to be verified in other words', { email_verified: 'yes' }],
    ['no address at all', { email: 7 }],
  ])('whose address is %s', async (_, claims) => {
    provider.lie({ claims })
    await expectRefused((await leave()).query, 'has not verified your email address')
  })

  test('whose address is unverified at the userinfo endpoint', async () => {
    provider.lie({ claims: { email: undefined }, userinfo: { email_verified: false } })
    await expectRefused((await leave()).query, 'has not verified your email address')
  })

  test.each([
    ['another nonce', { claims: { nonce: 'x'.repeat(43) } }],
    ['no nonce', { claims: { nonce: undefined } }],
    ['another audience', { claims: { aud: 'another-client' } }],
    ['several audiences, of which another asked', { claims: { aud: ['desk', 'other'], azp: 'other' } }],
    ['a foreign issuer', { claims: { iss: 'https://evil.test' } }],
    ['an end in the past', { claims: { exp: 1_700_000_000 } }],
    ['no end', { claims: { exp: undefined } }],
    ['a key that is not the provider’s', { forged: true }],
    ['an address of somebody else', { claims: { email: undefined }, userinfo: { sub: 'eve' } }],
    ['no ID token', { token: () => Response.json({ access_token: 'a', token_type: 'Bearer' }) }],
    [
      'a token that nobody signed',
      { token: () => Response.json({ access_token: 'a', token_type: 'Bearer', id_token: unsigned() }) },
    ],
    ['a client that it does not know', { token: () => Response.json({ error: 'invalid_client' }, { status: 401 }) }],
  ])('by a token with %s', async (_, lies) => {
    provider.lie(lies)
    const said = app.logged.length
    await expectRefused((await leave()).query, 'cannot be relied on')
    expect(app.logged.slice(said)).toContainEqual(expect.stringContaining('an identity provider signed nobody in'))
    expect(app.logged.join('\n')).not.toMatch(/hush|access-\d|code-[\da-f]{8}/)
  })

  test('by an answer to a question that nobody asked, or that another browser did', async () => {
    await expectRefused('code=x&state=y', 'was begun in another window')
    const { query } = await leave()
    const own = browser
    browser = new ConsoleBrowser(app)
    await expectRefused(query, 'was begun in another window')
    await leave()
    await expectRefused(query, 'cannot be relied on')
    browser = own
    browser.cookies.set('frontdesk_provider', 'sealed1.AAAA')
    await expectRefused(query, 'was begun in another window')
  })

  test('by an answer with another state, or none', async () => {
    for (const state of ['x', '']) {
      const { query } = await leave()
      query.set('state', state)
      await expectRefused(query, 'cannot be relied on')
    }
  })

  test('by a code a second time, from this browser or after another question', async () => {
    const { query } = await leave()
    const cookie = browser.cookies.get('frontdesk_provider') as string
    expect((await comeBack(query)).status).toBe(303)
    await acme.perform((tx) => tx.delete(sessions).where(eq(sessions.userId, ada.userId)))
    browser = new ConsoleBrowser(app)
    browser.cookies.set('frontdesk_provider', cookie)
    await expectRefused(query, 'was begun in another window')
    const next = await leave()
    query.set('state', next.query.get('state') as string)
    await expectRefused(query, 'cannot be relied on')
  })

  test('by an answer that took longer than ten minutes', async () => {
    const { query } = await leave()
    app.clock.advance(600_000)
    await expectRefused(query, 'That took too long')
  })

  test('who turned back, or whom the provider refused; its own words stand nowhere', async () => {
    const { query } = await leave('/console/account')
    const words = new URLSearchParams({
      error: 'access_denied',
      error_description: 'Call <b>0190 1234</b>',
      state: query.get('state') ?? '',
    })
    const answer = await comeBack(words)
    expect(answer.text).toContain('did not let you in, or you cancelled there')
    expect(answer.text).toContain('href="/console/sign-in?next=%2Fconsole%2Faccount"')
    expect(answer.text).not.toContain('0190 1234')
    expect(browser.cookies.has('frontdesk_provider')).toBe(false)
  })

  test('while the provider is away', async () => {
    const { query } = await leave()
    provider.lie({ token: () => new Response('oops', { status: 503 }) })
    await expectRefused(query, 'cannot be reached at the moment', 502)
  })

  test('by more than ten wrong answers in 15 minutes, before the provider is asked again', async () => {
    provider.lie({ forged: true })
    for (let i = 0; i < 10; i++) expect((await comeBack((await leave()).query)).status).toBe(400)
    const { query } = await leave()
    provider.reset()
    const refused = await comeBack(query)
    expect([refused.status, refused.headers.get('retry-after'), provider.asked]).toEqual([429, '900', []])
  })
})

function unsigned(): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  return `${part({ alg: 'none' })}.${part({ iss: provider.issuer, aud: 'desk', sub: 'ada', exp: 4e9, iat: 1 })}.`
}

describe('a provider', () => {
  test('that is away, or is another than it should be, is said to be, and asked anew the next time', async () => {
    const other = await startIdentityProvider()
    const own = await startApp({ environment: other.environment })
    const person = await createPerson(await own.createTenant())
    other.setAccount({ email: person.email, email_verified: true })
    other.lie({ metadata: { issuer: 'https://evil.test' } })
    const visitor = new ConsoleBrowser(own)
    const failed = await visitor.get(PATH)
    expect([failed.status, failed.text.includes('cannot be reached at the moment')]).toEqual([502, true])
    expect(failed.text).toContain('sign in with your password')
    expect(own.logged).toContainEqual(expect.stringContaining('JSON'))
    other.reset()
    const answer = await visitor.get(PATH)
    expect(answer.status).toBe(303)
    other.close()
    own.clock.advance(3_600_000)
    expect((await visitor.get(PATH)).status).toBe(502)
    await own.close()
  })

  test('that is not configured is not offered, and has no pages', async () => {
    const plain = await startApp()
    const visitor = new ConsoleBrowser(plain)
    expect((await visitor.get('/console/sign-in')).text).not.toContain('/sign-in/provider')
    for (const path of [PATH, `${PATH}/callback?code=x&state=y`]) {
      const answer = await visitor.get(path)
      expect([answer.status, answer.headers.get('location')]).toEqual([
        303,
        expect.stringContaining('/console/sign-in'),
      ])
    }
    await plain.close()
  })
})
