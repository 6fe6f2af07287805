import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { outsideCaller } from '../../../src/caller.ts'
import { auditEntries, sessions, users } from '../../../src/db/schema.ts'
import { makeLink } from '../../../src/users/links/links.ts'
import { startApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { ConsoleBrowser, createPerson, PASSWORD, type Person, signedIn } from '../../support/pages/console.ts'
import { countByClockOf } from '../../support/processes/nodes.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

let app: TestApp
let acme: TestTenant
let ada: Person
let browser: ConsoleBrowser

beforeAll(async () => {
  app = await startApp({ environment: { FRONTDESK_PUBLIC_RATE_LIMIT: '10000' } })
  countByClockOf(app)
})
beforeEach(async () => {
  // Counts of addresses end with it.
  app.clock.advance(HOUR)
  acme = await app.createTenant()
  ada = await createPerson(acme)
  browser = new ConsoleBrowser(app)
})
afterAll(() => app.close())

const cookieOf = (answer: { headers: Headers }) =>
  answer.headers.getSetCookie().find((header) => header.startsWith('frontdesk_session=')) ?? ''
const sessionRows = (userId: string) => app.database.db.select().from(sessions).where(eq(sessions.userId, userId))

describe('the sign-in', () => {
  test('is a page with labelled fields, which no other site can frame and no cache keeps', async () => {
    const { status, text, headers } = await browser.get('/console/sign-in')
    expect(status).toBe(200)
    expect(text).toContain('<label for="field-email">Email</label>')
    expect(text).toContain('<label for="field-password">Password</label>')
    expect(text).toMatch(/<button class="primary">Sign in<\/button>/)
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'referrer-policy': 'same-origin',
    })
    const policy = headers.get('content-security-policy') ?? ''
    for (const directive of [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "frame-ancestors 'none'",
      "base-uri 'none'",
      "form-action 'self'",
    ]) {
      expect(policy.split('; ')).toContain(directive)
    }
    expect(policy).not.toContain('unsafe')
    expect(text).not.toMatch(/<script>|<style|style=|onclick/)
  })

  test('with email and password begins a session, whose cookie no script reads and no other site sends', async () => {
    const answer = await browser.signIn(`  ${ada.email.toUpperCase()} `)
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/console'])
    expect(cookieOf(answer)).toMatch(/^frontdesk_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/)
    const start = await browser.get('/console')
    expect(start.status).toBe(303)
    const [row] = await sessionRows(ada.userId)
    expect(row?.tokenHash).not.toBe(browser.cookies.get('frontdesk_session'))
    expect(JSON.stringify(row)).not.toContain(browser.cookies.get('frontdesk_session') as string)
    const noted = await app.database.db
      .select()
      .from(auditEntries)
      .where(eq(auditEntries.recordId, ada.userId))
      .orderBy(auditEntries.number)
    expect(noted.map(({ action, via, authorId }) => [action, via, authorId])).toContainEqual([
      'user.signed_in',
      'console',
      ada.userId,
    ])
  })

  test('refuses a wrong password and an unknown account with the same words, and begins nothing', async () => {
    const wrong = await browser.signIn(ada.email, 'not the password')
    const unknown = await browser.signIn('nobody@acme.test', 'not the password')
    const withoutName = (text: string) => text.replaceAll(ada.email, 'X').replaceAll('nobody@acme.test', 'X')
    expect(wrong.status).toBe(400)
    expect(unknown.status).toBe(400)
    expect(withoutName(wrong.text)).toBe(withoutName(unknown.text))
    expect(wrong.text).toContain('The email or the password is not right.')
    expect(wrong.text).toContain(`value="${ada.email}"`)
    expect(wrong.text).not.toContain('not the password')
    expect(browser.cookies.size).toBe(0)
    expect(await sessionRows(ada.userId)).toEqual([])
  })

  test('lets nobody in who has not chosen a password yet', async () => {
    await acme.perform((tx) => tx.update(users).set({ passwordHash: '-' }).where(eq(users.id, ada.userId)))
    for (const password of ['', '-', PASSWORD]) expect((await browser.signIn(ada.email, password)).status).toBe(400)
  })

  test('never takes over a session that a browser brings along', async () => {
    browser.cookies.set('frontdesk_session', 'x'.repeat(43))
    await browser.signIn(ada.email)
    const first = browser.cookies.get('frontdesk_session') as string
    expect(first).not.toBe('x'.repeat(43))
    await browser.signIn(ada.email)
    expect(browser.cookies.get('frontdesk_session')).not.toBe(first)
  })

  test('leads back to where somebody wanted to go, within the console and nowhere else', async () => {
    for (const [next, place] of [
      ['/console/account?tab=1', '/console/account?tab=1'],
      ['/console', '/console'],
      ['', '/console'],
      ['https://evil.test/console', '/console'],
      ['//evil.test/console', '/console'],
      ['/\\evil.test', '/console'],
      ['/console/../../evil', '/console'],
      ['/console/..//evil.test', '/console'],
      ['/console\\..\\..//evil.test', '/console'],
      ['/consoleevil', '/console'],
      ['/console@evil.test', '/console'],
      ['/v1/contacts', '/console'],
      ['javascript:alert(1)', '/console'],
      ['/console/sign-in?next=/console/sign-in', '/console'],
      ['/console/\r\nset-cookie: a=b', '/console/set-cookie:%20a=b'],
    ] as const) {
      const answer = await browser.signIn(ada.email, PASSWORD, { next })
      expect([next, answer.status, answer.headers.get('location')]).toEqual([next, 303, place])
    }
    const page = await browser.get('/console/sign-in?next=%22%3E%3Cscript%3E')
    expect(page.text).toContain('value="&quot;&gt;&lt;script&gt;"')
  })

  test('takes a form of its own pages alone', async () => {
    for (const headers of [
      { origin: 'https://evil.test' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: app.url, 'sec-fetch-site': 'cross-site' },
    ] as Record<string, string>[]) {
      browser.headers = headers
      const answer = await browser.signIn(ada.email)
      expect([JSON.stringify(headers), answer.status]).toEqual([JSON.stringify(headers), 403])
    }
    expect(await sessionRows(ada.userId)).toEqual([])
    browser.headers = { origin: app.url, 'sec-fetch-site': 'same-origin' }
    expect((await browser.signIn(ada.email)).status).toBe(303)
  })

  test.each([
    ['JSON', '{"email":"x"}', 'application/json', 400],
    ['nothing', '', 'text/plain', 400],
    ['too much', `email=${'x'.repeat(20_000)}`, 'application/x-www-form-urlencoded', 413],
    ['a broken form', '--x\r\nnonsense', 'multipart/form-data; boundary=y', 400],
  ])('answers %s with a page that says so', async (_, body, type, status) => {
    const answer = await browser.request('POST', '/console/sign-in', body, { 'content-type': type })
    expect([answer.status, answer.headers.get('content-type')]).toEqual([status, 'text/html; charset=utf-8'])
  })

  test('speaks the language that the browser asks for', async () => {
    const { text } = await browser.get('/console/sign-in', { 'accept-language': 'fr, de;q=0.8, en;q=0.5' })
    expect(text).toContain('<html lang="de" dir="ltr">')
    expect(text).toContain('Passwort')
  })
})

