import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { and, eq } from 'drizzle-orm'
import { listQuarantine } from '../../../src/channels/email/quarantine.ts'
import { MAX_MAIL } from '../../../src/channels/email/receiving/reading.ts'
import { inboxes, installation, messages } from '../../../src/db/schema.ts'
import { addSentReply } from '../../../src/tickets/replies/sent-replies.ts'
import { excerptOf, subjectOf } from '../../../src/tickets/thread/content.ts'
import { startApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { createMailbox, type Mailbox } from '../../support/mail/mails.ts'
import { createTicket } from '../../support/tickets/tickets.ts'
import { type CorpusMail, corpus, type Expected, SETUP } from './corpus/index.ts'

let app: TestApp
let acme: TestTenant
let inbox: Mailbox
let second: Mailbox
let ticketId: string

beforeAll(async () => {
  app = await startApp()
  await app.database.transaction((tx) => tx.insert(installation).values({ name: 'id', value: SETUP.installation }))
})
afterAll(() => app.close())

beforeEach(async () => {
  acme = await app.createTenant()
  // The addresses of the last mail's tenant.
  for (const emailAddress of [SETUP.inbox, SETUP.secondInbox]) {
    const used = eq(inboxes.emailAddress, emailAddress)
    await app.database.transaction((tx) =>
      tx
        .update(inboxes)
        .set({ emailAddress: `${acme.tenantId}.${emailAddress}` })
        .where(used),
    )
  }
  inbox = await createMailbox(app, acme, SETUP.inbox)
  second = await createMailbox(app, acme, SETUP.secondInbox)
  const question = { mailId: SETUP.question, email: SETUP.requester, cc: [SETUP.colleague] }
  ticketId = (await createTicket(acme, { ...question, inboxId: inbox.id })).id
  const answer = await acme.perform((tx, caller) => addSentReply(tx, caller, ticketId, { text: 'Tomorrow.' }))
  await app.database.transaction((tx) =>
    tx
      .update(messages)
      .set({ mailId: SETUP.answer })
      .where(and(eq(messages.tenantId, acme.tenantId), eq(messages.id, answer.id))),
  )
})

for (const mail of corpus) test(`${mail.name}: ${mail.outcome}`, () => check(mail))

async function check({ raw: make, expected, outcome, envelopeFrom }: CorpusMail): Promise<void> {
  const raw = make()
  const isForBoth = 'to' in expected && expected.to?.some((address) => address.includes(SETUP.secondInbox))
  const from = envelopeFrom ?? ('from' in expected ? addressOf(expected.from) : 'somebody@customer.example')
  for (const box of isForBoth ? [inbox, second] : [inbox]) {
    const before = await acme.events()
    const received = await box.receive(raw, { envelope: { from, recipients: [box.address] } })
    expect(received.outcome).toBe(outcome)
    const events = (await acme.events()).slice(before.length).map(({ event }) => event)
    if (outcome === 'created') {
      expect(received.ticketId).not.toBe(ticketId)
      expect(events.filter((event) => event.startsWith('ticket.'))).toEqual(['ticket.created'])
      await checkMessage(received, expected as Expected)
    } else if (outcome === 'threaded') {
      expect(received.ticketId).toBe(ticketId)
      expect(events.filter((event) => event.startsWith('ticket.'))).toEqual(['ticket.replied'])
      await checkMessage(received, expected as Expected)
    } else {
      expect(events).toEqual([])
      expect(received.ticketId).toBe(outcome === 'bounce' ? ticketId : null)
    }
    if (outcome === 'quarantined' && 'unreadable' in expected) {
      const reason = raw.length > MAX_MAIL ? /is larger than 25 MiB/ : expected.unreadable
      expect(await listQuarantine(app.database.db, acme.tenantId)).toMatchObject([
        { quarantineId: received.quarantineId, reason: expect.stringMatching(reason) },
      ])
    }
    // Once more, as a server does that heard no answer.
    const again = await box.receive(raw, { envelope: { from, recipients: [box.address] } })
    expect(again).toEqual({ ...received, outcome: outcome === 'quarantined' ? outcome : 'duplicate' })
  }
}

async function checkMessage(
  received: { ticketId: string | null; messageId: string | null },
  { from, subject, newText, text, attachments = [] }: Expected,
): Promise<void> {
  const { messages: thread, excerpt } = (await acme.get(`/v1/tickets/${received.ticketId}`)).body
  const message = thread.find(({ id }: { id: string }) => id === received.messageId)
  expect(message.from.toLowerCase()).toBe(addressOf(from).toLowerCase())
  expect(message.subject).toBe(subjectOf(subject))
  if (typeof newText === 'string' && newText !== '') expect(excerpt).toBe(excerptOf(newText))
  expect(message.text).toContain(text ?? '')
  expect(message.html).not.toMatch(/<script|<style|<iframe|javascript:|<[^>]+\son\w+=/i)
  expect(message.html).not.toContain('src="cid:')
  expect(message.attachments).toHaveLength(attachments.length)
  for (const [index, { content }] of attachments.entries()) {
    if (!content) continue
    const file = await fetch(`${app.url}/v1/attachments/${message.attachments[index].id}`, {
      headers: { authorization: `Bearer ${acme.key}` },
    })
    expect(Buffer.from(await file.arrayBuffer()).equals(content)).toBeTrue()
  }
}

/** Of `Ada Byron <ada@customer.example>`. */
function addressOf(person: string): string {
  return /<([^<>]*)>$/.exec(person)?.[1] ?? person
}
