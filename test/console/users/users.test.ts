import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { forms, users } from '../../../src/db/schema.ts'
import { startApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { startMailServer } from '../../support/mail/server.ts'
import { ConsoleBrowser, createPerson, PASSWORD, signedIn } from '../../support/pages/console.ts'
import { until } from '../../support/patience.ts'
import { countByClockOf } from '../../support/processes/nodes.ts'

const HOUR = 3_600_000

let app: TestApp
let acme: TestTenant
let admin: Awaited<ReturnType<typeof signedIn>>

beforeAll(async () => {
  app = await startApp({ environment: { FRONTDESK_PUBLIC_RATE_LIMIT: '10000' } })
  countByClockOf(app)
})
beforeEach(async () => {
  app.clock.advance(HOUR)
  acme = await app.createTenant()
  admin = await signedIn(app, acme)
})
afterAll(() => app.close())

const rowOf = async (userId: string) => (await app.database.db.select().from(users).where(eq(users.id, userId)))[0]
const rowsBy = (email: string) => app.database.db.select().from(users).where(eq(users.email, email))
const rowBy = async (email: string) => (await rowsBy(email))[0]

/** The mails to somebody, as the outbox holds them, oldest first. */
function mailsTo(email: string): string[] {
  const folder = join(app.dataDir, 'outbox')
  const files = readdirSync(folder)
    .filter((name) => name.endsWith('.eml'))
    .sort()
  return files
    .map((name) => readFileSync(join(folder, name), 'utf8').replaceAll('=\r\n', ''))
    .filter((mail) => mail.includes(`To: ${email}`) || mail.includes(`<${email}>`))
}

/** The path that the last mail to somebody leads to. */
const linkTo = (email: string) => /\/console\/password\/[\w-]+/.exec(mailsTo(email).at(-1) ?? '')?.[0] ?? ''

describe('somebody who is invited', () => {
  const invite = (fields: Record<string, string> = {}) =>
    admin.post('/console/users', { email: 'New@Acme.test', name: 'Nia', role: 'agent', ...fields })

  test('has one of the two roles, and keeps it where none is sent', async () => {
    const email = `nia-${crypto.randomUUID()}@acme.test`
    const answer = await invite({ email, role: 'owner' })
    expect([answer.status, answer.text.includes('Must be one of those that can be chosen.')]).toEqual([400, true])
    expect(await rowBy(email)).toBeUndefined()
    const { userId } = await createPerson(acme, 'admin')
    expect((await admin.post(`/console/users/${userId}`)).status).toBe(400)
    expect(await rowOf(userId)).toMatchObject({ role: 'admin' })
  })

  test('is said to have a mail on its way where a server takes such mails', async () => {
    const mailServer = await startMailServer()
    const sending = await startApp({ environment: { FRONTDESK_SMTP_URL: mailServer.url } })
    try {
      const browser = await signedIn(sending, await sending.createTenant())
      const answer = await browser.post('/console/users', { email: 'new@acme.test', name: 'Nia', role: 'agent' })
      expect((await browser.follow(answer)).text).toContain('An invitation is on its way to new@acme.test.')
      expect(mailServer.mails).toHaveLength(1)
    } finally {
      await sending.close()
      await mailServer.close()
    }
  })

  test('gets a mail, chooses a password by its link, once, and signs in', async () => {
    const email = `nia-${crypto.randomUUID()}@acme.test`
    const answer = await invite({ email, billable: 'on' })
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/console/users'])
    expect((await admin.follow(answer)).text).toContain(`The mail to ${email} lies in the outbox folder`)
    expect(await rowBy(email)).toMatchObject({ name: 'Nia', role: 'agent', billable: true, passwordHash: '-' })

    const path = linkTo(email)
    const nia = new ConsoleBrowser(app)
    expect((await nia.get(path)).text).toContain(`For ${email} at Acme.`)
    expect((await nia.request('POST', path, new URLSearchParams({ password: 'too short' }))).text).toContain(
      'Must be 12 to 1,000 characters.',
    )
    for (const password of ['aaaaaaaaaaaa', email, 'Nia Nia Nia Acme'])
      expect((await nia.request('POST', path, new URLSearchParams({ password }))).text).toContain('Too easy to guess')
    const chosen = await nia.request('POST', path, new URLSearchParams({ password: PASSWORD }))
    expect([chosen.status, chosen.headers.get('location')]).toEqual([303, '/console/sign-in'])
    expect((await nia.follow(chosen)).text).toContain('Your password is set.')
    expect((await nia.get(path)).status).toBe(404)
    expect((await nia.request('POST', path, new URLSearchParams({ password: PASSWORD }))).status).toBe(404)
    expect((await nia.signIn(email)).status).toBe(303)
  })

  test('has seven days, and only the latest link works', async () => {
    const email = `late-${crypto.randomUUID()}@acme.test`
    await invite({ email })
    const first = linkTo(email)
    const { id } = (await rowBy(email)) as { id: string }
    app.clock.advance(1)
    await admin.post(`/console/users/${id}/link`)
    const second = linkTo(email)
    expect(second).not.toBe(first)
    const late = new ConsoleBrowser(app)
    expect((await late.get(first)).status).toBe(404)
    expect((await late.get(second)).status).toBe(200)
    app.clock.advance(7 * 24 * HOUR)
    expect((await late.get(second)).status).toBe(404)
    await app.runDue()
  })

  test('cannot be a user of the tenant already, nor no address', async () => {
    const { email } = await createPerson(acme, 'agent')
    const taken = await invite({ email })
    expect(taken.status).toBe(409)
    expect(taken.text).toContain('Somebody already signs in with this email.')
    const again = `again-${crypto.randomUUID()}@acme.test`
    expect([(await invite({ email: again })).status, (await invite({ email: again })).status]).toEqual([303, 409])
    const wrong = await invite({ email: 'nobody' })
    expect(wrong.status).toBe(400)
    expect(wrong.text).toContain('<a href="#field-email">')
  })

  test('and signs in to another tenant looks like anybody else here; the mail says what to do', async () => {
    const known = `nia-${crypto.randomUUID()}@acme.test`
    const other = await createPerson(await app.createTenant('Other'), 'agent', known)
    const unknown = `nia-${crypto.randomUUID()}@acme.test`
    const pages = async (email: string) => {
      const answer = await invite({ email })
      const { text } = await admin.follow(answer)
      const { id } = (await rowsBy(email)).find(({ tenantId }) => tenantId === acme.tenantId) as { id: string }
      const page = await admin.get(`/console/users/${id}`)
      const again = await admin.follow(await admin.post(`/console/users/${id}/link`))
      const saved = await admin.follow(await admin.post(`/console/users/${id}`, { role: 'admin' }))
      const removed = await admin.follow(await admin.post(`/console/users/${id}/remove`))
      return [answer.status, answer.headers.get('location'), text, page.text, again.text, saved.text, removed.text].map(
        (said) =>
          `${said}`
            .replaceAll(email, 'X')
            .replaceAll(id, 'ID')
            .replace(/[\w-]{43}/g, ''),
      )
    }
    expect(await pages(other.email)).toEqual(await pages(unknown))
    const [mail = ''] = mailsTo(other.email)
    expect(mail).toContain('You already sign in here with this address')
    expect(mail).not.toMatch(/console\/password|Other/)
    expect((await new ConsoleBrowser(app).signIn(other.email)).status).toBe(303)
  })

  test('by two tenants belongs to the one whose link is followed first', async () => {
    const email = `nia-${crypto.randomUUID()}@acme.test`
    const others = await signedIn(app, await app.createTenant('Other'))
    await invite({ email })
    const here = linkTo(email)
    expect((await others.post('/console/users', { email, role: 'agent' })).status).toBe(303)
    const there = linkTo(email)
    expect(there).not.toBe(here)
    const nia = new ConsoleBrowser(app)
    const choose = (path: string) => nia.request('POST', path, new URLSearchParams({ password: PASSWORD }))
    // As if both were followed at once.
    expect((await choose(here)).status).toBe(303)
    const late = await choose(there)
    expect([late.status, late.text.includes('You sign in here with this email for somebody else already.')]).toEqual([
      409,
      true,
    ])
    expect((await nia.signIn(email)).status).toBe(303)
    expect((await nia.get('/console/account')).text).toContain('Acme')
    // Whoever forgot the password of the one account gets a link to it.
    await nia.request('POST', '/console/password', new URLSearchParams({ email }))
    await until(() => mailsTo(email).length >= 3)
    expect(mailsTo(email).at(-1)).toContain('A new password for Acme')
  })

  test('is one of at most 30 an hour and tenant; sending one again counts, what was refused does not', async () => {
    const many = (count: number) =>
      Promise.all(Array.from({ length: count }, () => invite({ email: `nia-${crypto.randomUUID()}@acme.test` })))
    await many(28)
    app.clock.advance(10 * 60_000)
    expect((await invite({ email: 'nobody' })).status).toBe(400)
    const email = `nia-${crypto.randomUUID()}@acme.test`
    expect((await invite({ email })).status).toBe(303)
    const { id } = (await rowBy(email)) as { id: string }
    expect((await admin.post(`/console/users/${id}/link`)).status).toBe(303)

    const refused = await invite({ email: `x${email}` })
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '3000'])
    expect(refused.text).toContain('Please try again in 50 minutes.')
    expect([await rowBy(`x${email}`), mailsTo(`x${email}`)]).toEqual([undefined, []])
    expect((await admin.post(`/console/users/${id}/link`)).status).toBe(429)
    await admin.post(`/console/users/${id}/remove`)
    expect((await invite({ email })).status).toBe(429)

    const elsewhere = await signedIn(app, await app.createTenant('Other'))
    expect((await elsewhere.post('/console/users', { email: `y${email}`, role: 'agent' })).status).toBe(303)
    app.clock.advance(50 * 60_000 - 1)
    expect((await invite({ email })).status).toBe(429)
    app.clock.advance(1)
    expect((await invite({ email })).status).toBe(303)
  })

  test('with others at the same moment is counted', async () => {
    const answers = await Promise.all(
      Array.from({ length: 40 }, () => invite({ email: `nia-${crypto.randomUUID()}@acme.test` })),
    )
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(30)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(10)
  })
})

