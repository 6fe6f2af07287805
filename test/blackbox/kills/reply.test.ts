import { afterAll, beforeAll, beforeEach, expect } from 'bun:test'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { commandCallerAs } from '../../../src/caller.ts'
import { emailChannel } from '../../../src/channels/email/channel.ts'
import { messages } from '../../../src/db/schema.ts'
import type { Channels } from '../../../src/ports/channel.ts'
import { openThread, openTicket } from '../../../src/tickets/incoming/opening.ts'
import { queueConversation } from '../../../src/tickets/outgoing/conversations.ts'
import { queueForward } from '../../../src/tickets/outgoing/forwards.ts'
import { INTERRUPTED } from '../../../src/tickets/replies/interrupted-replies.ts'
import { queueReply } from '../../../src/tickets/replies/pending-replies.ts'
import { getMessage } from '../../../src/tickets/thread/messages.ts'
import { saveBeginning, saveDraft, saveForwardDraft } from '../../../src/tickets/writing/drafts.ts'
import { createUser } from '../../../src/users/accounts.ts'
import { openDataOf, testOfSqlite } from '../../support/data/postgres.ts'
import { type MailServer, startMailServer } from '../../support/mail/server.ts'
import { executable, type Running, serve } from '../../support/processes/program.ts'
import { type Desk, newDesk } from '../../support/tickets/desk.ts'

/** `bun run chaos` asks for more. */
const KILLS = Number(process.env.CHAOS_KILLS ?? 6)
/** Replies that are due at once: as many as are under way together, and some. */
const REPLIES = 20

/* On SQLite alone: among several nodes what one of them had taken is another's once its lease is over, after a minute. */

let desk: Desk
let mailServer: MailServer
/** Whose mail the server began to read: it may have it, whatever became of the sender. */
const begun = new Set<string>()
/** What the server does once a mail is announced, and once it has all of one. */
let beforeData: () => Promise<void>
let beforeTaken: () => Promise<void>
let count = 0

beforeAll(async () => {
  desk = await newDesk(await executable())
  mailServer = await startMailServer({
    onRcptTo: (_address, _session, done) => void beforeData().then(() => done()),
    onDataStart: ({ envelope }) => {
      for (const { address } of envelope.rcptTo) begun.add(address)
    },
    beforeTaken: () => beforeTaken(),
  })
})
beforeEach(() => {
  begun.clear()
  mailServer.mails.length = 0
})
afterAll(() => mailServer.close())

const start = () => serve(desk.program, { cwd: desk.cwd, environment: { FRONTDESK_SMTP_URL: mailServer.url } })
async function kill(service: Running): Promise<void> {
  service.kill('SIGKILL')
  await service.exited
}

/** Answers of an agent, new conversations and forwards that are due by now, each to a customer of its own. Returns the customers. */
async function queueReplies(): Promise<string[]> {
  const database = await openDataOf(join(desk.cwd, 'data'))
  const channels = { email: emailChannel(() => ({ send: async () => [] })) } as Channels
  const at = Date.now() - 60_000
  const customers = Array.from({ length: REPLIES }, () => `customer${++count}@customer.test`)
  await database.transaction(async (tx) => {
    const command = commandCallerAs(desk.tenantId, { userId: desk.tenantId, name: 'Robin' }, at)
    const email = `robin${count}@acme.test`
    const { userId } = await createUser(tx, command, { email, role: 'agent', billable: false, passwordHash: '-' })
    const caller = commandCallerAs(desk.tenantId, { userId, name: 'Robin' }, at)
    const recipients = (customer: string) => ({ to: [customer], cc: [] })
    for (const [index, customer] of customers.entries()) {
      const text = `Hello ${customer}`
      const asked = { inboxId: desk.inboxId, subject: 'Hello', text: 'Hello?' }
      if (index % 3 === 1) {
        await saveBeginning(tx, caller, { ...asked, text, recipients: recipients(customer) })
        await queueConversation(tx, caller, channels)
      } else if (index % 3 === 2) {
        const { messageId } = await openThread(tx, caller, { ...asked, email: `asker${count}@customer.test` })
        const message = await getMessage(tx, desk.tenantId, messageId)
        await saveForwardDraft(tx, caller, message, { text, recipients: recipients(customer), subject: 'Fwd: Hello' })
        await queueForward(tx, caller, channels, message)
      } else {
        const { id } = await openTicket(tx, caller, { ...asked, email: customer })
        await saveDraft(tx, caller, id, { text, recipients: null })
        await queueReply(tx, caller, channels, id)
      }
    }
  })
  await database.close()
  return customers
}

/** What became of the replies: by the customer, `public` (of forwards, too) or why not. */
async function outcomes(): Promise<Map<string, string>> {
  const database = await openDataOf(join(desk.cwd, 'data'))
  const sent = await database.db.select().from(messages).where(eq(messages.direction, 'outbound'))
  await database.close()
  const arrived = (state: string) => (state === 'forwarded' ? 'public' : state)
  return new Map(sent.map(({ to, state, error }) => [to[0] as string, error ?? arrived(state)]))
}
const mailsTo = (customer: string) => mailServer.mails.filter(({ envelope }) => envelope.to.includes(customer)).length

/** Lets the service go on until nothing is under way any more. */
async function settle(): Promise<Map<string, string>> {
  const service = await start()
  for (;;) {
    const found = await outcomes()
    if (![...found.values()].some((state) => state === 'pending' || state === 'sending')) {
      await service.stop()
      return found
    }
    await Bun.sleep(50)
  }
}

testOfSqlite('of replies that a kill cut off, those that the mail server had not been given yet are sent', async () => {
  const customers = await queueReplies()
  const [held, two] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let announced = 0
  let taken = 0
  beforeData = () => (++announced > 2 ? held.promise : Promise.resolve())
  beforeTaken = () => {
    if (++taken === 2) two.resolve()
    return held.promise
  }
  const service = await start()
  await two.promise
  while (announced < 16) await Bun.sleep(10)
  await kill(service)
  beforeData = beforeTaken = async () => {}
  held.resolve()
  const mayHaveLeft = new Set(begun)
  expect(mayHaveLeft.size).toBe(2)

  const found = await settle()
  for (const customer of customers) {
    const isLost = mayHaveLeft.has(customer)
    expect([customer, found.get(customer)]).toEqual([customer, isLost ? INTERRUPTED : 'public'])
    if (!isLost) expect([customer, mailsTo(customer)]).toEqual([customer, 1])
  }
})

testOfSqlite(
  'however often and whenever it is killed, none is sent twice, and none has failed that stayed',
  async () => {
    beforeData = () => Bun.sleep(Math.random() * 20)
    beforeTaken = () => Bun.sleep(Math.random() * 20)
    for (let kills = 0; kills < KILLS; kills += 1) {
      const customers = await queueReplies()
      const service = await start()
      const enough = Math.floor(Math.random() * REPLIES)
      while (begun.size <= enough && begun.size < REPLIES) await Bun.sleep(1)
      await kill(service)
      const mayHaveLeft = new Set(begun)
      const found = await settle()
      for (const customer of customers) {
        const state = found.get(customer)
        if (state === 'public') expect([customer, mailsTo(customer)]).toEqual([customer, 1])
        else expect([customer, state, mayHaveLeft.has(customer)]).toEqual([customer, INTERRUPTED, true])
        expect(mailsTo(customer)).toBeLessThanOrEqual(1)
      }
      begun.clear()
    }
  },
)
