import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { Secret, TOTP } from 'otpauth'
import { auditEntries, passkeys, tenants, users } from '../../../src/db/schema.ts'
import { hashOf } from '../../../src/lib/hash.ts'
import { newRecoveryCodes, saltRecoveryCodes } from '../../../src/users/factors/recovery-codes.ts'
import { startApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { ConsoleBrowser, PASSWORD, signedIn } from '../../support/pages/console.ts'
import { countByClockOf } from '../../support/processes/nodes.ts'

const HOUR = 3_600_000
const PATH = '/console/account/second-factor'
let app: TestApp
let acme: TestTenant
let ada: Awaited<ReturnType<typeof signedIn>>

beforeAll(async () => {
  app = await startApp({ environment: { FRONTDESK_PUBLIC_RATE_LIMIT: '10000' } })
  countByClockOf(app)
})
beforeEach(async () => {
  app.clock.advance(HOUR)
  acme = await app.createTenant()
  ada = await signedIn(app, acme, 'agent')
})
afterAll(() => app.close())

const codeFor = (secret: string, at = app.clock.now()) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: at })
const hidden = (text: string, name: string) => new RegExp(`name="${name}" value="([^"]+)"`).exec(text)?.[1] ?? ''

/** Turns it on. Returns what the app knows, and the recovery codes. */
async function turnOn() {
  const page = await ada.get(PATH)
  const secret = /id="secret" value="([A-Z2-7]+)"/.exec(page.text)?.[1] ?? ''
  const done = await ada.post(PATH, { secret: hidden(page.text, 'secret'), code: codeFor(secret), current: PASSWORD })
  const codes = [...done.text.matchAll(/<code>([\w-]{19})<\/code>/g)].map(([, code]) => code as string)
  return { secret, codes, done }
}

/** The first step of signing in, and what it asks for. */
async function begin(next = '') {
  const browser = new ConsoleBrowser(app)
  const answer = await browser.signIn(ada.person.email, PASSWORD, { next })
  const ticket = hidden(answer.text, 'ticket')
  const finish = (code: string) =>
    browser.request('POST', '/console/sign-in/code', new URLSearchParams({ ticket, code }))
  return { browser, answer, ticket, finish }
}

