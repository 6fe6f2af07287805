import { afterAll, beforeEach, expect, test } from 'bun:test'
import { setCalendar } from '../../src/calendars/operations.ts'
import { parseCalendar } from '../../src/calendars/parse.ts'
import { calendarOfInbox, type Owner } from '../../src/calendars/read.ts'
import { auditEntries } from '../../src/db/schema.ts'
import { changeAutomaticAnswers } from '../../src/tickets/automatic/settings.ts'
import { startApp, type TestTenant } from '../support/app.ts'
import { createTestSource } from '../support/chat/articles.ts'
import { updateSource } from '../support/chat/settings.ts'
import { refusalOf } from '../support/refusal.ts'
import { createEmailInbox } from '../support/tickets/tickets.ts'

const app = await startApp()
let acme: TestTenant
beforeEach(async () => {
  acme = await app.createTenant()
})
afterAll(() => app.close())

/** It is a Sunday, at nine. */
const closed = parseCalendar({ zone: 'UTC', hours: { mon: [['09:00', '17:00']] } })
const open = parseCalendar({ zone: 'UTC', hours: { sun: [['09:00', '17:00']] } })
const set = (owner: Owner, calendar: typeof open | null) =>
  acme.perform((tx, caller) => setCalendar(tx, caller, owner, calendar))

test('a chat follows its own calendar, its inbox’s, the tenant’s, and is there always without any', async () => {
  const { id: sourceId, inboxId } = await createTestSource(acme)
  await updateSource(acme, sourceId, { awayText: 'Back on Monday.' })
  const isAway = async () => (await app.request('GET', `/chat/${sourceId}`)).text.includes('Back on Monday.')
  expect(await isAway()).toBe(false)
  await set({}, closed)
  expect(await isAway()).toBe(true)
  await set({ inboxId }, open)
  expect(await isAway()).toBe(false)
  await updateSource(acme, sourceId, { hours: 'Mon 09:00-17:00 UTC' })
  expect(await isAway()).toBe(true)
  await updateSource(acme, sourceId, { hours: null })
  expect(await isAway()).toBe(false)
})

test('tickets of a chat are worked on in its hours, where its inbox has none of its own', async () => {
  const { id: sourceId, inboxId } = await createTestSource(acme)
  await updateSource(acme, sourceId, { hours: 'Mon 09:00-17:00 UTC' })
  const held = () => calendarOfInbox(app.database.db, acme.tenantId, inboxId)
  expect(await held()).toEqual(closed)
  await set({ inboxId }, open)
  expect(await held()).toEqual(open)
})

test('days off stay where hours are written as text', async () => {
  const { id: sourceId } = await createTestSource(acme)
  const daysOff = [{ date: '2026-03-01', name: 'Today' }]
  await set({ sourceId }, { ...open, daysOff })
  await updateSource(acme, sourceId, { hours: 'Sun 00:00-24:00 UTC', awayText: 'Away.' })
  expect((await app.request('GET', `/chat/${sourceId}`)).text).toContain('Away.')
})

test('an inbox answers out of the tenant’s hours where it has none of its own, and not without any', async () => {
  const { id } = await createEmailInbox(acme)
  const answers = { answersOutOfHours: true, outOfHours: 'Nobody is here.' }
  const change = () => acme.perform((tx, caller) => changeAutomaticAnswers(tx, caller, id, answers))
  expect(await refusalOf(change())).toContain('hours: must not be empty')
  await set({}, closed)
  expect(await change()).toMatchObject({ ...answers, hours: null })
})

test('whose calendar was changed stands in the audit log, once a change', async () => {
  const { id: inboxId } = await createEmailInbox(acme)
  await set({}, open)
  await set({}, open)
  await set({ inboxId }, closed)
  await set({ inboxId }, null)
  await set({ inboxId }, null)
  const entries = await app.database.db.select().from(auditEntries).orderBy(auditEntries.number)
  expect(
    entries
      .filter(({ tenantId, action }) => tenantId === acme.tenantId && action.endsWith('hours_changed'))
      .map(({ action, recordId }) => [action, recordId]),
  ).toEqual([
    ['tenant.hours_changed', acme.tenantId],
    ['inbox.hours_changed', inboxId],
    ['inbox.hours_changed', inboxId],
  ])
})

test('another tenant’s inbox or chat is none', async () => {
  const other = await app.createTenant()
  const inbox = await createEmailInbox(other)
  const source = await createTestSource(other)
  expect(await refusalOf(set({ inboxId: inbox.id }, open))).toContain('inbox not found')
  expect(await refusalOf(set({ sourceId: source.id }, open))).toContain('source not found')
})