describe('a password that was forgotten', () => {
  test('is replaced by a link that is mailed; other sessions end', async () => {
    const bea = await signedIn(app, acme, 'agent')
    const { email } = bea.person
    const stranger = new ConsoleBrowser(app)
    const known = await stranger.request('POST', '/console/password', new URLSearchParams({ email }))
    const unknown = await stranger.request('POST', '/console/password', new URLSearchParams({ email: 'no@acme.test' }))
    expect(known.text.replaceAll(email, 'X')).toBe(unknown.text.replaceAll('no@acme.test', 'X'))
    await until(() => linkTo(email))
    expect((await stranger.signIn(email)).status).toBe(303)
    const fresh = new ConsoleBrowser(app)
    await fresh.request('POST', linkTo(email), new URLSearchParams({ password: 'another long password' }))
    expect((await bea.get('/console/account')).status).toBe(303)
    expect((await fresh.signIn(email)).status).toBe(400)
    expect((await fresh.signIn(email, 'another long password')).status).toBe(303)
    expect(mailsTo('no@acme.test')).toEqual([])
  })

  test('can be reset by an admin, with a link of an hour', async () => {
    const { email, userId } = await createPerson(acme, 'agent')
    expect((await admin.post(`/console/users/${userId}/link`)).status).toBe(303)
    const path = linkTo(email)
    app.clock.advance(HOUR - 1)
    expect((await new ConsoleBrowser(app).get(path)).status).toBe(200)
    app.clock.advance(1)
    expect((await new ConsoleBrowser(app).get(path)).status).toBe(404)
  })

  test('does not fill a mailbox: three links in a quarter of an hour', async () => {
    const { email } = await createPerson(acme, 'agent')
    const stranger = new ConsoleBrowser(app)
    for (let i = 0; i < 5; i++) await stranger.request('POST', '/console/password', new URLSearchParams({ email }))
    await until(() => mailsTo(email).length >= 3)
    expect(mailsTo(email).length).toBe(3)
  })
})

