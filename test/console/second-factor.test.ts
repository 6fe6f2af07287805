import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { Secret, TOTP } from 'otpauth'
import { users } from '../../src/db/schema.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'
import { ConsoleBrowser, PASSWORD, signedIn } from '../support/console.ts'

const HOUR = 3_600_000
const PATH = '/console/account/second-factor'
let app: TestApp
let acme: TestTenant
let ada: Awaited<ReturnType<typeof signedIn>>

beforeAll(async () => {
  app = await startApp({ environment: { FRONTDESK_PUBLIC_RATE_LIMIT: '10000' } })
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
