import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { and, eq } from 'drizzle-orm'
import { callerFor } from '../../src/caller.ts'
import { auditEntries, idempotencyKeys, messages, pendingReplies } from '../../src/db/schema.ts'
import { receiveMessage } from '../../src/tickets/incoming/receiving.ts'
import { reply, resendReply } from '../../src/tickets/replies/operations.ts'
import { ReplySending } from '../../src/tickets/replies/reply-sending.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'
import { type MailServer, refusal, startMailServer, startRawServer, talkUntil } from '../support/mail/server.ts'
import { PATIENCE } from '../support/patience.ts'
import { NOBODYS_PORT } from '../support/processes/ports.ts'
import { createTicket } from '../support/tickets/tickets.ts'

const MINUTE = 60_000

let mailServer: MailServer
let app: TestApp
let acme: TestTenant
let ticketId: string
/** What the server says to recipients, and to a mail that it has all of; null: yes. */
let toRecipient: (address: string) => Error | null
let toContent: () => Error | null
/** How many mails were announced. */
let attempts: number

beforeAll(async () => {
  mailServer = await startMailServer({
    onMailFrom: (_address, _session, done) => {
      attempts += 1
      done()
    },
    onRcptTo: ({ address }, _session, done) => done(toRecipient(address)),
    beforeTaken: async () => {
      const said = toContent()
      if (said) throw said
    },
  })
  app = await startApp({ environment: { FRONTDESK_SMTP_URL: mailServer.url } })
})
beforeEach(async () => {
  toRecipient = toContent = () => null
  attempts = 0
  mailServer.mails.length = 0
  acme = await app.createTenant()
  ticketId = (await createTicket(acme)).id
  app.clock.advance(1000)
})
afterAll(async () => {
  await app.close()
  await mailServer.close()
})

const busy = () => refusal(451, '4.7.1 try later')
const WHY = 'the mail server refused it for now: 451 4.7.1 try later'
const post = (headers = {}) => acme.post(`/v1/tickets/${ticketId}/replies`, { html: '<p>Here.</p>' }, headers)
const stored = async (service: TestApp = app, tenant: TestTenant = acme) => {
  const ofTenant = and(eq(messages.tenantId, tenant.tenantId), eq(messages.direction, 'outbound'))
  return service.database.db.select().from(messages).where(ofTenant).orderBy(messages.id)
}
const states = async () => (await stored()).map(({ state }) => state)
const waiting = () => app.database.db.select().from(pendingReplies).where(eq(pendingReplies.tenantId, acme.tenantId))
const thread = async () => (await acme.get(`/v1/tickets/${ticketId}`)).body
async function wait(ms: number): Promise<void> {
  app.clock.advance(ms)
  await app.runDue()
}

