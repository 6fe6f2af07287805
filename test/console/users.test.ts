import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { forms, users } from '../../src/db/schema.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'
import { ConsoleBrowser, createPerson, PASSWORD, signedIn } from '../support/console.ts'
import { countByClockOf } from '../support/nodes.ts'
import { until } from '../support/patience.ts'

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
const rowBy = async (email: string) => (await app.database.db.select().from(users).where(eq(users.email, email)))[0]

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

  test('gets a mail, chooses a password by its link, once, and signs in', async () => {
    const email = `nia-${crypto.randomUUID()}@acme.test`
    const answer = await invite({ email, billable: 'on' })
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/console/users'])
    expect((await admin.follow(answer)).text).toContain(`An invitation is on its way to ${email}.`)
    expect(await rowBy(email)).toMatchObject({ name: 'Nia', role: 'agent', billable: true, passwordHash: '-' })

    const path = linkTo(email)
    const nia = new ConsoleBrowser(app)
    expect((await nia.get(path)).text).toContain(`For ${email} at Acme.`)
    expect((await nia.request('POST', path, new URLSearchParams({ password: 'too short' }))).text).toContain(
      'Must be of 12 to 1000 characters.',
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

  test('cannot be somebody who signs in already, in whatever tenant, nor no address', async () => {
    const other = await createPerson(await app.createTenant('Other'))
    const taken = await invite({ email: other.email })
    expect(taken.status).toBe(409)
    expect(taken.text).toContain('Somebody already signs in with this email.')
    const wrong = await invite({ email: 'nobody' })
    expect(wrong.status).toBe(400)
    expect(wrong.text).toContain('<a href="#field-email">')
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
