import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { signatureOf } from '../../../src/users/profile.ts'
import { startApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { ConsoleBrowser, PASSWORD, signedIn } from '../../support/pages/console.ts'
import { countByClockOf } from '../../support/processes/nodes.ts'

const HOUR = 3_600_000
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

const isIn = async (browser: ConsoleBrowser) => (await browser.get('/console/account')).status === 200

/** The same person with another browser. */
async function another(userAgent = '') {
  const browser = new ConsoleBrowser(app)
  browser.headers = { 'user-agent': userAgent }
  await browser.signIn(ada.person.email)
  return browser
}

describe('the account page', () => {
  test('changes the password, which ends all other sessions and keeps this one', async () => {
    const other = await another()
    const changed = await ada.post('/console/account/password', { current: PASSWORD, password: 'a whole new password' })
    expect([changed.status, changed.headers.get('location')]).toEqual([303, '/console/account'])
    expect((await ada.follow(changed)).text).toContain('All other sessions have ended.')
    expect(await isIn(ada)).toBe(true)
    expect(await isIn(other)).toBe(false)
    expect((await other.signIn(ada.person.email)).status).toBe(400)
    expect((await other.signIn(ada.person.email, 'a whole new password')).status).toBe(303)
  })

  test('asks for the password that it changes, and not without end', async () => {
    const wrong = { current: 'not it', password: 'a whole new password' }
    for (let i = 0; i < 10; i++) {
      const answer = await ada.post('/console/account/password', wrong)
      expect([answer.status, answer.text.includes('This is not your password.')]).toEqual([400, true])
    }
    const refused = await ada.post('/console/account/password', { ...wrong, current: PASSWORD })
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '900'])
    app.clock.advance(HOUR)
    const short = await ada.post('/console/account/password', { current: PASSWORD, password: 'short' })
    expect([short.status, short.text.includes('Must be 12 to 1,000 characters.')]).toEqual([400, true])
    expect(short.text).not.toContain('value="short"')
    const easy = await ada.post('/console/account/password', { current: PASSWORD, password: 'aaaaaaaaaaaa' })
    expect([easy.status, easy.text.includes('Too easy to guess: it repeats itself.')]).toEqual([400, true])
    const own = await ada.post('/console/account/password', { current: PASSWORD, password: ada.person.email })
    expect([own.status, own.text.includes('it holds your name, your address or the name of the company')]).toEqual([
      400,
      true,
    ])
    expect((await ada.signIn(ada.person.email)).status).toBe(303)
  })

  test('lists where somebody is signed in, and ends what they choose', async () => {
    const phone = await another(
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile Safari/604.1',
    )
    const desk = await another('Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0')
    const page = await ada.get('/console/account')
    expect(page.text).toContain('Safari on iOS')
    expect(page.text).toContain('Firefox on Linux')
    expect(page.text.match(/This session/g)?.length).toBe(1)
    const [path = ''] = /\/console\/account\/sessions\/[\w-]+\/end(?=")/.exec(page.text) ?? []
    expect((await ada.post(path)).status).toBe(303)
    expect([await isIn(desk), await isIn(phone), await isIn(ada)]).toEqual([false, true, true])
    await ada.post('/console/account/sessions/end-others')
    expect([await isIn(phone), await isIn(ada)]).toEqual([false, true])
  })

  test('ends no session of somebody else', async () => {
    const bob = await signedIn(app, acme, 'agent')
    const own = await another()
    const page = await own.get('/console/account')
    const [path = ''] = /\/console\/account\/sessions\/[\w-]+\/end(?=")/.exec(page.text) ?? []
    expect((await bob.post(path)).status).toBe(404)
    expect(await isIn(ada)).toBe(true)
  })

  test('changes the name and the language, for all pages', async () => {
    const answer = await ada.post('/console/account/profile', { name: 'Ada <i>L.</i>', language: 'de' })
    expect(answer.status).toBe(303)
    const page = await ada.get('/console/account')
    expect(page.text).toContain('<html lang="de" dir="ltr">')
    expect(page.text).toContain('Ada &lt;i&gt;L.&lt;/i&gt;')
    expect(page.text).toContain('Ihr Konto')
    const refused = await ada.post('/console/account/profile', { name: 'x'.repeat(256), language: 'nonsense!' })
    expect([refused.status, refused.text.includes('Muss 1 bis 255 Zeichen haben.')]).toEqual([400, true])
  })
})

describe('the signature', () => {
  const PATH = '/console/account/signature'
  const signature = () => signatureOf(app.database.db, acme.tenantId, ada.person.userId)

  test('is text that keeps its lines, or HTML that is sanitised, and is one’s own', async () => {
    const page = await ada.follow(await ada.post(PATH, { signature: 'Ada & <ada@acme.test>\r\nAcme' }))
    expect(page.text).toContain('Your signature is saved.')
    expect(await signature()).toBe('Ada &amp; &lt;ada@acme.test&gt;<br />Acme')
    expect(page.text).toContain('>\nAda &amp; &lt;ada@acme.test&gt;\nAcme</textarea>')
    expect(page.text).toContain('<div class="written">Ada &amp; &lt;ada@acme.test&gt;<br />Acme</div>')
    // Saved again as it is shown, it stays the same.
    await ada.post(PATH, { signature: 'Ada & <ada@acme.test>\nAcme' })
    expect(await signature()).toBe('Ada &amp; &lt;ada@acme.test&gt;<br />Acme')
    const html = '<b onclick="alert(1)">Ada</b><script>alert(1)</script><img src="https://evil.test/a.png" alt="Logo">'
    const { text } = await ada.follow(await ada.post(PATH, { signature: html }))
    expect(await signature()).toStartWith('<b>Ada</b>')
    expect(text).not.toMatch(/<script>|onclick="|<img[^>]*evil/)
    const colleague = await signedIn(app, acme, 'agent')
    expect((await colleague.get('/console/account')).text).not.toContain('<b>Ada</b>')
    await ada.post(PATH, { signature: '  ' })
    expect(await signature()).toBeNull()
    expect((await ada.get('/console/account')).text).not.toContain('class="mail-signature"')
  })

  test('of more than 16 KiB is refused beside it, and what was typed is kept', async () => {
    const answer = await ada.post(PATH, { signature: 'x'.repeat(16 * 1024 + 1) })
    expect(answer.status).toBe(400)
    expect(answer.text).toContain('id="field-signature-error">Must be at most 16 kB.')
    expect(answer.text).toContain('x'.repeat(16 * 1024 + 1))
    expect(await signature()).toBeNull()
  })
})

test('a form that is refused leaves the others on the page as they were', async () => {
  await ada.post('/console/account/profile', { name: 'Ada Lovelace', language: '' })
  await ada.post('/console/account/signature', { signature: 'Ada, Acme' })
  const answer = await ada.post('/console/account/password', { current: 'not it', password: 'a whole new password' })
  expect(answer.status).toBe(400)
  expect(answer.text).toContain('value="Ada Lovelace"')
  expect(answer.text).toContain('>\nAda, Acme</textarea>')
})

describe('alerts', () => {
  const choices = async () => {
    const { text } = await ada.get('/console/account')
    return [...text.matchAll(/name="mail-(\w+)"[^>]*>.*?<option value="(\w+)" selected/gs)].map(([, ...found]) => found)
  }
  const sent = (mail: string) =>
    Object.fromEntries(['assigned', 'answered', 'mentioned', 'new_in_team'].map((kind) => [`mail-${kind}`, mail]))

  test('are told of mentions and assignments by mail, until somebody chooses otherwise', async () => {
    expect(await choices()).toEqual([
      ['assigned', 'unless_read'],
      ['answered', 'off'],
      ['mentioned', 'unless_read'],
      ['new_in_team', 'off'],
    ])
    const saved = await ada.post('/console/account/alerts', { ...sent('off'), 'mail-answered': 'at_once' })
    expect((await ada.follow(saved)).text).toContain('Your alerts are saved.')
    expect(await choices()).toEqual([
      ['assigned', 'off'],
      ['answered', 'at_once'],
      ['mentioned', 'off'],
      ['new_in_team', 'off'],
    ])
    const other = await signedIn(app, acme, 'agent')
    expect((await other.get('/console/account')).text).toContain('value="unless_read" selected')
  })

  test('that nobody can choose are refused, and nothing is changed', async () => {
    const refused = await ada.post('/console/account/alerts', { ...sent('at_once'), 'mail-mentioned': 'never' })
    expect(refused.status).toBe(400)
    expect((await choices()).find(([kind]) => kind === 'assigned')).toEqual(['assigned', 'unless_read'])
  })
})
