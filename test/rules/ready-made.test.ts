import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { setCalendar } from '../../src/calendars/operations.ts'
import { parseCalendar } from '../../src/calendars/parse.ts'
import { type ReadyMadeName, readyMadeNames } from '../../src/rules/ready-made.ts'
import { createTeam } from '../../src/teams/operations.ts'
import { setStatus } from '../../src/tickets/status.ts'
import { createTestContact, createTestGroup, createTestOrganisation } from '../support/api/contacts.ts'
import { startApp, type TestTenant } from '../support/app.ts'
import { complete, createPublished, type TestForm } from '../support/forms/collecting.ts'
import { questionBody } from '../support/forms/questions.ts'
import { createMailbox, type Mailbox } from '../support/mail/mails.ts'
import { startMailServer } from '../support/mail/server.ts'
import { signedIn } from '../support/pages/console.ts'
import { fieldsIn } from '../support/pages/page-fields.ts'

/* Each rule to begin with is opened in the form, completed by what belongs into it, sent, switched on, and set off from outside. */

const RULES = '/console/settings/rules'
const DAY = 24 * 60 * 60 * 1000

const mailServer = await startMailServer()
const app = await startApp({ environment: { FRONTDESK_SMTP_URL: mailServer.url } })
afterAll(async () => {
  await app.close()
  await mailServer.close()
})

describe('a rule to begin with', () => {
  let acme: TestTenant
  let mailbox: Mailbox
  let form: TestForm
  let team: { id: string }
  let group: { id: number; name: string }
  let organisation: { id: string }

  beforeAll(async () => {
    acme = await app.createTenant()
    mailbox = await createMailbox(app, acme)
    team = await acme.perform((tx, caller) => createTeam(tx, caller, { name: 'Team', memberIds: [] }))
    group = await createTestGroup(acme)
    organisation = await createTestOrganisation(acme)
    form = await createPublished(acme, [
      { type: 'nps', text: 'How likely?', friendlyId: 'NPS' },
      questionBody('contact_details'),
    ])
  })

  const newest = async () => (await acme.get('/v1/tickets')).body.items[0]
  const deliver = async (mail: object = {}) => {
    await mailbox.deliver({ from: `c-${crypto.randomUUID()}@customer.test`, ...mail })
    await app.runDue()
    return newest()
  }

  /** What belongs into each, by the controls that it leaves open. */
  const chosen = (): Record<ReadyMadeName, Record<string, string>> => ({
    by_inbox: { 'all.0.value': mailbox.id, 'then.0.team': team.id },
    vip: { 'all.0.value': organisation.id },
    spam_words: {},
    detractor: { 'all.0.value': form.id, 'then.0.inbox': mailbox.id },
    waiting: {},
    out_of_hours: {},
    language: { 'then.1.team': team.id },
    refunds: { 'then.1.team': team.id },
    automatic_mail: {},
    urgent_words: {},
    ask_when_closed: { 'then.0.form': form.id },
    new_customers: { 'then.0.group': String(group.id) },
  })

  /** What sets each off, and what has come of it. */
  const effects: Record<ReadyMadeName, () => Promise<void>> = {
    by_inbox: async () => expect((await deliver()).team?.name).toBe('Team'),
    vip: async () => {
      await createTestContact(acme, { email: 'vip@customer.test', organisationId: organisation.id })
      expect(await deliver({ from: 'vip@customer.test' })).toMatchObject({ priority: 'urgent', tags: ['VIP'] })
    },
    spam_words: async () => expect((await deliver({ subject: 'Best CASINO in town' })).status).toBe('spam'),
    detractor: async () => {
      await complete(acme, form, [2, { email: 'bea@customer.test', first_name: 'Bea' }])
      await app.runDue()
      expect(await newest()).toMatchObject({ subject: 'Bea: 2 / 10', priority: 'high', tags: ['nps'] })
    },
    waiting: async () => {
      const ticket = await deliver()
      app.clock.advance(DAY)
      await app.runDue()
      expect((await acme.get(`/v1/tickets/${ticket.id}`)).body.priority).toBe('high')
    },
    out_of_hours: async () => {
      const calendar = parseCalendar({ zone: 'Europe/Berlin', hours: { mon: [['09:00', '09:01']] } })
      await acme.perform((tx, caller) => setCalendar(tx, caller, {}, calendar))
      mailServer.mails.length = 0
      await deliver({ from: 'Ada <ada@customer.test>' })
      expect(mailServer.mails.map(({ envelope, text }) => [envelope.to, text?.includes('Hello Ada,')])).toEqual([
        [['ada@customer.test'], true],
      ])
      await acme.perform((tx, caller) => setCalendar(tx, caller, {}, null))
    },
    language: async () => {
      const ticket = await deliver({ text: 'Guten Tag, wo ist mein Paket?' })
      expect([ticket.tags, ticket.team?.name]).toEqual([['Deutsch'], 'Team'])
    },
    refunds: async () => {
      const ticket = await deliver({ text: 'I want my money back.' })
      expect([ticket.tags, ticket.team?.name]).toEqual([['refund'], 'Team'])
    },
    automatic_mail: async () => {
      const ticket = await deliver({ headers: { 'Auto-Submitted': 'auto-generated' } })
      expect([ticket.priority, ticket.tags]).toEqual(['low', ['automatic']])
    },
    urgent_words: async () => expect((await deliver({ subject: 'URGENT: it is down' })).priority).toBe('urgent'),
    ask_when_closed: async () => {
      const ticket = await deliver()
      mailServer.mails.length = 0
      await acme.perform((tx, caller) => setStatus(tx, caller, ticket.id, { status: 'closed' }))
      await app.runDue()
      expect(mailServer.mails.map(({ text }) => text?.includes(`/f/${form.launchCode}`))).toEqual([true])
    },
    new_customers: async () => {
      const { id } = await createTestContact(acme)
      await app.runDue()
      expect((await acme.get(`/v1/contacts/${id}`)).body.groups).toMatchObject([{ id: group.id }])
    },
  }

  test.each([...readyMadeNames])('does what it says: %s', async (name) => {
    // A day goes by in one of them, and sessions end.
    const browser = await signedIn(app, acme)
    const page = (await browser.get(`${RULES}/new?from=${name}`)).text
    const answer = await browser.post(`${RULES}/new`, { ...(await fieldsIn(page)), step: 'keep', ...chosen()[name] })
    const path = answer.headers.get('location')?.split('?')[0] ?? ''
    expect([answer.status, path]).toEqual([303, expect.stringContaining(`${RULES}/`)])
    await browser.post(`${path}/on`)
    await effects[name]()
    await browser.post(`${path}/delete`)
  })
})
