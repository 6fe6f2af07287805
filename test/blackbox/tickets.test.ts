import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { refusal, startMailServer } from '../support/mail/server.ts'
import {
  emptyFolder,
  executable,
  type Program,
  type Running,
  record,
  run,
  serve,
} from '../support/processes/program.ts'

let program: Program
const cwd = emptyFolder()
let inboxId: string
let chatId: string

const command = (...args: string[]) => record(program, args, { cwd })
const create = (inbox = inboxId) =>
  command('ticket', 'create', '--inbox', inbox, '--email', 'ada@acme.test', '--subject', 'Refund?', '--text', 'Where?')

beforeAll(async () => {
  program = await executable()
  await command('tenant', 'create', '--name', 'Acme')
  inboxId = (await command('inbox', 'create', '--name', 'Help', '--channel', 'email', '--address', 'h@acme.test')).id
  chatId = (await command('inbox', 'create', '--name', 'Chat', '--channel', 'livechat')).id
  await command('user', 'create', '--email', 'robin@acme.test', '--role', 'agent')
})

/** The mails in the outbox folder, newest last. */
function outbox(): string[] {
  const folder = join(cwd, 'data', 'outbox')
  return readdirSync(folder)
    .sort()
    .map((name) => readFileSync(join(folder, name), 'utf8'))
}

test('a reply by command goes out before the data were ever served, as the user who is named', async () => {
  await command('user', 'update', '--user', 'robin@acme.test', '--name', 'Robin', '--signature', '<b>Robin</b> at Acme')
  const { ticketReference } = await create()
  const reply = [
    'ticket',
    'reply',
    '--ticket',
    ticketReference,
    '--as',
    'Robin@acme.test',
    '--text',
    'It is <on> its way.',
  ]
  expect(await command(...reply)).toEqual({ messageId: expect.any(String) })
  const [mail] = outbox()
  expect(mail).toContain('Reply-To: h+t.')
  expect(mail).toContain('It is <on> its way.')
  expect(mail).toContain('Robin at Acme')
  const nobody = await run(program, [...reply.slice(0, 5), 'nobody@acme.test', '--text', 'x'], { cwd })
  expect(nobody).toEqual({ code: 1, stdout: '', stderr: 'frontdesk: user not found\n' })
  expect(outbox()).toHaveLength(1)
})

test('a reply by command says whom the mail server refused while it took it for others', async () => {
  const server = await startMailServer({
    onRcptTo: ({ address }, _session, done) => done(address === 'gone@acme.test' ? refusal(550, 'no such user') : null),
  })
  const stdin = 'From: ada@acme.test\nCc: gone@acme.test\nSubject: Refund?\n\nWhere?'
  const { ticketId } = await record(program, ['mail', 'deliver', '--inbox', inboxId], { cwd, stdin })
  const args = ['ticket', 'reply', '--ticket', ticketId, '--as', 'robin@acme.test', '--text', 'Here.']
  const replied = await run(program, args, { cwd, environment: { FRONTDESK_SMTP_URL: server.url } })
  expect(replied).toEqual({
    code: 0,
    stdout: expect.stringMatching(/^messageId {2}[0-9a-f-]{36}\n$/),
    stderr: 'frontdesk: a reply did not reach all its recipients: gone@acme.test was not reached: 550 no such user\n',
  })
  expect(server.mails.map(({ envelope }) => envelope.to)).toEqual([['ada@acme.test']])
  await server.close()
})