describe('guessing', () => {
  const guess = (email: string, from = browser) => from.signIn(email, 'wrong password')
  const at = (address: string) => {
    const other = new ConsoleBrowser(proxied)
    other.headers = { 'x-forwarded-for': address }
    return other
  }
  let proxied: TestApp
  beforeAll(async () => {
    proxied = await startApp({
      environment: { FRONTDESK_TRUSTED_PROXIES: '127.0.0.1', FRONTDESK_PUBLIC_RATE_LIMIT: '10000' },
    })
    countByClockOf(proxied)
  })
  afterAll(() => proxied.close())

  test('an account has 10 failures in 15 minutes, wherever they come from; then even the right password waits', async () => {
    const bob = await createPerson(await proxied.createTenant())
    for (let i = 0; i < 10; i++) expect((await guess(bob.email, at(`203.0.113.${i}`))).status).toBe(400)
    const refused = await at('203.0.113.99').signIn(bob.email)
    expect([refused.status, refused.headers.get('retry-after'), refused.headers.get('content-type')]).toEqual([
      429,
      '900',
      'text/html; charset=utf-8',
    ])
    expect(refused.text).toContain('Please try again in 15 minutes.')
    const carla = await createPerson(await proxied.createTenant())
    expect((await at('203.0.113.99').signIn(carla.email)).status).toBe(303)
    proxied.clock.advance(15 * MINUTE)
    expect((await at('203.0.113.99').signIn(bob.email)).status).toBe(303)
  })

  test('an address has 10 failures, whichever accounts they are for, known or not', async () => {
    const bob = await createPerson(await proxied.createTenant())
    for (let i = 0; i < 10; i++) expect((await guess(`nobody-${i}@acme.test`, at('198.51.100.7'))).status).toBe(400)
    expect((await at('198.51.100.7').signIn(bob.email)).status).toBe(429)
    expect((await at('198.51.100.8').signIn(bob.email)).status).toBe(303)
  })

  test('an unknown account is refused after as many failures as a known one', async () => {
    for (let i = 0; i < 10; i++) expect((await guess('ghost@acme.test', at(`192.0.2.${i}`))).status).toBe(400)
    expect((await guess('ghost@acme.test', at('192.0.2.99'))).status).toBe(429)
  })

  test('many at once are no way around it', async () => {
    const bob = await createPerson(await proxied.createTenant())
    const answers = await Promise.all(Array.from({ length: 30 }, (_, i) => guess(bob.email, at(`203.0.114.${i}`))))
    expect(answers.filter(({ status }) => status === 400).length).toBe(10)
    expect(answers.filter(({ status }) => status === 429).length).toBe(20)
  })

  test('strangers lock nobody out of a browser that has signed in before, which has 10 failures of its own', async () => {
    const bob = await createPerson(await proxied.createTenant())
    const own = at('203.0.115.1')
    expect((await own.signIn(bob.email)).status).toBe(303)
    await own.post('/console/sign-out')
    // Others try his account out, from his own address too.
    for (let i = 0; i < 5; i++) expect((await guess(bob.email, at(`203.0.115.${i + 50}`))).status).toBe(400)
    for (let i = 0; i < 5; i++) expect((await guess(bob.email, at('203.0.115.1'))).status).toBe(400)
    for (let i = 0; i < 5; i++) expect((await guess(`no-${i}@acme.test`, at('203.0.115.1'))).status).toBe(400)
    expect((await at('203.0.115.2').signIn(bob.email)).status).toBe(429)
    expect((await own.signIn(bob.email)).status).toBe(303)
    await own.post('/console/sign-out')
    for (let i = 0; i < 10; i++) expect((await guess(bob.email, own)).status).toBe(400)
    const refused = await own.signIn(bob.email)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '900'])
    // A copy of the cookie is the same browser, a changed one is a stranger’s, and another account’s helps nobody.
    const copy = at('203.0.115.3')
    const known = own.cookies.get('frontdesk_known') as string
    copy.cookies.set('frontdesk_known', known)
    expect((await copy.signIn(bob.email)).status).toBe(429)
    for (const changed of [`x${known}`, known.slice(0, -2), known.split('.').slice(0, 2).join('.'), 'x.y.z', '..']) {
      copy.cookies.set('frontdesk_known', changed)
      expect((await copy.signIn(bob.email)).status).toBe(429)
    }
    const carla = await createPerson(await proxied.createTenant())
    const carlas = at('203.0.115.4')
    expect((await carlas.signIn(carla.email)).status).toBe(303)
    expect((await carlas.signIn(bob.email)).status).toBe(429)
    proxied.clock.advance(15 * MINUTE)
    expect((await own.signIn(bob.email)).status).toBe(303)
  })

  test('a browser is known to all accounts that signed in there, by a cookie that names none of them', async () => {
    const tenant = await proxied.createTenant()
    const shared = at('203.0.116.1')
    const people = [await createPerson(tenant), await createPerson(tenant)]
    for (const { email } of people) expect((await shared.signIn(email)).status).toBe(303)
    const known = shared.cookies.get('frontdesk_known') as string
    expect(known).toMatch(/^[\w-]{22}(\.[\w-]{22}){3}$/)
    for (const { email } of people) {
      for (let i = 0; i < 10; i++) await guess(email, at(`203.0.116.${i + 10}`))
      expect((await at('203.0.116.99').signIn(email)).status).toBe(429)
      expect((await shared.signIn(email)).status).toBe(303)
    }
    expect(shared.cookies.get('frontdesk_known')?.length).toBe(known.length)
  })

  test('strangers keep nobody from having a link for a new password sent, nor from signing in with it', async () => {
    const bob = await createPerson(await proxied.createTenant())
    const own = at('203.0.117.1')
    await own.signIn(bob.email)
    const ask = (from: ConsoleBrowser, email = bob.email) =>
      from.request('POST', '/console/password', new URLSearchParams({ email }))
    for (let i = 0; i < 10; i++) expect((await ask(at('203.0.117.1'), `no-${i}@acme.test`)).status).toBe(200)
    expect((await ask(at('203.0.117.1'))).status).toBe(429)
    expect((await ask(own)).status).toBe(200)
    for (let i = 0; i < 10; i++) await guess(bob.email, at(`203.0.117.${i + 10}`))
    const { token } = await proxied.database.transaction((tx) =>
      makeLink(tx, outsideCaller(bob.tenantId, proxied.clock.now()), bob.userId, 'reset'),
    )
    const fresh = at('203.0.117.5')
    const password = 'another long password'
    const chosen = await fresh.request('POST', `/console/password/${token}`, new URLSearchParams({ password }))
    expect(chosen.status).toBe(303)
    expect((await at('203.0.117.6').signIn(bob.email, password)).status).toBe(429)
    expect((await fresh.signIn(bob.email, password)).status).toBe(303)
  })

  test('signing in counts as no failure', async () => {
    for (let i = 0; i < 12; i++) expect((await browser.signIn(ada.email)).status).toBe(303)
  })
})