describe('an admin', () => {
  test('changes what somebody may do, from their next request on', async () => {
    const bea = await signedIn(app, acme, 'agent')
    expect((await bea.get('/console/keys')).status).toBe(403)
    await admin.post(`/console/users/${bea.person.userId}`, { role: 'admin' })
    expect((await bea.get('/console/keys')).status).toBe(200)
    await admin.post(`/console/users/${bea.person.userId}`, { role: 'agent', billable: 'on' })
    expect((await bea.get('/console/keys')).status).toBe(403)
    expect(await rowOf(bea.person.userId)).toMatchObject({ role: 'agent', billable: true })
  })

  test('removes somebody, who is out at once; forms pass to the admin', async () => {
    const bea = await signedIn(app, acme, 'admin')
    await acme.perform((tx) => tx.update(users).set({ billable: false }).where(eq(users.tenantId, acme.tenantId)))
    await admin.post(`/console/users/${bea.person.userId}`, { role: 'admin', billable: 'on' })
    const form = (await acme.post('/v1/forms', { title: 'Survey' })).body
    const answer = await admin.post(`/console/users/${bea.person.userId}/remove`)
    expect(answer.status).toBe(303)
    expect((await bea.get('/console/account')).status).toBe(303)
    expect((await bea.signIn(bea.person.email)).status).toBe(400)
    const [owned] = await app.database.db.select().from(forms).where(eq(forms.id, form.id))
    expect(owned?.ownerId).toBe(admin.person.userId)
    expect((await acme.post('/v1/forms', { title: 'Another' })).status).toBe(201)
    expect((await admin.get(`/console/users/${bea.person.userId}`)).status).toBe(404)
  })

  test('stays: the last one can neither be removed nor made an agent, and nobody removes themselves', async () => {
    // The tenant's first user has no password, and could not act.
    const self = `/console/users/${admin.person.userId}`
    const agented = await admin.post(self, { role: 'agent' })
    expect([agented.status, agented.text.includes('Somebody has to be an admin')]).toEqual([409, true])
    const removed = await admin.post(`${self}/remove`)
    expect([removed.status, removed.text.includes('You cannot remove yourself')]).toEqual([409, true])
    expect(await rowOf(admin.person.userId)).toMatchObject({ role: 'admin' })
    expect((await admin.get(self)).text).not.toContain(`${self}/remove`)
  })

  test('does not get at people of another tenant', async () => {
    const { userId } = await createPerson(await app.createTenant('Other'), 'agent')
    for (const [method, path] of [
      ['GET', ''],
      ['POST', ''],
      ['POST', '/link'],
      ['POST', '/remove'],
    ]) {
      const full = `/console/users/${userId}${path}`
      const answer = method === 'GET' ? await admin.get(full) : await admin.post(full, { role: 'admin' })
      expect([full, answer.status]).toEqual([full, 404])
    }
    expect(await rowOf(userId)).toMatchObject({ role: 'agent' })
  })
})