describe('with two-step sign-in', () => {
  test('a password alone gets nobody in; the code of the app does, once', async () => {
    const { secret, codes, done } = await turnOn()
    expect([done.status, codes.length, new Set(codes).size]).toEqual([200, 10, 10])
    app.clock.advance(30_000)
    const { browser, answer, finish } = await begin('/console/account?x=1')
    expect([answer.status, browser.cookies.size]).toEqual([200, 0])
    expect(answer.text).toContain('Enter your code')
    const code = codeFor(secret)
    const right = await finish(`${code.slice(0, 3)} ${code.slice(3)}`)
    expect([right.status, right.headers.get('location')]).toEqual([303, '/console/account?x=1'])
    expect((await browser.get('/console/account')).status).toBe(200)
    const again = await (await begin()).finish(code)
    expect([again.status, again.text.includes('was used already')]).toEqual([400, true])
  })

  test('a code of a moment ago is taken, an older one is not', async () => {
    const { secret } = await turnOn()
    app.clock.advance(5 * 60_000)
    expect((await (await begin()).finish(codeFor(secret, app.clock.now() - 90_000))).status).toBe(400)
    expect((await (await begin()).finish(codeFor(secret, app.clock.now() - 30_000))).status).toBe(303)
  })

  test('a recovery code gets somebody in once', async () => {
    const { codes } = await turnOn()
    const [code = ''] = codes
    expect((await (await begin()).finish(code.toUpperCase())).status).toBe(303)
    expect((await (await begin()).finish(code)).status).toBe(400)
    expect((await ada.get('/console/account')).text).toContain('9 recovery codes are left.')
    const [row] = await app.database.db.select().from(users).where(eq(users.id, ada.person.userId))
    expect(JSON.stringify(row)).not.toContain(codes[1]?.replaceAll('-', '') as string)
    expect(row?.totpSecret).toStartWith('sealed1.')
  })

  test('codes are not guessed: ten wrong ones in a quarter of an hour', async () => {
    const { secret } = await turnOn()
    const { finish } = await begin()
    for (let i = 0; i < 10; i++) expect((await finish('000000')).status).toBe(400)
    app.clock.advance(30_000)
    expect((await finish(codeFor(secret))).status).toBe(429)
    // The browser that she has signed in with is counted for itself.
    const { ticket } = await begin()
    const right = new URLSearchParams({ ticket, code: codeFor(secret) })
    const answer = await ada.request('POST', '/console/sign-in/code', right)
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/console'])
    const rows = await app.database.db
      .select()
      .from(auditEntries)
      .where(eq(auditEntries.recordId, ada.person.userId))
      .orderBy(auditEntries.number)
    expect(rows.filter(({ action, fields }) => action === 'user.sign_in_failed' && fields === 'code').length).toBe(10)
  })

  test('wrong passwords of strangers keep nobody from giving a code', async () => {
    const { secret } = await turnOn()
    app.clock.advance(30_000)
    const { finish } = await begin()
    for (let i = 0; i < 10; i++) await new ConsoleBrowser(app).signIn(ada.person.email, 'not the password')
    expect((await new ConsoleBrowser(app).signIn(ada.person.email)).status).toBe(429)
    expect((await finish(codeFor(secret))).status).toBe(303)
  })

  test('recovery codes are stored as salted, slow hashes; those of an earlier version become such, and still work', async () => {
    const made = await newRecoveryCodes()
    for (const hash of made.hashes) expect(hash).toStartWith('$argon2id$v=19$m=19456,t=2,p=1$')
    const { codes } = await turnOn()
    const own = eq(users.id, ada.person.userId)
    const stored = async () => (await app.database.db.select().from(users).where(own))[0]?.recoveryCodes ?? []
    for (const hash of await stored()) expect(hash).toStartWith('$argon2id$')
    expect(new Set((await stored()).map((hash) => hash.split('$')[4])).size).toBe(10)
    const plain = codes.map((code) => hashOf(code.replaceAll('-', '')))
    await acme.perform((tx) => tx.update(users).set({ recoveryCodes: plain }).where(own))
    // Before they are carried over, and after.
    expect((await (await begin()).finish(codes[0] as string)).status).toBe(303)
    expect((await stored()).length).toBe(9)
    await saltRecoveryCodes(app.database)
    for (const hash of await stored()) expect(hash).toStartWith('$argon2id$v=19$m=19456,t=2,p=1$')
    const salted = await stored()
    await saltRecoveryCodes(app.database)
    expect(await stored()).toEqual(salted)
    expect((await (await begin()).finish(codes[0] as string)).status).toBe(400)
    expect((await (await begin()).finish(codes[9] as string)).status).toBe(303)
    expect((await stored()).length).toBe(8)
  })

  test('the second step stands on the first: not forged, not too late, not after the password was changed', async () => {
    const { secret } = await turnOn()
    app.clock.advance(30_000)
    const { browser, ticket, finish } = await begin()
    const forged = new URLSearchParams({ ticket: `${ticket.slice(0, -4)}AAAA`, code: codeFor(secret) })
    expect((await browser.request('POST', '/console/sign-in/code', forged)).headers.get('location')).toBe(
      '/console/sign-in',
    )
    await ada.post('/console/account/password', { current: PASSWORD, password: 'a whole new password' })
    expect((await finish(codeFor(secret))).headers.get('location')).toBe('/console/sign-in')
    expect(browser.cookies.has('frontdesk_session')).toBe(false)
    await ada.post('/console/account/password', { current: 'a whole new password', password: PASSWORD })
    const late = await begin()
    app.clock.advance(10 * 60_000)
    expect((await late.finish(codeFor(secret))).headers.get('location')).toBe('/console/sign-in')
  })

  test('it is turned off with the password, and on with both', async () => {
    const page = await ada.get(PATH)
    const sealed = hidden(page.text, 'secret')
    const secret = /id="secret" value="([A-Z2-7]+)"/.exec(page.text)?.[1] ?? ''
    const wrong = await ada.post(PATH, { secret: sealed, code: '000000', current: PASSWORD })
    expect([wrong.status, wrong.text.includes(`value="${secret}"`)]).toEqual([400, true])
    expect((await ada.post(PATH, { secret: sealed, code: codeFor(secret), current: 'not it' })).status).toBe(400)
    const bob = await signedIn(app, acme, 'agent')
    expect((await bob.post(PATH, { secret: sealed, code: codeFor(secret), current: PASSWORD })).status).toBe(400)
    expect((await (await begin()).answer).status).toBe(303)
    await turnOn()
    expect((await ada.post(`${PATH}/off`, { current: 'not it' })).status).toBe(400)
    expect((await (await begin()).answer).status).toBe(200)
    expect((await ada.post(`${PATH}/off`, { current: PASSWORD })).status).toBe(303)
    expect((await (await begin()).answer).status).toBe(303)
  })

  test('an admin turns it off for somebody who has lost their phone; an agent does not', async () => {
    await turnOn()
    const path = `/console/users/${ada.person.userId}`
    expect((await ada.post(`${path}/second-factor-off`)).status).toBe(403)
    const admin = await signedIn(app, acme, 'admin')
    expect((await admin.get(path)).text).toContain(`${path}/second-factor-off`)
    expect((await admin.post(`${path}/second-factor-off`)).status).toBe(303)
    expect((await begin()).answer.status).toBe(303)
    expect((await admin.get(path)).text).not.toContain('second-factor-off')
  })
})