describe('the audit log', () => {
  test('holds who signed in, failed to and signed out, from where and by what; of unknown accounts nothing', async () => {
    const noted = async () => {
      const rows = await app.database.db
        .select()
        .from(auditEntries)
        .where(eq(auditEntries.recordId, ada.userId))
        .orderBy(auditEntries.number)
      return rows.map(({ action, via, authorId, address, fields }) => [action, via, authorId, address, fields])
    }
    await browser.signIn(ada.email, 'not the password')
    await browser.signIn('nobody@acme.test', 'not the password')
    // It is written beside the answer.
    while ((await noted()).length < 2) await Bun.sleep(5)
    await browser.signIn(ada.email)
    await browser.signIn(ada.email)
    await browser.post('/console/sign-out')
    const who = ['console', ada.userId, '127.0.0.1']
    expect((await noted()).slice(1)).toEqual([
      ['user.sign_in_failed', 'console', null, '127.0.0.1', 'password'],
      ['user.signed_in', ...who, 'password'],
      ['user.signed_out', ...who, null],
      ['user.signed_in', ...who, 'password'],
      ['user.signed_out', ...who, null],
    ])
    await app.runDue()
    const admin = await signedIn(app, acme)
    const { text } = await admin.get(`/console/audit?record=${ada.userId}`)
    for (const words of ['User: sign-in failed', 'by password', 'User: signed out', 'Unknown'])
      expect(text).toContain(words)
  })
})

