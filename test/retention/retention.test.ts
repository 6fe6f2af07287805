import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { and, asc, eq, inArray, lte } from 'drizzle-orm'
import { linkAllEntries } from '../../src/audit/chain.ts'
import { chainFaults } from '../../src/audit/faults.ts'
import { chainKeyOf } from '../../src/audit/key.ts'
import { auditEntries, auditHeads, messages, pendingReplies, retentionRuns, tickets } from '../../src/db/schema.ts'
import type { RetentionRule } from '../../src/kinds/retention.ts'
import { formatTime } from '../../src/lib/time.ts'
import { countOld } from '../../src/retention/counting.ts'
import { setRetention } from '../../src/retention/operations.ts'
import { noteGone } from '../../src/retention/runs.ts'
import { mergeTickets } from '../../src/tickets/merging/operations.ts'
import { createTestContact, createTestGroup } from '../support/api/contacts.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'
import { begin, complete, createPublished } from '../support/forms/collecting.ts'
import { respondent } from '../support/forms/hosted.ts'
import { createMailbox } from '../support/mail/mails.ts'
import { signedIn } from '../support/pages/console.ts'
import { createTestAttachment, createTicket } from '../support/tickets/tickets.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

let app: TestApp
beforeAll(async () => {
  app = await startApp({ environment: { FRONTDESK_PUBLIC_RATE_LIMIT: '10000' } })
})
afterAll(() => app.close())

const keep = (tenant: TestTenant, rule: RetentionRule, days: number | null) =>
  tenant.perform((tx, caller) => setRetention(tx, caller, { rule, days }))
const goes = ({ tenantId }: TestTenant, rule: RetentionRule, days: number) =>
  countOld(app.database.db, tenantId, { rule, days }, app.clock.now())
const notedOf = async ({ tenantId }: TestTenant, action: 'retention.applied' | 'retention.set') =>
  app.database.db
    .select({ rule: auditEntries.recordId, via: auditEntries.via, fields: auditEntries.fields })
    .from(auditEntries)
    .where(and(eq(auditEntries.tenantId, tenantId), eq(auditEntries.action, action)))
    .orderBy(asc(auditEntries.number))
const isThere = async (tenant: TestTenant, path: string) => (await tenant.get(path)).status === 200

test('complete responses go after so many days with their files, unfinished and newer ones and those of others stay', async () => {
  const [acme, globex] = [await app.createTenant(), await app.createTenant('Globex')]
  const form = await createPublished(acme, [{ type: 'nps' }, { type: 'file_upload', fileUploadSlots: ['CV'] }])
  const theirs = await createPublished(globex, [{ type: 'nps' }])
  const visitor = respondent(app, form)
  const { uploadId } = (await visitor.upload('cv', 'cv.txt')).body
  const old = (await visitor.begin([3, [{ slot: 0, uploadId }]], true)).body
  const unfinished = (await begin(acme, form, [4])).response
  await complete(globex, theirs, [5])
  app.clock.advance(10 * DAY)
  const young = (await complete(acme, form, [9])).response
  await app.runDue()
  const left = async (tenant: TestTenant, id: string) =>
    (await tenant.get(`/v1/forms/${id}/responses?status=all`)).body.items.map((response: { id: string }) => response.id)

  expect([await goes(acme, 'responses', 10), await goes(acme, 'responses', 11)]).toEqual([1, 0])
  expect(await left(acme, form.id)).toHaveLength(3)
  await keep(acme, 'responses', 10)
  await app.runDue()
  expect(await left(acme, form.id)).toEqual([young.id, unfinished.id])
  expect(old.id).toBeString()
  expect(await acme.files.read({ kind: 'uploads', tenantId: acme.tenantId, id: uploadId })).toBeNull()
  expect(await left(globex, theirs.id)).toHaveLength(1)
  expect(await notedOf(acme, 'retention.set')).toEqual([{ rule: 'responses', via: 'command', fields: '10' }])
  expect(await notedOf(acme, 'retention.applied')).toEqual([{ rule: 'responses', via: 'job', fields: '1' }])

  // From then on every hour, and not before.
  app.clock.advance(10 * DAY - HOUR / 2)
  await app.runDue()
  expect(await left(acme, form.id)).toContain(young.id)
  app.clock.advance(HOUR)
  await app.runDue()
  expect(await left(acme, form.id)).toEqual([unfinished.id])
  expect(await notedOf(acme, 'retention.applied')).toHaveLength(2)
  expect((await acme.events()).map(({ event }) => event)).not.toContain('response.deleted')
})

