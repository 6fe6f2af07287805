import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { and, eq } from 'drizzle-orm'
import { alertMails, alerts, mentions, users } from '../../src/db/schema.ts'
import { removeUser } from '../../src/privacy/user-removal.ts'
import { createTeam } from '../../src/teams/operations.ts'
import { assignTicket } from '../../src/tickets/assignment.ts'
import { receiveMessage } from '../../src/tickets/incoming/receiving.ts'
import { setStatus } from '../../src/tickets/status.ts'
import { addNote } from '../../src/tickets/thread/notes.ts'
import { setAway } from '../../src/users/changes.ts'
import { updateUser } from '../../src/users/profile.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'
import { chooseMails } from '../support/mail/alerts.ts'
import { type MailServer, refusal, startMailServer } from '../support/mail/server.ts'
import { createPerson, type Person, signedIn } from '../support/pages/console.ts'
import { refusalOf } from '../support/refusal.ts'
import { createEmailInbox, createTicket } from '../support/tickets/tickets.ts'

const MINUTE = 60_000

let mailServer: MailServer
let app: TestApp
let acme: TestTenant
let robin: Person
let isBusy: boolean

beforeAll(async () => {
  mailServer = await startMailServer({
    onMailFrom: (_address, _session, done) => done(isBusy ? refusal(451, 'later') : null),
  })
})
beforeEach(async () => {
  isBusy = false
  mailServer.mails.length = 0
  app = await startApp({
    environment: { FRONTDESK_SMTP_URL: mailServer.url, FRONTDESK_BASE_URL: 'https://desk.acme.test' },
  })
  acme = await app.createTenant('Acme & Sons')
  robin = await createPerson(acme, 'agent', 'robin@acme.test')
  await acme.perform((tx, caller) => updateUser(tx, caller, robin.userId, { name: 'Robin Achebe' }))
})
afterEach(() => app.close())
afterAll(() => mailServer.close())

const assign = (id: string, userId: string | null = robin.userId) =>
  acme.perform((tx, caller) => assignTicket(tx, caller, id, { userId }))
const note = (id: string, text: string) => acme.perform((tx, caller) => addNote(tx, caller, id, { text }))
const write = (id: string, text = 'Is it there yet?') =>
  acme.perform((tx, caller) => receiveMessage(tx, caller, id, { text }))
const rows = () => app.database.db.select().from(alerts)
/** What was mailed by then. */
async function after(minutes = 0) {
  app.clock.advance(minutes * MINUTE)
  await app.runDue()
  return mailServer.mails.splice(0)
}

describe('unless somebody looks within five minutes', () => {
  test('who is given a ticket is mailed what it is about, once, in words of their own language', async () => {
    const { id, ticketReference } = await createTicket(acme, { subject: 'Wrong language <b>' })
    await app.database.transaction((tx) => tx.update(users).set({ language: 'de' }).where(eq(users.id, robin.userId)))
    await assign(id)
    expect(await after()).toEqual([])
    const [mail, ...more] = await after(5)
    expect(more).toEqual([])
    expect(mail).toMatchObject({
      envelope: { to: ['robin@acme.test'] },
      from: { name: 'Acme & Sons', address: 'no-reply@desk.acme.test' },
      to: [{ name: 'Robin Achebe', address: 'robin@acme.test' }],
      subject: `[${ticketReference}] Ihnen wurde ein Ticket zugewiesen: Wrong language <b>`,
    })
    expect(mail?.text).toContain(`https://desk.acme.test/console/tickets/${id}`)
    expect(mail?.html).toContain('Wrong language &lt;b&gt;')
    const headers = new Map(mail?.headers.map(({ key, value }) => [key, value]))
    expect(headers.get('auto-submitted')).toBe('auto-generated')
    expect(headers.get('message-id')).toMatch(/^<alert\.[0-9a-f-]{36}\.[a-z2-7]{16}@desk\.acme\.test>$/)
    expect(await after(60)).toEqual([])
    expect(await app.database.db.select().from(alertMails)).toEqual([])
  })

  test('who looks at the ticket gets no mail, and one again for what comes later', async () => {
    const { id } = await createTicket(acme)
    const browser = await signedIn(app, acme, 'agent')
    const look = (path: string) => browser.csrf().then((token) => browser.request('POST', path, '{}', json(token)))
    await note(id, 'Hm.')
    // They have read it before they are told anything.
    expect((await look(`/console/tickets/${id}/read`)).status).toBe(200)
    await acme.perform((tx, caller) => assignTicket(tx, caller, id, { userId: browser.person.userId }))
    app.clock.advance(4 * MINUTE)
    expect((await look(`/console/tickets/${id}/read`)).status).toBe(200)
    expect(await after(10)).toEqual([])
    await assign(id, null)
    await acme.perform((tx, caller) => assignTicket(tx, caller, id, { userId: browser.person.userId }))
    expect(await after(5)).toHaveLength(1)
  })

  test('a ticket that is not theirs any more is no news, nor one that became spam', async () => {
    const [first, second] = [await createTicket(acme), await createTicket(acme)]
    await assign(first.id)
    await assign(second.id)
    await assign(first.id, null)
    await acme.perform((tx, caller) => setStatus(tx, caller, second.id, { status: 'spam' }))
    expect(await after(6)).toEqual([])
    expect(await app.database.db.select().from(alertMails)).toEqual([])
  })

  test('all that happens to a ticket within them is one mail', async () => {
    const { id } = await createTicket(acme, { subject: 'Broken' })
    await assign(id)
    app.clock.advance(MINUTE)
    await note(id, 'Over to @robin achebe, who knows it.')
    app.clock.advance(MINUTE)
    await note(id, '@Robin Achebe ... and quickly.')
    const [mail, ...more] = await after(3)
    expect(more).toEqual([])
    expect(mail?.text).toContain('Over to @robin achebe, who knows it.')
    expect(mail?.text).toContain('and quickly.')
    expect(await after(60)).toEqual([])
  })
})