describe('a tenant that requires a second factor', () => {
  const require = () =>
    acme.perform((tx) => tx.update(tenants).set({ requiresSecondFactor: true }).where(eq(tenants.id, acme.tenantId)))

  test('is made by an admin in the settings, and stops at the company', async () => {
    const admin = await signedIn(app, acme, 'admin')
    const page = await admin.get('/console/settings')
    const seen = /name="seen" value="([^"]*)"/.exec(page.text)?.[1]?.replaceAll('&quot;', '"') ?? ''
    const sent = { seen, name: 'Acme', language: '', accent: '', requiresSecondFactor: 'on' }
    expect((await ada.post('/console/settings', sent)).status).toBe(403)
    expect((await admin.post('/console/settings', sent)).status).toBe(303)
    expect((await admin.get('/console/settings')).headers.get('location')).toBe(PATH)
    const other = await signedIn(app, await app.createTenant(), 'agent')
    expect((await other.get('/console/account')).status).toBe(200)
    expect((await acme.get('/v1/contacts')).status).toBe(200)
  })

  test('leads whoever has none to set one up before anything else, and then lets them go on', async () => {
    await require()
    for (const path of [
      '/console',
      '/console/inbox',
      '/console/account',
      '/console/inbox/events',
      '/console/nowhere',
    ]) {
      const answer = await ada.get(path)
      expect([path, answer.status, answer.headers.get('location')]).toEqual([path, 303, PATH])
    }
    const page = await ada.get(PATH)
    expect(page.text).toContain('Acme requires a second step at sign-in.')
    expect(page.text).not.toContain('href="/console/inbox"')
    const csrf = /name="csrf" value="([^"]*)"/.exec(page.text)?.[1] as string
    const before = await ada.post('/console/account/profile', { csrf, name: 'Evelyn Ray', language: '' })
    expect([before.status, before.headers.get('location')]).toEqual([303, PATH])
    const secret = /id="secret" value="([A-Z2-7]+)"/.exec(page.text)?.[1] ?? ''
    const fields = { csrf, secret: hidden(page.text, 'secret'), code: codeFor(secret), current: PASSWORD }
    const done = await ada.post(PATH, fields)
    expect([done.status, done.text.includes('href="/console"')]).toEqual([200, true])
    expect((await ada.get('/console/account')).status).toBe(200)
    expect((await ada.get('/console/account')).text).not.toContain('Evelyn Ray')
    // Signing out is always possible.
    const bob = await signedIn(app, acme, 'agent')
    const own = /name="csrf" value="([^"]*)"/.exec((await bob.get(PATH)).text)?.[1] as string
    expect((await bob.post('/console/sign-out', { csrf: own })).headers.get('location')).toBe('/console/sign-in?done')
  })

  test('takes a passkey for one: then the password alone lets nobody in', async () => {
    await require()
    const row = { id: crypto.randomUUID(), name: 'Phone', publicKey: 'x', counter: 0, transports: [] }
    const createdAt = '2026-01-01T00:00:00.000Z'
    await acme.perform((tx) =>
      tx.insert(passkeys).values({ ...row, tenantId: acme.tenantId, userId: ada.person.userId, createdAt }),
    )
    expect((await ada.get('/console/account')).status).toBe(200)
    const { answer, browser } = await begin()
    expect([answer.status, answer.text.includes('sign in with your passkey')]).toEqual([400, true])
    expect(browser.cookies.has('frontdesk_session')).toBe(false)
    // Whoever has lost it asks an admin.
    const admin = await signedIn(app, acme, 'admin')
    await turnOnFor(admin)
    expect((await admin.post(`/console/users/${ada.person.userId}/second-factor-off`)).status).toBe(303)
    expect((await begin()).answer.status).toBe(303)
  })

  async function turnOnFor(browser: ConsoleBrowser) {
    const page = await browser.get(PATH)
    const secret = /id="secret" value="([A-Z2-7]+)"/.exec(page.text)?.[1] ?? ''
    const csrf = /name="csrf" value="([^"]*)"/.exec(page.text)?.[1] as string
    await browser.post(PATH, { csrf, secret: hidden(page.text, 'secret'), code: codeFor(secret), current: PASSWORD })
  }
})

describe('a passkey', () => {
  test('is removed with the password, by whose it is', async () => {
    const row = { id: `key_${crypto.randomUUID()}`, name: 'Phone', publicKey: 'x', counter: 0, transports: [] }
    const own = await startApp({ environment: { FRONTDESK_BASE_URL: 'https://desk.test' } })
    const tenant = await own.createTenant()
    const eve = await signedIn(own, tenant, 'agent')
    const bob = await signedIn(own, tenant, 'agent')
    const createdAt = '2026-01-01T00:00:00.000Z'
    await tenant.perform((tx) =>
      tx.insert(passkeys).values({ ...row, tenantId: tenant.tenantId, userId: eve.person.userId, createdAt }),
    )
    const path = `/console/account/passkeys/${row.id}/remove`
    expect((await eve.get('/console/account')).text).toContain(`href="${path}"`)
    expect((await eve.get(path)).text).toContain('Current password')
    expect((await bob.get(path)).status).toBe(404)
    expect((await bob.post(path, { current: PASSWORD })).status).toBe(404)
    for (const fields of [{}, { current: 'not it' }] as Record<string, string>[]) {
      const refused = await eve.post(path, fields)
      expect([refused.status, refused.text.includes('This is not your password.')]).toEqual([400, true])
    }
    expect((await own.database.db.select().from(passkeys)).length).toBe(1)
    expect((await eve.post(path, { current: PASSWORD })).status).toBe(303)
    expect(await own.database.db.select().from(passkeys)).toEqual([])
    await own.close()
  })
})