describe('a session', () => {
  test('ends as its browser signs in again, whoever that is', async () => {
    await browser.signIn(ada.email)
    const first = browser.cookies.get('frontdesk_session') as string
    const bob = await createPerson(acme)
    await browser.signIn(bob.email)
    expect(await sessionRows(ada.userId)).toEqual([])
    expect((await sessionRows(bob.userId)).length).toBe(1)
    const left = new ConsoleBrowser(app)
    left.cookies.set('frontdesk_session', first)
    expect((await left.get('/console/account')).status).toBe(303)
    // Another browser's goes on.
    await new ConsoleBrowser(app).signIn(bob.email)
    expect((await sessionRows(bob.userId)).length).toBe(2)
  })

  test('ends after 12 hours without use, and after 14 days at most', async () => {
    await browser.signIn(ada.email)
    const isIn = async () => (await browser.get('/console/no-such-page')).status === 404
    app.clock.advance(12 * HOUR - 1)
    expect(await isIn()).toBe(true)
    app.clock.advance(12 * HOUR)
    expect(await isIn()).toBe(false)
    await browser.signIn(ada.email)
    for (let hours = 0; hours + 11 < 14 * 24; hours += 11) {
      app.clock.advance(11 * HOUR)
      expect(await isIn()).toBe(true)
    }
    app.clock.advance(11 * HOUR)
    expect(await isIn()).toBe(false)
  })

  test('that has ended before something was sent says that it was not saved; nobody hears so who only looks or leaves', async () => {
    await browser.signIn(ada.email)
    const message = 'so this has not been saved'
    const headers = { referer: `${app.url}/console/account` }
    app.clock.advance(12 * HOUR)
    const sent = await browser.request('POST', '/console/account', new URLSearchParams({ name: 'Ada' }), headers)
    expect([sent.status, sent.headers.get('location')]).toEqual([303, '/console/sign-in?next=%2Fconsole%2Faccount'])
    expect((await browser.follow(sent)).text).toMatch(new RegExp(`<p class="flash warn" role="status">[^<]*${message}`))
    // Once.
    expect((await browser.follow(sent)).text).not.toContain(message)
    for (const [method, path] of [
      ['GET', '/console/account'],
      ['POST', '/console/sign-out'],
    ] as const) {
      const answer = await browser.request(method, path, method === 'POST' ? new URLSearchParams() : undefined, headers)
      expect([path, answer.status, (await browser.follow(answer)).text.includes(message)]).toEqual([path, 303, false])
    }
    expect((await app.database.db.select().from(users).where(eq(users.id, ada.userId)))[0]?.name ?? null).toBeNull()
  })

  test('that was ended in another tab says so as well, and one that never was says nothing', async () => {
    const message = 'so this has not been saved'
    const headers = { referer: `${app.url}/console/account` }
    const send = async (from: ConsoleBrowser) =>
      (await from.follow(await from.request('POST', '/console/account', new URLSearchParams({ name: 'Ada' }), headers)))
        .text
    await browser.signIn(ada.email)
    await browser.post('/console/sign-out')
    expect(browser.cookies.has('frontdesk_session')).toBe(false)
    expect(await send(browser)).toContain(message)
    const stranger = await send(new ConsoleBrowser(app))
    expect(stranger).toContain('name="password"')
    expect(stranger).not.toContain(message)
  })

  test('is deleted once it has ended', async () => {
    await browser.signIn(ada.email)
    app.clock.advance(12 * HOUR)
    await app.runDue()
    expect(await sessionRows(ada.userId)).toEqual([])
  })

  test('ends with the sign-out, for good', async () => {
    await browser.signIn(ada.email)
    const token = browser.cookies.get('frontdesk_session') as string
    const answer = await browser.post('/console/sign-out')
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/console/sign-in?done'])
    expect(cookieOf(answer)).toContain('Max-Age=0')
    expect((await browser.follow(answer)).text).toContain('You are signed out.')
    browser.cookies.set('frontdesk_session', token)
    expect((await browser.get('/console/no-such-page')).status).toBe(303)
  })

  test('of another service, or made up, is none', async () => {
    for (const token of ['x', 'x'.repeat(43), '', "' OR 1=1", '%00'] as const) {
      browser.cookies.set('frontdesk_session', token)
      expect((await browser.get('/console/account')).status).toBe(303)
    }
  })
})

