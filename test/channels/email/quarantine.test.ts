import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { deleteQuarantined, listQuarantine, retryQuarantined } from '../../../src/channels/email/quarantine.ts'
import { MAX_MAIL } from '../../../src/channels/email/receiving/reading.ts'
import { auditEntries, receivedMails } from '../../../src/db/schema.ts'
import { startApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { createMailbox, type Mailbox, rawMail } from '../../support/mail/mails.ts'
import { refusal } from '../../support/refusal.ts'

let app: TestApp
let acme: TestTenant
let inbox: Mailbox

beforeAll(async () => {
  app = await startApp()
})
beforeEach(async () => {
  acme = await app.createTenant()
  inbox = await createMailbox(app, acme)
})
afterAll(() => app.close())

const list = () => listQuarantine(app.database.db, acme.tenantId)
const retry = (id: string | null) => retryQuarantined(app.deps, acme.caller(), id ?? '')
const tickets = async () => (await acme.get('/v1/tickets')).body.items
const actions = async () => {
  const entries = await app.database.db
    .select()
    .from(auditEntries)
    .where(eq(auditEntries.tenantId, acme.tenantId))
    .orderBy(auditEntries.number)
  return entries.map(({ action, recordId }) => [action, recordId]).filter(([action]) => action?.startsWith('mail.'))
}
const notFound: [string, string] = ['not_found', 'mail not found']

describe('a mail that cannot be understood', () => {
  test.each([
    ['has no From', { headers: { From: null } }],
    ['has a From that is no address', { from: 'nobody' }],
    ['has a From without a domain', { from: 'x@local' }],
  ])('because it %s is in quarantine, with its reason, and nobody is told', async (_, mail) => {
    const before = await acme.events()
    const received = await inbox.deliver({ subject: 'Hello', ...mail })
    const { quarantineId } = received
    expect(received).toEqual({ outcome: 'quarantined', ticketId: null, messageId: null, quarantineId })
    const [found] = await list()
    expect(found).toMatchObject({
      quarantineId,
      inboxId: inbox.id,
      subject: 'Hello',
      reason: expect.stringMatching(/./),
    })
    expect(found?.size).toBeGreaterThan(100)
    expect(await tickets()).toEqual([])
    expect(await acme.events()).toEqual(before)
  })

  test('because it is too large lies there with all its bytes, and says from whom it is', async () => {
    const raw = rawMail({ to: inbox.address, subject: 'My pictures', text: 'x'.repeat(MAX_MAIL) })
    expect((await inbox.receive(raw)).outcome).toBe('quarantined')
    const known = { from: 'ada@customer.test', subject: 'My pictures' }
    expect(await list()).toMatchObject([{ ...known, size: raw.length, reason: 'is larger than 25 MiB' }])
  })

  test('is there once, however often it comes', async () => {
    const raw = rawMail({ to: inbox.address, headers: { From: null } })
    const first = await inbox.receive(raw)
    expect(await inbox.receive(raw)).toEqual(first)
    expect(await list()).toHaveLength(1)
  })

  test('is another tenant’s to nobody', async () => {
    const { quarantineId } = await inbox.deliver({ headers: { From: null } })
    const other = await app.createTenant()
    expect(await listQuarantine(app.database.db, other.tenantId)).toEqual([])
    expect(await refusal(retryQuarantined(app.deps, other.caller(), quarantineId as string))).toEqual(notFound)
    expect(await refusal(deleteQuarantined(app.deps, other.caller(), quarantineId as string))).toEqual(notFound)
    expect(await list()).toHaveLength(1)
  })

  test('is gone after 30 days', async () => {
    await inbox.deliver({ headers: { From: null } })
    app.clock.advance(31 * 24 * 60 * 60 * 1000)
    await app.runDue()
    expect(await list()).toEqual([])
  })
})

describe('another try', () => {
  /** Puts into quarantine what an earlier version could not understand, and this one can. */
  async function setAside(raw: Uint8Array, mailId: string) {
    const { quarantineId } = await inbox.deliver({ headers: { From: null }, id: mailId })
    const content = Buffer.from(raw).toString('latin1')
    await app.database.transaction(async (tx) => {
      await tx
        .update(receivedMails)
        .set({ content, size: raw.length })
        .where(eq(receivedMails.id, quarantineId as string))
    })
    return quarantineId as string
  }

  test('of a mail that is understood now makes it a ticket, and takes it out', async () => {
    const id = await setAside(rawMail({ to: inbox.address, id: '<a@x.test>' }), '<a@x.test>')
    const received = await retry(id)
    expect(received).toMatchObject({ outcome: 'created', quarantineId: null })
    expect(await tickets()).toMatchObject([{ id: received.ticketId }])
    expect(await list()).toEqual([])
    expect(await refusal(retry(id))).toEqual(notFound)
    expect(await actions()).toEqual([['mail.retried', id]])
  })

  test('of a mail that is not leaves it there, under its id', async () => {
    const { quarantineId } = await inbox.deliver({ headers: { From: null } })
    const [before] = await list()
    app.clock.advance(1000)
    expect(await retry(quarantineId)).toMatchObject({ outcome: 'quarantined', quarantineId })
    expect(await list()).toEqual([before as NonNullable<typeof before>])
    expect(await actions()).toEqual([['mail.retried', quarantineId as string]])
  })

  test('comes with the next copy of the mail, too', async () => {
    await setAside(rawMail({ headers: { From: null } }), '<b@x.test>')
    expect(await inbox.deliver({ id: '<b@x.test>' })).toMatchObject({ outcome: 'created' })
    expect(await list()).toEqual([])
  })

  test('twice at once makes one ticket', async () => {
    const id = await setAside(rawMail({ to: inbox.address, id: '<c@x.test>' }), '<c@x.test>')
    const outcomes = await Promise.allSettled([retry(id), retry(id)])
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(await tickets()).toHaveLength(1)
  })
})

test('a mail that is deleted is gone, with its file, and an entry says who did it', async () => {
  const raw = rawMail({ to: inbox.address, headers: { From: null }, text: 'x'.repeat(100_000) })
  const { quarantineId } = await inbox.receive(raw)
  const name = { kind: 'received_mails', tenantId: acme.tenantId, id: quarantineId as string } as const
  expect(await app.deps.files.read(name)).not.toBe(null)
  await deleteQuarantined(app.deps, acme.caller(), quarantineId as string)
  expect(await list()).toEqual([])
  expect(await app.deps.files.read(name)).toBe(null)
  expect(await actions()).toEqual([['mail.deleted', quarantineId as string]])
  expect(await refusal(deleteQuarantined(app.deps, acme.caller(), quarantineId as string))).toEqual(notFound)
})

test('no other mail can be tried again or deleted', async () => {
  await inbox.deliver()
  const [row] = await app.database.db.select().from(receivedMails).where(eq(receivedMails.inboxId, inbox.id))
  expect(await refusal(retry(row?.id as string))).toEqual(notFound)
  expect(await refusal(deleteQuarantined(app.deps, acme.caller(), row?.id as string))).toEqual(notFound)
  expect(await refusal(retry('x'))).toEqual(notFound)
})
