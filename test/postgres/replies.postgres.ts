import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { TestApp, TestTenant } from '../support/app.ts'
import { runSql } from '../support/data/postgres.ts'
import { type MailServer, startMailServer } from '../support/mail/server.ts'
import { ConsoleBrowser, signedIn } from '../support/pages/console.ts'
import { until } from '../support/patience.ts'
import { startNodes } from '../support/processes/nodes.ts'
import { createTicket } from '../support/tickets/tickets.ts'

let mailServer: MailServer
/** What the mail server waits for before it takes a mail. */
let held: Promise<void>
let nodes: Awaited<ReturnType<typeof startNodes>>
let tenant: TestTenant
beforeAll(async () => {
  mailServer = await startMailServer({
    // Long enough that whoever does not wait sends a second mail.
    onRcptTo: (_address, _session, done) => void setTimeout(done, 300),
    beforeTaken: () => held,
  })
  nodes = await startNodes(2, { FRONTDESK_SMTP_URL: mailServer.url })
  tenant = await (nodes.apps[0] as TestApp).createTenant()
})
beforeEach(() => {
  mailServer.mails.length = 0
  held = Promise.resolve()
})
afterAll(async () => {
  await nodes.close()
  await mailServer.close()
})

const reply = (node: number, ticketId: string, html = '<p>Hello.</p>') =>
  (nodes.apps[node % 2] as TestApp).request('POST', `/v1/tickets/${ticketId}/replies`, {
    key: tenant.key,
    body: { html },
    headers: { 'idempotency-key': `reply to ${ticketId}` },
  })

const leaseOf = (ticketId: string) => `answer ${tenant.tenantId} reply to ${ticketId}`

describe('a reply under one Idempotency-Key', () => {
  test('sent on two nodes at once is one mail, and the same answer', async () => {
    const { id } = await createTicket(tenant)
    const answers = await Promise.all([0, 1, 0, 1, 0, 1].map((node) => reply(node, id)))
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(answers[0]?.status).toBe(201)
    expect(answers.filter(({ headers }) => headers.get('idempotent-replayed') === 'true')).toHaveLength(5)
    expect(mailServer.mails).toHaveLength(1)
    const { items } = (await tenant.get(`/v1/tickets/${id}/messages`)).body
    expect(items).toHaveLength(2)
  })

  test('and another one under it on the other node: one of them is a conflict', async () => {
    const { id } = await createTicket(tenant)
    const answers = await Promise.all([reply(0, id), reply(1, id, '<p>Good bye.</p>')])
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409])
    expect(mailServer.mails).toHaveLength(1)
  })

  test('that a dead node was answering is answered by another, once its lease is over', async () => {
    const { id } = await createTicket(tenant)
    await runSql(nodes.url, `INSERT INTO leases VALUES ($1, 'dead', clock_timestamp() + interval '1 hour')`, [
      leaseOf(id),
    ])
    const answer = reply(0, id)
    await Bun.sleep(250)
    expect(mailServer.mails).toHaveLength(0)
    await runSql(nodes.url, 'UPDATE leases SET until = clock_timestamp() WHERE name = $1', [leaseOf(id)])
    expect((await answer).status).toBe(201)
    expect(mailServer.mails).toHaveLength(1)
  })

  test('that another node does not come to an end with is a conflict', async () => {
    const { id } = await createTicket(tenant)
    await runSql(nodes.url, `INSERT INTO leases VALUES ($1, 'slow', clock_timestamp() + interval '1 hour')`, [
      leaseOf(id),
    ])
    const { status, body } = await reply(0, id)
    expect([status, body.error]).toEqual([409, 'conflict'])
    expect(mailServer.mails).toHaveLength(0)
    await runSql(nodes.url, 'DELETE FROM leases WHERE name = $1', [leaseOf(id)])
    expect((await reply(0, id)).status).toBe(201)
  })
})

test('answers that one person sends on two nodes at the same moment are both sent, each once', async () => {
  const [here, there] = nodes.apps as [TestApp, TestApp]
  const browser = await signedIn(here, tenant, 'agent')
  const elsewhere = Object.assign(new ConsoleBrowser(there), { cookies: browser.cookies })
  const { id } = await createTicket(tenant)
  const { text } = await browser.get(`/console/tickets/${id}`)
  const newest = /name="newest" value="([^"]*)"/.exec(text)?.[1] ?? ''
  const said = Array.from({ length: 6 }, (_, index) => `Answer ${index}`)
  const answers = await Promise.all(
    // Each of them twice, as a second click has it.
    [...said, ...said].map((answer, index) =>
      (index % 2 ? elsewhere : browser).post(`/console/tickets/${id}/replies`, { newest, answer }),
    ),
  )
  expect(answers.map(({ status }) => status)).toEqual([...said, ...said].map(() => 303))
  const waiting = await runSql(nodes.url, `SELECT text FROM messages WHERE ticket_id = $1 AND state = 'pending'`, [id])
  expect(waiting.map((row) => String(row.text).trim()).sort()).toEqual(said)
  expect(await runSql(nodes.url, 'SELECT id FROM reply_drafts WHERE ticket_id = $1', [id])).toHaveLength(0)
})

describe('a reply that a node was sending when it died', () => {
  const stateOf = async (ticketId: string) => {
    const [row] = await runSql(
      nodes.url,
      `SELECT state, error FROM messages WHERE ticket_id = $1 AND direction = 'outbound'`,
      [ticketId],
    )
    return row && [row.state, row.error]
  }
  const interrupted = 'the service stopped while it was being sent: it may have arrived'

  test('has failed within a minute, as another node says, and not before', async () => {
    const [, other] = nodes.apps as [TestApp, TestApp]
    const { id } = await createTicket(tenant)
    expect((await reply(0, id)).status).toBe(201)
    await runSql(
      nodes.url,
      `UPDATE messages SET state = 'sending', created_at = $1 WHERE ticket_id = $2 AND direction = 'outbound'`,
      [new Date(other.clock.now()).toISOString(), id],
    )
    other.clock.advance(50_000)
    await other.runDue()
    expect(await stateOf(id)).toEqual(['sending', null])
    other.clock.advance(10_000)
    await other.runDue()
    expect(await stateOf(id)).toEqual(['failed', interrupted])
  })

  test('or seemed to, but goes out all the same, is part of the thread, and says nothing of it', async () => {
    const [, other] = nodes.apps as [TestApp, TestApp]
    const { id } = await createTicket(tenant)
    const server = Promise.withResolvers<void>()
    held = server.promise
    const answer = reply(0, id)
    await until(async () => (await stateOf(id))?.[0] === 'sending')
    other.clock.advance(60_000)
    await other.runDue()
    expect(await stateOf(id)).toEqual(['failed', interrupted])
    server.resolve()
    expect((await answer).status).toBe(201)
    expect(await stateOf(id)).toEqual(['public', null])
    expect((await tenant.get(`/v1/tickets/${id}`)).body.messageCount).toBe(2)
  })
})