test('behind https cookies are never sent without it, nor set by another host, and are the service’s own', async () => {
  for (const [base, names] of [
    ['https://desk.test', ['__Host-frontdesk_session', '__Host-frontdesk_known']],
    ['https://desk.test/help/', ['__Host-frontdesk_session_help', '__Host-frontdesk_known_help']],
  ] as const) {
    const service = await startApp({ environment: { FRONTDESK_BASE_URL: base } })
    const person = await createPerson(await service.createTenant())
    const own = new ConsoleBrowser(service)
    const answer = await own.signIn(person.email)
    const cookies = answer.headers.getSetCookie()
    expect(cookies.map((cookie) => cookie.split('=')[0])).toEqual([...names])
    for (const cookie of cookies) expect(cookie).toMatch(/; Path=\/; HttpOnly; SameSite=Lax; Secure(; Max-Age=\d+)?$/)
    expect((await own.get('/console/account')).status).toBe(200)
    // What an earlier version gave out is no session any more.
    const token = own.cookies.get(names[0]) as string
    const old = new ConsoleBrowser(service)
    old.cookies.set('frontdesk_session', token)
    expect((await old.get('/console/account')).status).toBe(303)
    await service.close()
  }
  const secure = await startApp({ environment: { FRONTDESK_BASE_URL: 'https://desk.test/help/' } })
  const person = await createPerson(await secure.createTenant())
  const answer = await new ConsoleBrowser(secure).signIn(person.email)
  expect(answer.headers.get('location')).toBe('/help/console')
  await secure.close()
})