function json(token: string) {
  return { 'content-type': 'application/json', 'x-csrf-token': token }
}

describe('a mention', () => {
  test('is kept with its note, by whatever way it was added, and told to those it names', async () => {
    const { id } = await createTicket(acme)
    const { body } = await acme.post(`/v1/tickets/${id}/notes`, { text: 'Ask @Robin Achebe.' })
    expect(await app.database.db.select().from(mentions)).toEqual([
      { tenantId: acme.tenantId, messageId: body.id, userId: robin.userId },
    ])
    const [mail] = await after(5)
    expect(mail?.subject).toContain('mentioned')
    expect(mail?.text).toContain('Ask @Robin Achebe.')
  })

  test('names nobody of another tenant, nobody in a reply of a customer, nor who was invited and has not come', async () => {
    const globex = await app.createTenant('Globex')
    const { id } = await createTicket(globex)
    await globex.post(`/v1/tickets/${id}/notes`, { text: '@Robin Achebe @Robin' })
    const own = await createTicket(acme)
    await write(own.id, '@Robin Achebe')
    await app.database.transaction((tx) =>
      tx.update(users).set({ passwordHash: '-' }).where(eq(users.id, robin.userId)),
    )
    await note(own.id, '@Robin Achebe')
    expect(await rows()).toEqual([])
    expect(await app.database.db.select().from(mentions)).toEqual([])
  })

  test('of oneself, and a ticket that one takes, is no news', async () => {
    const browser = await signedIn(app, acme, 'agent')
    const { userId } = browser.person
    await acme.perform((tx, caller) => updateUser(tx, caller, userId, { name: 'Kim Lee' }))
    const { id } = await createTicket(acme)
    const noted = await browser.post(`/console/tickets/${id}/notes`, { note: 'I, @Kim Lee, take it.' })
    const taken = await browser.post(`/console/tickets/${id}/assignee`, { assigneeId: userId })
    expect([noted.status, taken.status]).toEqual([303, 303])
    expect((await acme.get(`/v1/tickets/${id}`)).body.assignee.id).toBe(userId)
    expect(await rows()).toEqual([])
  })
})

