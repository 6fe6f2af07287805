import { expect } from 'bun:test'
import { join } from 'node:path'
import { and, eq, ne } from 'drizzle-orm'
import { messages, pendingReplies } from '../../src/db/schema.ts'
import { openDataOf, testOfSqlite } from '../support/data/postgres.ts'
import { refusal, startMailServer, startRawServer, talkUntil } from '../support/mail/server.ts'
import { until } from '../support/patience.ts'
import { emptyFolder, executable, type Program, type Running, record, serve } from '../support/processes/program.ts'

// With other nodes about, a start cannot tell what they are sending: that shows within a minute.
testOfSqlite('a reply that kill -9 cut off while it was sent is failed after the start, and in no thread', async () => {
  const handedOver = Promise.withResolvers<void>()
  const silent = await startRawServer(talkUntil('.', () => handedOver.resolve()))
  const program = await executable()
  const options = { cwd: emptyFolder(), environment: { FRONTDESK_SMTP_URL: silent.url } }
  const { tenantId, key, ticketId } = await ticketByCommand(program, options)

  const service = await serve(program, options)
  const answer = post(service, key, `/v1/tickets/${ticketId}/replies`, { html: 'x' }).catch(() => 'none')
  await handedOver.promise
  service.kill('SIGKILL')
  expect(await answer).toBe('none')

  const again = await serve(program, options)
  const headers = { authorization: `Bearer ${key}` }
  const ticket = await (await fetch(`${again.url}/v1/tickets/${ticketId}`, { headers })).json()
  expect(ticket).toMatchObject({ messageCount: 1, messages: [{ direction: 'inbound' }] })
  await again.stop()
  expect(await failedMessages(options.cwd, tenantId)).toEqual([
    { state: 'failed', error: 'the service stopped while it was being sent: it may have arrived' },
  ])
  await silent.close()
})

// How one that waits survives is the same on PostgreSQL, where the other nodes would send it meanwhile.
testOfSqlite('a reply that was put off, and cut off by kill -9 as it was tried again, is sent once', async () => {
  let isDown = true
  const announced = Promise.withResolvers<void>()
  const hold = Promise.withResolvers<void>()
  const server = await startMailServer({
    onMailFrom: (_address, _session, done) => {
      if (isDown) return done(refusal(451, 'try later'))
      announced.resolve()
      void hold.promise.then(() => done())
    },
  })
  const program = await executable()
  const options = { cwd: emptyFolder(), environment: { FRONTDESK_SMTP_URL: server.url } }
  const { key, ticketId } = await ticketByCommand(program, options)
  const service = await serve(program, options)
  const answer = await post(service, key, `/v1/tickets/${ticketId}/replies`, { html: 'x' })
  expect(answer.status).toBe(201)
  const { id } = (await answer.json()) as { id: string }
  service.kill('SIGKILL')
  await service.exited

  const makeDue = async () => {
    const database = await openDataOf(join(options.cwd, 'data'))
    await database.transaction((tx) => tx.update(pendingReplies).set({ dueAt: new Date().toISOString() }))
    await database.close()
  }
  isDown = false
  await makeDue()
  const second = await serve(program, options)
  await announced.promise
  second.kill('SIGKILL')
  await second.exited
  hold.resolve()

  await makeDue()
  const third = await serve(program, options)
  const headers = { authorization: `Bearer ${key}` }
  const ticket = await until(async () => {
    const read = await (await fetch(`${third.url}/v1/tickets/${ticketId}`, { headers })).json()
    return read.messageCount === 2 && read
  })
  expect(ticket.messages.at(-1)).toMatchObject({ id, direction: 'outbound' })
  expect(server.mails).toHaveLength(1)
  await third.stop()
  await server.close()
})

async function ticketByCommand(program: Program, options: { cwd: string }) {
  const create = (noun: string, ...args: string[]) => record(program, [noun, 'create', ...args], options)
  const { tenantId } = await create('tenant', '--name', 'Acme')
  const ofTenant = ['--tenant', tenantId]
  const { key } = await create('key', ...ofTenant, '--name', 'k', '--scopes', 'tickets:read,tickets:write')
  const inbox = await create(
    'inbox',
    ...ofTenant,
    '--name',
    'Help',
    '--channel',
    'email',
    '--address',
    'help@acme.test',
  )
  const message = ['--email', 'ada@acme.test', '--subject', 'Hello', '--text', 'Hello']
  const { ticketId } = await create('ticket', ...ofTenant, '--inbox', inbox.id, ...message)
  return { tenantId, key: key as string, ticketId: ticketId as string }
}

function post({ url }: Running, key: string, path: string, body: object): Promise<Response> {
  return fetch(url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
}

async function failedMessages(cwd: string, tenantId: string): Promise<unknown[]> {
  const database = await openDataOf(join(cwd, 'data'))
  const failed = await database.db
    .select({ state: messages.state, error: messages.error })
    .from(messages)
    .where(and(eq(messages.tenantId, tenantId), ne(messages.state, 'public')))
  await database.close()
  return failed
}
