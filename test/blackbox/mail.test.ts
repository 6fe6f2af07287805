import { describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import { mailText } from '../support/mail/smtp.ts'
import { executable, logLines, record, run, serve } from '../support/processes/program.ts'
import { refusalOf } from '../support/refusal.ts'
import { ask, mailPortOf, newDesk } from '../support/tickets/desk.ts'

const program = await executable()

describe('mail', () => {
  test('that is sent to the listener is a ticket, an unknown mailbox is refused, and the log says so', async () => {
    const desk = await newDesk(program)
    const { cwd, inboxId } = desk
    const service = await serve(program, { cwd, environment: { FRONTDESK_INBOUND_SMTP_PORT: '0' } })
    const transport = createTransport({ host: '127.0.0.1', port: mailPortOf(service) })
    const mail = { from: 'Ada <ada@acme.test>', subject: 'Hello', text: 'Where is it?' }
    await transport.sendMail({ ...mail, to: 'help@acme.test' })
    expect((await ask(service, desk, '/v1/tickets')).items).toMatchObject([{ subject: 'Hello', messageCount: 1 }])
    expect(await refusalOf(transport.sendMail({ ...mail, to: 'nobody@acme.test' }))).toContain(
      '550 there is no such mailbox',
    )
    const { stdout, code, stderr } = await service.stop()
    expect([code, stderr]).toEqual([0, ''])
    expect(logLines(stdout).filter(({ message }) => message === 'mail')).toMatchObject([
      { code: 250, deliveries: [{ inboxId, outcome: 'created' }] },
    ])
  })

  test('that is delivered by command is a ticket, again a duplicate, and a running service shows it', async () => {
    const desk = await newDesk(program)
    const { cwd, inboxId } = desk
    const service = await serve(program, { cwd })
    writeFileSync(join(cwd, 'a.eml'), mailText({ Subject: 'From a file' }))
    const deliver = (...file: string[]) => ['mail', 'deliver', '--inbox', inboxId, ...file]
    const first = await record(program, deliver('a.eml'), { cwd })
    expect(first).toEqual({ outcome: 'created', ticketId: expect.any(String), messageId: expect.any(String) })
    expect(await record(program, deliver('a.eml'), { cwd })).toEqual({ ...first, outcome: 'duplicate' })
    const piped = await record(program, deliver(), { cwd, stdin: mailText({ Subject: 'From a pipe' }) })
    expect(piped).toMatchObject({ outcome: 'created' })
    const subjects = ['From a pipe', 'From a file']
    const { items } = await ask(service, desk, '/v1/tickets')
    expect(items).toMatchObject(subjects.map((subject) => ({ subject })))
    await service.stop()
  })

  test('that cannot be understood lies in quarantine, is tried again, and deleted', async () => {
    const { cwd, inboxId } = await newDesk(program)
    const quarantine = (...args: string[]) => record(program, ['mail', 'quarantine', ...args], { cwd })
    expect(await quarantine('list')).toEqual([])
    const stdin = 'Subject: Nobody wrote this\r\n\r\nHello\r\n'
    const taken = await record(program, ['mail', 'deliver', '--inbox', inboxId], { cwd, stdin })
    const { quarantineId } = taken
    expect(taken).toEqual({ outcome: 'quarantined', ticketId: null, messageId: null, quarantineId: expect.any(String) })
    const [mail, ...others] = await quarantine('list')
    expect(others).toEqual([])
    expect(mail).toEqual({
      quarantineId,
      inboxId,
      receivedAt: expect.any(String),
      reason: expect.any(String),
      from: null,
      subject: 'Nobody wrote this',
      size: stdin.length,
    })
    expect(await quarantine('retry', '--mail', quarantineId)).toMatchObject({ outcome: 'quarantined', quarantineId })
    expect(await quarantine('delete', '--mail', quarantineId)).toEqual({ quarantineId })
    expect(await quarantine('list')).toEqual([])
    expect(await run(program, ['mail', 'quarantine', 'retry', '--mail', quarantineId], { cwd })).toEqual({
      code: 1,
      stdout: '',
      stderr: 'frontdesk: mail not found\n',
    })
  })
})

test('mail deliver says in one line what it cannot take', async () => {
  const { cwd, inboxId } = await newDesk(program)
  const chat = await record(program, ['inbox', 'create', '--name', 'Chat', '--channel', 'livechat'], { cwd })
  const fails = async (args: string[], stdin = mailText()) =>
    (await run(program, ['mail', 'deliver', ...args], { cwd, stdin })).stderr
  expect(await fails(['--inbox', chat.id])).toBe('frontdesk: --inbox: there is no such email inbox\n')
  expect(await fails(['--inbox', 'x'])).toBe('frontdesk: --inbox: there is no such email inbox\n')
  expect(await fails(['--inbox', inboxId, 'missing.eml'])).toMatch(/^frontdesk: \S+missing\.eml: [^\n]+\n$/)
  expect(await fails(['--inbox', inboxId], '')).toBe('frontdesk: standard input: is empty\n')
})