describe('a reply that the mail server refuses for now', () => {
  test('is answered with a 201, and joins the thread under that id, with its event, once it is taken', async () => {
    const before = await acme.events()
    toRecipient = busy
    const at = app.clock.now()
    const answer = await post()
    expect(answer.status).toBe(201)
    expect(await thread()).toMatchObject({ messageCount: 1, excerpt: expect.not.stringContaining('Here.') })
    expect(await acme.events()).toEqual(before)
    expect(await stored()).toMatchObject([{ id: answer.body.id, state: 'pending', error: WHY }])
    toRecipient = () => null
    await wait(MINUTE - 1)
    expect([attempts, mailServer.mails.length]).toEqual([1, 0])
    await wait(1)
    expect(mailServer.mails.map(({ text }) => text?.trim())).toEqual(['Here.'])
    const { messageCount, excerpt, messages: shown } = await thread()
    expect([messageCount, excerpt]).toEqual([2, 'Here.'])
    expect(shown.at(-1)).toEqual(answer.body)
    expect(answer.body.createdAt).toBe(new Date(at).toISOString())
    expect((await acme.events()).slice(before.length).map(({ event }) => event)).toEqual(['ticket.replied'])
    expect([await waiting(), (await stored())[0]?.error]).toEqual([[], null])
    const [entry] = (await app.database.db.select().from(auditEntries).orderBy(auditEntries.number)).filter(
      ({ tenantId, action }) => tenantId === acme.tenantId && action === 'ticket.replied',
    )
    expect(entry).toMatchObject({ via: 'api', authorType: 'api', authorId: acme.keyId })
  })

  test('is tried again after 1, 5, 15 and 60 minutes, as the same mail, and has failed then', async () => {
    toRecipient = busy
    const before = await acme.events()
    await post()
    for (const [index, minutes] of [1, 5, 15, 60].entries()) {
      await wait(minutes * MINUTE - 1)
      expect([attempts, await states()]).toEqual([index + 1, ['pending']])
      await wait(1)
      expect(attempts).toBe(index + 2)
    }
    expect(await stored()).toMatchObject([{ state: 'failed', error: WHY }])
    await wait(24 * 60 * MINUTE)
    expect([attempts, await waiting(), mailServer.mails]).toEqual([5, [], []])
    expect(await acme.events()).toEqual(before)
    // Who sends it again begins anew, and may be put off again.
    const { tenantId, userId } = acme
    const agent = () =>
      callerFor({ type: 'user', tenantId, userId, name: 'Robin', role: 'agent' }, app.clock.now(), null)
    const { id, mailId } = (await stored())[0] as { id: string; mailId: string }
    expect(await resendReply(app.deps, agent(), id)).toBeNull()
    toRecipient = () => null
    await wait(MINUTE)
    expect(await states()).toEqual(['public'])
    expect(mailServer.mails.map(({ messageId }) => messageId)).toEqual([mailId])
  })

  test('once it has all of it was not taken, and comes once in the end', async () => {
    toContent = busy
    expect((await post()).status).toBe(201)
    expect(await states()).toEqual(['pending'])
    toContent = () => null
    await wait(MINUTE)
    expect([await states(), mailServer.mails.length]).toEqual([['public'], 1])
  })

  test('for one of several recipients alone went to the others: it is not tried again by itself', async () => {
    const { tenantId, userId } = acme
    const caller = callerFor({ type: 'user', tenantId, userId, name: 'Robin', role: 'agent' }, app.clock.now(), null)
    toRecipient = (address) => (address === 'bob@acme.test' ? busy() : null)
    await reply(app.deps, caller, ticketId, { text: 'x', cc: ['bob@acme.test'] })
    expect(await stored()).toMatchObject([{ state: 'public', error: expect.stringContaining('bob@acme.test was not') }])
    await wait(60 * MINUTE)
    expect(mailServer.mails).toHaveLength(1)
  })

  test('for good at a later attempt has failed at once', async () => {
    toRecipient = busy
    await post()
    toRecipient = () => refusal(550, '5.1.1 no such user')
    await wait(MINUTE)
    expect(await stored()).toMatchObject([
      { state: 'failed', error: 'the mail server refused it: 550 5.1.1 no such user' },
    ])
    expect(await waiting()).toEqual([])
  })

  test('stands where it was written, and what the customer wrote since is still unanswered', async () => {
    toRecipient = busy
    const { id } = (await post()).body
    app.clock.advance(30_000)
    await acme.perform((tx, caller) => receiveMessage(tx, caller, ticketId, { text: 'And now?' }))
    const since = app.clock.now()
    toRecipient = () => null
    await wait(MINUTE)
    const now = await thread()
    expect([now.messageCount, now.excerpt, now.lastMessageAt]).toEqual([3, 'And now?', new Date(since).toISOString()])
    expect(now.messages.map((message: { id: string }) => message.id).indexOf(id)).toBe(1)
  })

  test('under an Idempotency-Key is one mail and one answer, even if its sender died before the key was answered', async () => {
    toRecipient = busy
    const key = { 'idempotency-key': 'k1' }
    const first = await post(key)
    expect((await post(key)).text).toBe(first.text)
    // As if the answer had never been stored.
    await acme.perform((tx, { tenantId }) => tx.delete(idempotencyKeys).where(eq(idempotencyKeys.tenantId, tenantId)))
    const again = await post(key)
    expect([again.status, again.body.id]).toEqual([201, first.body.id])
    toRecipient = () => null
    await wait(MINUTE)
    expect([await states(), mailServer.mails.length]).toEqual([['public'], 1])
  })

  test('waits over a start, and is due in its time though the clock is set back', async () => {
    toRecipient = busy
    await post()
    await wait(MINUTE)
    const again = new ReplySending(app.deps)
    await again.begin()
    expect(await again.nextDue(app.clock.now())).toBe(app.clock.now() + 5 * MINUTE)
    app.clock.jump(-60 * MINUTE)
    await again.pullIn()
    expect(await again.nextDue(app.clock.now())).toBe(app.clock.now())
    app.clock.jump(60 * MINUTE)
  })
})

describe('a mail server that cannot be reached', () => {
  const servers: [string, () => Promise<{ url: string; close(): Promise<void> }>][] = [
    ['drops the connection at once', () => startRawServer((socket) => socket.destroy())],
    ['never greets', () => startRawServer(() => {})],
    ['drops it before the content', () => startRawServer(talkUntil('DATA', (socket) => socket.destroy()))],
    ['is not there', async () => ({ url: `smtp://127.0.0.1:${NOBODYS_PORT}`, close: async () => {} })],
    [
      'fails at TLS',
      () => startRawServer(talkUntil('STARTTLS', (socket) => socket.write('220 go on\r\nthis is not TLS\r\n'))),
    ],
  ]

  test.each(servers)('because it %s is tried again', async (name, start) => {
    const server = await start()
    // Of those that answer, however busy the machine, the answer is waited for.
    const greeting = name === 'never greets' ? 200 : PATIENCE
    const query = name.includes('TLS') ? '&requireTLS=true' : ''
    const url = `${server.url}?greetingTimeout=${greeting}&socketTimeout=${PATIENCE}${query}`
    const service = await startApp({ environment: { FRONTDESK_SMTP_URL: url } })
    const tenant = await service.createTenant()
    const { id } = await createTicket(tenant)
    expect((await tenant.post(`/v1/tickets/${id}/replies`, { html: 'x' })).status).toBe(201)
    expect(await stored(service, tenant)).toMatchObject([
      { state: 'pending', error: 'the mail server could not be reached' },
    ])
    await service.close()
    await server.close()
  })

  test('for whether it lets us in now is tried again, and one that does not is not', async () => {
    let code = 454
    const server = await startMailServer({
      authOptional: false,
      allowInsecureAuth: true,
      onAuth: (_auth, _session, done) => done(refusal(code, 'no')),
    })
    const url = server.url.replace('smtp://', 'smtp://user:pass@')
    const service = await startApp({ environment: { FRONTDESK_SMTP_URL: url } })
    const tenant = await service.createTenant()
    const { id } = await createTicket(tenant)
    expect((await tenant.post(`/v1/tickets/${id}/replies`, { html: 'x' })).status).toBe(201)
    code = 535
    expect((await tenant.post(`/v1/tickets/${id}/replies`, { html: 'x' })).status).toBe(502)
    expect((await stored(service, tenant)).map(({ state }) => state)).toEqual(['pending', 'failed'])
    await service.close()
    await server.close()
  })
})
