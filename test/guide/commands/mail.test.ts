import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hasDovecot, type ImapServer, startImapServer } from '../../support/mail/imap-server.ts'
import { type MailServer, startMailServer } from '../../support/mail/server.ts'
import { connectSmtp, mailText } from '../../support/mail/smtp.ts'
import { executable, record, run, serve } from '../../support/processes/program.ts'
import { openShell } from '../../support/sources/shell.ts'
import { codeOf } from '../../support/sources/text-blocks.ts'
import { mailPortOf, newDesk } from '../../support/tickets/desk.ts'

const program = await executable()
const CERTS = join(import.meta.dir, '../../support/servers/certs')
const [listening, quarantine, mailbox, oauth, keeping, answering, tickets, tags] = codeOf(
  'src/guide/mail.md',
  ...(['sh', 'sh', 'sh', 'sh', 'sh', 'sh', 'sh', 'sh'] as const),
)

describe('the chapter on mail', () => {
  let cwd: string
  let inboxId: string
  let shell: Awaited<ReturnType<typeof openShell>>

  beforeAll(async () => {
    ;({ cwd, inboxId } = await newDesk(program))
    shell = await openShell(program, { cwd, places: { INBOX: inboxId } })
  })
  afterAll(() => shell.close())

  test('says how to listen for mail, with TLS', async () => {
    const given = listening.text.split('\n').map((line) => line.split('='))
    const environment = Object.fromEntries(given)
    expect(environment.FRONTDESK_INBOUND_SMTP_PORT).toBe('25')
    const here = {
      FRONTDESK_INBOUND_SMTP_HOST: '127.0.0.1',
      FRONTDESK_INBOUND_SMTP_PORT: '0',
      FRONTDESK_INBOUND_SMTP_TLS_CERT: join(CERTS, 'receiver.pem'),
      FRONTDESK_INBOUND_SMTP_TLS_KEY: join(CERTS, 'receiver-key.pem'),
    }
    expect(Object.keys(environment)).toEqual(Object.keys(here))
    const service = await serve(program, { cwd, environment: here })
    const client = await connectSmtp(mailPortOf(service))
    await client.answer()
    expect(await client.say('EHLO client.test')).toContain('STARTTLS')
    client.close()
    await service.stop()
  })

  test('delivers a mail, and sees to one that cannot be understood', async () => {
    writeFileSync(join(cwd, 'mail.eml'), mailText({ Subject: 'From a file' }))
    const stdin = 'Subject: Nobody wrote this\r\n\r\nHello\r\n'
    const { quarantineId } = await record(program, ['mail', 'deliver', '--inbox', inboxId], { cwd, stdin })
    shell.places.set('MAIL', quarantineId)
    const printed: string[] = []
    await shell.run(quarantine, { after: (_, text) => printed.push(text) })
    expect(printed[0]).toMatch(/^outcome +created$/m)
    expect(printed[1]).toContain('Nobody wrote this')
  })

  describe.skipIf(!hasDovecot)('and its mailbox', () => {
    let imap: ImapServer
    let smtp: MailServer
    beforeAll(async () => {
      imap = await startImapServer({ passwords: { 'help@acme.example': 'secret' } })
      smtp = await startMailServer()
    })
    afterAll(async () => {
      await imap?.close()
      await smtp?.close()
    })

    test('is connected, listed and let go of', async () => {
      writeFileSync(join(cwd, 'password.txt'), 'secret\n')
      shell.places.set('imaps://help%40acme.example@imap.acme.example', imap.url('help@acme.example'))
      shell.places.set('smtp://help%40acme.example@smtp.acme.example', smtp.url)
      const printed: string[] = []
      await shell.run(mailbox, { after: (_, text) => printed.push(text) })
      expect(printed.map((text) => /connecting|connected| -$/m.exec(text)?.[0])).toEqual([
        'connecting',
        'connecting',
        ' -',
      ])
    })
  })

  test('says what an inbox of Microsoft’s needs, which the command asks for', async () => {
    const [, ...args] =
      oauth.text
        .replace(' < token.txt', '')
        .replace('INBOX', inboxId)
        .match(/[^\s\\]+/g) ?? []
    const { code, stderr } = await run(program, args, { cwd, stdin: 'token' })
    expect([code, stderr]).toEqual([1, expect.stringContaining('FRONTDESK_MICROSOFT_CLIENT_ID')])
  })

  test('does what agents do', async () => {
    const person = ['--email', 'robin@acme.example', '--role', 'agent']
    await record(program, ['user', 'create', ...person], { cwd })
    const deliver = (Subject: string) =>
      record(program, ['mail', 'deliver', '--inbox', inboxId], {
        cwd,
        stdin: mailText({ Subject, 'Message-ID': `<${Subject.replace(' ', '-')}@example.com>` }),
      })
    const kept = await deliver('Kept ticket')
    const merged = await deliver('Merged ticket')
    for (const [word, actual] of Object.entries({
      'T-1042': kept.ticketId,
      'T-1043': merged.ticketId,
      MESSAGE: merged.messageId,
      '2026-12-01T09:00:00Z': new Date(Date.now() + 86_400_000).toISOString(),
    }))
      shell.places.set(word, actual)
    await shell.run(tickets)
    shell.places.set('T-1042', (await deliver('Another ticket')).ticketId)
    await shell.run(tags)
  })

  test('has an inbox answer by itself', async () => {
    const printed: string[] = []
    await shell.run(answering, { after: (_, text) => printed.push(text) })
    expect(printed.map((text) => /^answersOutOfHours +(\w+)$/m.exec(text)?.[1])).toEqual(['false', 'true', 'false'])
  })

  test('renames, archives and restores an inbox', async () => {
    const printed: string[] = []
    await shell.run(keeping, { after: (_, text) => printed.push(text) })
    expect(printed[0]).toMatch(/^emailAddress +support@example.com$/m)
    expect(printed.map((text) => /^archivedAt +-$/m.test(text))).toEqual([true, false, true])
  })
})