describe('a form', () => {
  test('without the token of its session, or with another’s, changes nothing', async () => {
    const own = await signedIn(app, acme)
    const other = await signedIn(app, acme)
    for (const csrf of ['', 'x', 'x'.repeat(86), await other.csrf()]) {
      const answer = await own.post('/console/sign-out', { csrf })
      expect(answer.status).toBe(403)
      expect(answer.text).toContain('Nothing was changed')
    }
    for (const headers of [{ origin: 'https://evil.test' }, { 'sec-fetch-site': 'cross-site' }] as Record<
      string,
      string
    >[]) {
      const csrf = await own.csrf()
      expect((await own.post('/console/sign-out', { csrf }, headers)).status).toBe(403)
    }
    expect((await sessionRows(own.person.userId)).length).toBe(1)
    expect((await own.post('/console/sign-out')).status).toBe(303)
  })

  test('carries another token each time, and all of them work', async () => {
    const own = await signedIn(app, acme)
    const first = await own.csrf()
    expect(await own.csrf()).not.toBe(first)
    expect((await own.post('/console/sign-out', { csrf: first })).status).toBe(303)
  })
})

test('strangers are counted for their address before anything of them is read', async () => {
  const strict = await startApp({ environment: { FRONTDESK_PUBLIC_RATE_LIMIT: '3' } })
  const stranger = new ConsoleBrowser(strict)
  for (let i = 0; i < 3; i++) expect((await stranger.request('POST', '/console/sign-in', 'x')).status).toBe(400)
  const refused = await stranger.request('POST', '/console/sign-in', 'x')
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60'])
  expect((await stranger.request('POST', '/console/sign-out', 'x')).status).toBe(429)
  expect((await stranger.get('/console/sign-in')).status).toBe(200)
  await strict.close()
})