test('closed tickets go with what is in them; one that is open again, younger, or has an answer to send stays', async () => {
  const acme = await app.createTenant()
  const close = (id: string) => acme.put(`/v1/tickets/${id}/status`, { status: 'closed' })
  const attachment = await createTestAttachment(acme)
  const old = await createTicket(acme, { attachmentIds: [attachment.id] } as never)
  const merged = await createTicket(acme, { inboxId: old.teamInboxId, subject: 'Merged' })
  await acme.perform((tx, caller) => mergeTickets(tx, caller, merged.id, old.id))
  const [reopened, open, later, answered] = [
    await createTicket(acme),
    await createTicket(acme),
    await createTicket(acme),
    await createTicket(acme),
  ]
  for (const { id } of [old, reopened, answered]) await close(id)
  await acme.perform(async (tx, { tenantId }) => {
    const own = and(eq(messages.tenantId, tenantId), eq(messages.ticketId, answered.id))
    const [message] = await tx.select().from(messages).where(own)
    await tx.insert(pendingReplies).values({
      ...{ tenantId, messageId: message?.id ?? '' },
      dueAt: formatTime(app.clock.now() + 365 * DAY),
    } as never)
  })
  app.clock.advance(5 * DAY)
  await close(later.id)
  await acme.put(`/v1/tickets/${reopened.id}/status`, { status: 'open' })
  app.clock.advance(25 * DAY)
  expect(await goes(acme, 'closed_tickets', 30)).toBe(1)
  await keep(acme, 'closed_tickets', 30)
  await app.runDue()
  const left = (await acme.get('/v1/tickets?limit=100')).body.items.map((ticket: { id: string }) => ticket.id)
  expect(left.toSorted()).toEqual([reopened.id, open.id, later.id, answered.id].toSorted())
  const rows = await app.database.db
    .select({ id: tickets.id })
    .from(tickets)
    .where(inArray(tickets.id, [old.id, merged.id]))
  expect(rows).toEqual([])
  expect(await notedOf(acme, 'retention.applied')).toEqual([{ rule: 'closed_tickets', via: 'job', fields: '1' }])
})

test('contacts go once nothing of them is left and nobody has changed them; whoever has anything stays', async () => {
  const acme = await app.createTenant()
  const contact = (email: string) => createTestContact(acme, { email })
  const [gone, changed, asking, answering] = [
    await contact('gone@acme.test'),
    await contact('changed@acme.test'),
    await contact('asking@acme.test'),
    await contact('answering@acme.test'),
  ]
  await createTicket(acme, { email: 'asking@acme.test' })
  const form = await createPublished(acme, [
    { type: 'contact_details', contactFields: [{ field: 'email', visible: true }] },
  ])
  await complete(acme, form, [{ email: 'answering@acme.test' }])
  app.clock.advance(20 * DAY)
  await acme.put(`/v1/contacts/${changed.id}`, { name: 'Changed' })
  app.clock.advance(10 * DAY)
  const there = async () =>
    Promise.all([gone, changed, asking, answering].map(({ id }) => isThere(acme, `/v1/contacts/${id}`)))
  expect(await goes(acme, 'contacts', 30)).toBe(1)
  await keep(acme, 'contacts', 30)
  await app.runDue()
  expect(await there()).toEqual([false, true, true, true])
})

test('a contact whose address somebody typed into a form and left there goes all the same; that goes in its own time', async () => {
  const acme = await app.createTenant()
  const { id } = await createTestContact(acme, { email: 'typed@acme.test' })
  const form = await createPublished(acme, [
    { type: 'contact_details', contactFields: [{ field: 'email', visible: true }] },
  ])
  app.clock.advance(30 * DAY)
  await begin(acme, form, [{ email: 'typed@acme.test' }])
  expect(await goes(acme, 'contacts', 30)).toBe(1)
  await keep(acme, 'contacts', 30)
  await app.runDue()
  const left = async () => (await acme.get(`/v1/forms/${form.id}/responses?status=partial`)).body.items.length
  expect([await isThere(acme, `/v1/contacts/${id}`), await left()]).toEqual([false, 1])
  await keep(acme, 'partial_responses', 1)
  app.clock.advance(DAY)
  await app.runDue()
  expect(await left()).toBe(0)
})

test('raw mails go when the tenant says so, and stay for good where it says that', async () => {
  const [soon, never] = [await app.createTenant(), await app.createTenant()]
  const kept = new Map<TestTenant, string>()
  for (const tenant of [soon, never]) {
    const mailbox = await createMailbox(app, tenant)
    await mailbox.deliver()
    const [message] = await app.database.db.select().from(messages).where(eq(messages.tenantId, tenant.tenantId))
    kept.set(tenant, message?.id ?? '')
  }
  await keep(soon, 'raw_mails', 2)
  await keep(never, 'raw_mails', null)
  /** Signed in anew, since sessions end long before. */
  const statusOf = async (tenant: TestTenant) =>
    (await (await signedIn(app, tenant, 'agent')).get(`/console/messages/${kept.get(tenant)}/raw`)).status
  const statuses = async () => [await statusOf(soon), await statusOf(never)]
  await app.runDue()
  expect(await statuses()).toEqual([200, 200])
  app.clock.advance(2 * DAY)
  await app.runDue()
  expect(await statuses()).toEqual([404, 200])
  app.clock.advance(60 * DAY)
  await app.runDue()
  expect(await statuses()).toEqual([404, 200])
})