describe('beside a running server', () => {
  let service: Running
  let key: string
  beforeAll(async () => {
    service = await serve(program, { cwd })
    key = (await command('key', 'create', '--name', 'all', '--scopes', 'tickets:read,tickets:write')).key
  })
  afterAll(() => service.stop())
  const read = async (id: string) => {
    const answer = await fetch(`${service.url}/v1/tickets/${id}`, { headers: { authorization: `Bearer ${key}` } })
    return { code: answer.status, ...((await answer.json()) as object) } as Record<string, unknown>
  }

  test('a reply by command to a chat is in its thread', async () => {
    const { ticketId } = await create(chatId)
    const before = outbox().length
    const { messageId } = await command(
      'ticket',
      'reply',
      '--ticket',
      ticketId,
      '--as',
      'robin@acme.test',
      '--text',
      'Hi',
    )
    expect(await read(ticketId)).toMatchObject({
      messageCount: 2,
      messages: [{}, { id: messageId, author: { type: 'agent', name: 'Robin' }, text: 'Hi' }],
    })
    expect(outbox()).toHaveLength(before)
  })

  test('tags and teams are made, changed and used by command', async () => {
    const args = ['--inbox', inboxId, '--email', 'ada@acme.test', '--subject', 'Refund?', '--text', 'Where?']
    const { ticketId, ticketReference } = await command('ticket', 'create', ...args, '--tags', 'Refund, VIP')
    expect(await read(ticketId)).toMatchObject({ tags: ['Refund', 'VIP'] })
    const about = ['--ticket', ticketReference]
    await command('tag', 'create', '--name', 'urgent')
    expect(await command('tag', 'rename', '--tag', 'vip', '--name', 'Key account')).toMatchObject({ ticketCount: 1 })
    expect(await command('tag', 'merge', '--tag', 'refund', '--into', 'urgent')).toMatchObject({ ticketCount: 1 })
    expect(await read(ticketId)).toMatchObject({ tags: ['Key account', 'urgent'] })
    expect(await command('tag', 'delete', '--tag', 'Key account')).toEqual({ tagId: expect.any(String) })
    expect(await command('ticket', 'tag', ...about, '--add', 'new,old')).toEqual({
      ticketId,
      tags: ['new', 'old', 'urgent'],
    })
    const both = await command('ticket', 'tag', ...about, '--add', 'late', '--remove', 'URGENT,old,unknown')
    expect(both).toEqual({ ticketId, tags: ['late', 'new'] })
    const untold = await run(program, ['ticket', 'tag', ...about], { cwd })
    expect(untold).toEqual({ code: 1, stdout: '', stderr: 'frontdesk: --add or --remove is needed\n' })
    const gone = await run(program, ['tag', 'delete', '--tag', 'vip'], { cwd })
    expect(gone).toEqual({ code: 1, stdout: '', stderr: 'frontdesk: tag not found\n' })

    const team = await command('team', 'create', '--name', 'Billing', '--distribution', 'least_open')
    expect(team).toMatchObject({ distribution: 'least_open', members: [] })
    await command('team', 'rename', '--team', 'billing', '--name', 'Accounts')
    const changed = await command('team', 'update', '--team', 'accounts', '--members', 'robin@acme.test')
    expect(changed).toMatchObject({ name: 'Accounts', members: [{ name: expect.any(String) }] })
    const { stdout } = await run(program, ['team', 'list'], { cwd })
    expect(stdout).toMatch(/Accounts {2}least_open {4}robin[^\n]*\n$/i)
    const [{ id: robin }] = changed.members as unknown as [{ id: string }]
    const handed = await command('ticket', 'assign', ...about, '--team', 'Accounts')
    expect(handed).toEqual({ ticketId, assigneeId: robin, teamId: team.id })
    expect(await command('team', 'delete', '--team', 'Accounts')).toEqual({ teamId: team.id })
    expect(await read(ticketId)).toMatchObject({ team: null, assignee: { id: robin } })
    const neither = await run(program, ['ticket', 'assign', ...about], { cwd })
    expect(neither).toEqual({ code: 1, stdout: '', stderr: 'frontdesk: --user, --team or --nobody is needed\n' })
  })

  test('tickets are worked on by command', async () => {
    const [first, second] = [await create(), await create()]
    const { ticketId, ticketReference } = first
    const about = ['--ticket', ticketReference]
    expect(await command('ticket', 'priority', ...about, '--priority', 'high')).toMatchObject({ priority: 'high' })
    expect(await command('ticket', 'status', ...about, '--status', 'spam')).toMatchObject({ status: 'spam' })
    const until = '2099-01-01T00:00:00.000Z'
    const snoozed = await command('ticket', 'status', ...about, '--status', 'open', '--snoozed-until', until)
    expect(snoozed).toMatchObject({ ticketId, status: 'open', snoozedUntil: until })
    const assigned = await command('ticket', 'assign', ...about, '--user', 'robin@acme.test')
    expect(assigned).toEqual({ ticketId, assigneeId: expect.any(String), teamId: null })
    const nobody = await command('ticket', 'assign', ...about, '--nobody')
    expect(nobody).toEqual({ ticketId, assigneeId: null, teamId: null })

    const merged = await command('ticket', 'merge', ...about, '--into', second.ticketReference)
    expect(merged).toMatchObject({ ticketId: second.ticketId, messageCount: 2 })
    expect(await read(ticketId)).toMatchObject({ status: 'closed', messages: [] })
    const { messages } = (await read(second.ticketId)) as unknown as { messages: { id: string }[] }
    const split = await command('ticket', 'split', '--message', messages[1]?.id as string)
    expect(await read(split.ticketId)).toMatchObject({ code: 200, messageCount: 1, subject: 'Refund?' })
    expect(await command('ticket', 'merge', ...about, '--undo')).toMatchObject({ ticketId, snoozedUntil: until })
    const neither = await run(program, ['ticket', 'merge', ...about], { cwd })
    expect(neither).toEqual({ code: 1, stdout: '', stderr: 'frontdesk: either --into or --undo is needed\n' })

    expect(await command('ticket', 'delete', ...about)).toEqual({ ticketId })
    expect((await read(ticketId)).code).toBe(404)
  })
})