describe('at once', () => {
  beforeEach(() => chooseMails(acme, robin, { assigned: 'at_once', answered: 'at_once', new_in_team: 'at_once' }))

  test('is told what a customer writes on one’s ticket; the next of that ticket five minutes later', async () => {
    const { id } = await createTicket(acme)
    await assign(id)
    expect(await after()).toHaveLength(1)
    app.clock.advance(10 * MINUTE)
    await write(id, 'Where is it?')
    const [mail] = await after()
    expect(mail?.text).toContain('Where is it?')
    await write(id, 'Hello?')
    await write(id, 'Anybody?')
    expect(await after(4)).toEqual([])
    const [later, ...more] = await after(1)
    expect(more).toEqual([])
    expect(later?.text).toContain('Hello?')
    expect(later?.text).toContain('Anybody?')
    expect(await after(60)).toEqual([])
  })

  test('many tickets that are given to somebody at once are one mail that lists them', async () => {
    const ids: string[] = []
    const { id: inboxId } = await createEmailInbox(acme)
    for (let i = 0; i < 60; i++) ids.push((await createTicket(acme, { inboxId })).id)
    await acme.perform(async (tx, caller) => {
      for (const id of ids) await assignTicket(tx, caller, id, { userId: robin.userId })
    })
    const [mail, ...more] = await after()
    expect(more).toEqual([])
    expect(mail?.subject).toBe('60 tickets need your attention')
    expect(mail?.text).toContain('and 10 more')
    expect(mail?.replyTo).toBeUndefined()
    expect(await after(60)).toEqual([])
  })

  test('given one after the other, they are a few mails, and the rest is one', async () => {
    const sent: number[] = []
    for (let i = 0; i < 12; i++) {
      await assign((await createTicket(acme)).id)
      sent.push((await after()).length)
    }
    expect(sent.reduce((sum, one) => sum + one)).toBe(5)
    const [mail, ...more] = await after(5)
    expect(more).toEqual([])
    expect(mail?.subject).toBe('7 tickets need your attention')
  })

  test('a team’s new ticket goes to its members, unless the team chose who gets it', async () => {
    const kim = await createPerson(acme, 'agent', 'kim@acme.test')
    await chooseMails(acme, kim, { assigned: 'at_once', new_in_team: 'at_once' })
    const memberIds = [robin.userId, kim.userId]
    const hand = async (distribution: 'none' | 'round_robin') => {
      const { id } = await createTicket(acme)
      const team = await acme.perform((tx, caller) =>
        createTeam(tx, caller, { name: distribution, memberIds, distribution }),
      )
      await acme.perform((tx, caller) => assignTicket(tx, caller, id, { teamId: team.id }))
      return (await after()).map(({ envelope }) => envelope.to[0]).sort()
    }
    expect(await hand('none')).toEqual(['kim@acme.test', 'robin@acme.test'])
    expect(await hand('round_robin')).toHaveLength(1)
  })

  test('who is removed or has chosen nothing gets nothing; who is away does', async () => {
    const kim = await createPerson(acme, 'agent', 'kim@acme.test')
    await chooseMails(acme, kim, {})
    const { id } = await createTicket(acme)
    await assign(id, kim.userId)
    expect(await rows()).toEqual([])
    await acme.perform((tx, caller) => setAway(tx, caller, robin.userId, true))
    await assign(id)
    expect(await after()).toHaveLength(1)
    await createPerson(acme, 'admin')
    await assign((await createTicket(acme)).id)
    await acme.perform((tx, caller) => removeUser(tx, caller, robin.userId))
    expect(await after(60)).toEqual([])
    expect(await rows()).toEqual([])
  })

  test('what the mail server refuses for now is tried again, and is the same mail', async () => {
    isBusy = true
    await assign((await createTicket(acme)).id)
    expect(await after()).toEqual([])
    isBusy = false
    expect(await after()).toEqual([])
    expect(await after(1)).toHaveLength(1)
    expect(await after(60)).toEqual([])
  })
})

test('an alert is written with what caused it, or not at all', async () => {
  const { id } = await createTicket(acme)
  const failed = acme.perform(async (tx, caller) => {
    await assignTicket(tx, caller, id, { userId: robin.userId })
    throw new Error('power cut')
  })
  expect(await refusalOf(failed)).toContain('power cut')
  expect(await rows()).toEqual([])
  expect(await app.database.db.select().from(alertMails)).toEqual([])
})

test('alerts are forgotten after 30 days', async () => {
  await assign((await createTicket(acme)).id)
  await after(5)
  expect(await rows()).toHaveLength(1)
  await after(30 * 24 * 60 - 6)
  expect(await rows()).toHaveLength(1)
  await after(2)
  expect(
    await app.database.db
      .select()
      .from(alerts)
      .where(and(eq(alerts.tenantId, acme.tenantId))),
  ).toEqual([])
})