describe('the audit log', () => {
  const key = () => chainKeyOf(app.deps.secrets)
  const faults = ({ tenantId }: TestTenant) =>
    chainFaults(app.database.db, tenantId, { key: key(), chains: 'sealed', drops: true })
  const entries = ({ tenantId }: TestTenant) =>
    app.database.db
      .select()
      .from(auditEntries)
      .where(eq(auditEntries.tenantId, tenantId))
      .orderBy(asc(auditEntries.number))
  const dropped = async ({ tenantId }: TestTenant) =>
    (await app.database.db.select().from(auditHeads).where(eq(auditHeads.tenantId, tenantId)))[0]?.dropped ?? 0

  /** A tenant of whose log the first part is gone, but for what a contact agreed to. */
  async function shortened() {
    const acme = await app.createTenant()
    const group = await createTestGroup(acme, 'News')
    const contact = await createTestContact(acme, { email: 'ada@acme.test', groupIds: [group.id] })
    const passing = await createTestContact(acme, { email: 'bob@acme.test', groupIds: [group.id] })
    for (let n = 0; n < 5; n++) await acme.post('/v1/contacts', { email: `c${n}@acme.test` })
    await linkAllEntries(app.database, key())
    app.clock.advance(40 * DAY)
    for (let n = 0; n < 3; n++) await acme.post('/v1/contacts', { email: `d${n}@acme.test` })
    await linkAllEntries(app.database, key())
    const before = (await entries(acme)).length
    const count = await goes(acme, 'audit', 30)
    await keep(acme, 'audit', 30)
    await app.runDue()
    await linkAllEntries(app.database, key())
    return { acme, contact, passing, before, count }
  }

  test('loses its first entries and is whole, but for what contacts agreed to', async () => {
    const { acme, contact, passing, before, count } = await shortened()
    const through = await dropped(acme)
    expect(through).toBe(count)
    const left = await entries(acme)
    const kept = left.filter(({ position }) => (position ?? 0) <= through)
    expect(kept.map(({ action, recordId }) => [action, recordId])).toEqual([
      ['contact.group_joined', contact.id],
      ['contact.group_joined', passing.id],
    ])
    expect(left.length).toBeLessThan(before)
    expect(await faults(acme)).toEqual([])
    // And goes on from there.
    await acme.post('/v1/contacts', { email: 'later@acme.test' })
    await linkAllEntries(app.database, key())
    expect(await faults(acme)).toEqual([])
    const admin = await signedIn(app, acme)
    const day = formatTime(app.clock.now()).slice(0, 10)
    const page = await admin.get(`/console/audit?from=${day}`)
    expect(page.text).toContain('Retention: set')
    expect(page.text).toContain('Audit log')
  })

  test('lets go of what somebody agreed to with them', async () => {
    const { acme, contact, passing } = await shortened()
    expect((await acme.delete(`/v1/contacts/${passing.id}`)).status).toBe(204)
    const through = await dropped(acme)
    const kept = (await entries(acme)).filter(({ position }) => position !== null && position <= through)
    expect(kept.map(({ recordId }) => recordId)).toEqual([contact.id])
  })

  test('shows what was changed of it, or taken out at its beginning', async () => {
    const { acme } = await shortened()
    const { tenantId } = acme
    const through = await dropped(acme)
    const [kept] = await entries(acme)
    const set = (position: number, values: object) =>
      acme.perform((tx) =>
        tx
          .update(auditEntries)
          .set(values)
          .where(and(eq(auditEntries.tenantId, tenantId), eq(auditEntries.position, position))),
      )
    await set(kept?.position ?? 0, { recordId: 'somebody-else' })
    expect(await faults(acme)).toEqual([expect.stringContaining(`entry ${kept?.position} (contact.group_joined`)])
    await set(kept?.position ?? 0, { recordId: kept?.recordId })
    expect(await faults(acme)).toEqual([])
    await acme.perform((tx) =>
      tx.delete(auditEntries).where(and(eq(auditEntries.tenantId, tenantId), lte(auditEntries.position, through + 1))),
    )
    expect(await faults(acme)).toEqual([`entry ${through + 1} is missing`])
    // Nor does it help to say that one more was no longer to be kept.
    const next = (await entries(acme))[0]
    await acme.perform((tx) =>
      tx
        .update(auditHeads)
        .set({ dropped: through + 1, droppedHash: 'x' })
        .where(eq(auditHeads.tenantId, tenantId)),
    )
    expect(next).toBeDefined()
    expect((await faults(acme)).length).toBeGreaterThan(0)
  })
})

test('what was interrupted goes on, and says how much went in all', async () => {
  const acme = await app.createTenant()
  const form = await createPublished(acme, [{ type: 'nps' }])
  for (let n = 0; n < 3; n++) await complete(acme, form, [n])
  app.clock.advance(3 * DAY)
  await keep(acme, 'responses', 1)
  // As if 20 had gone before the process died.
  await acme.perform((tx, { tenantId }) => noteGone(tx, { tenantId, rule: 'responses' }, 20))
  await app.runDue()
  expect(await notedOf(acme, 'retention.applied')).toEqual([{ rule: 'responses', via: 'job', fields: '23' }])
  expect(await app.database.db.select().from(retentionRuns)).toEqual([])
})
