import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { connect as connectTls } from 'node:tls'
import { createTransport } from 'nodemailer'
import type { IncomingMail } from '../../../src/channels/email/incoming-mail.ts'
import { AppError } from '../../../src/errors.ts'
import { NoRoom } from '../../../src/files/room.ts'
import { startListener } from '../../support/mail/listener.ts'
import { mailText } from '../../support/mail/smtp.ts'

const certs = join(import.meta.dir, '../../support/servers/certs')
const rawOf = (mail: IncomingMail | undefined) => Buffer.from(mail?.raw ?? []).toString('latin1')

describe('a mail', () => {
  test('is handed to its inbox with its bytes, its envelope and who sent it, and then answered 250', async () => {
    const listener = await startListener()
    const client = await listener.client()
    await client.begin('Help+order-7@acme.test')
    const text = `${mailText()}.. a dot\r\n`
    client.write(`${text.replace('\r\n..', '\r\n...')}.\r\n`)
    expect(await client.answer()).toBe('250 taken')
    expect(listener.mails).toHaveLength(1)
    expect(rawOf(listener.mails[0])).toBe(text)
    expect(listener.mails[0]).toMatchObject({
      at: listener.clock.now(),
      inbox: { tenantId: 'acme', id: 'help' },
      envelope: { from: 'ada@acme.test', recipients: ['Help+order-7@acme.test'] },
      connection: { address: '127.0.0.1', hello: 'client.test' },
    })
  })

  test('to several inboxes is handed to each, with its own recipients alone', async () => {
    const listener = await startListener()
    const transport = createTransport({ port: listener.port, host: '127.0.0.1' })
    const to = ['help@acme.test', 'billing@acme.test', 'help+a@acme.test']
    await transport.sendMail({ envelope: { from: '', to }, raw: mailText() })
    expect(listener.mails.map(({ inbox, envelope }) => [inbox.id, envelope])).toEqual([
      ['help', { from: '', recipients: ['help@acme.test', 'help+a@acme.test'] }],
      ['billing', { from: '', recipients: ['billing@acme.test'] }],
    ])
  })

  test('to several inboxes is read once', async () => {
    const listener = await startListener()
    const transport = createTransport({ port: listener.port, host: '127.0.0.1' })
    const to = ['help@acme.test', 'billing@acme.test', 'no-reply@desk.acme.test']
    await transport.sendMail({ envelope: { from: '', to }, raw: mailText() })
    expect([listener.read.length, listener.mails.length, listener.reports.length]).toEqual([1, 2, 1])
  })

  test('waits where it is while there is no room on the disk, before it is sent and after', async () => {
    let checks = 0
    const listener = await startListener({
      checkRoom: async () => {
        if (++checks === 1) throw new NoRoom()
      },
      receive: async () => {
        throw new NoRoom()
      },
    })
    const client = await listener.client()
    await client.answer()
    await client.say('EHLO client.test')
    expect(await client.say('MAIL FROM:<ada@acme.test>')).toStartWith('452')
    expect(await client.say('MAIL FROM:<ada@acme.test>')).toStartWith('250')
    expect(await client.say('RCPT TO:<help@acme.test>')).toStartWith('250')
    expect(await client.say('DATA')).toStartWith('354')
    client.write(`${mailText()}.\r\n`)
    expect(await client.answer()).toStartWith('452')
  })

  test('of many files is taken; the next one of the address waits until they are fewer a minute', async () => {
    const listener = await startListener({ files: 700 })
    const send = async (from?: string) => {
      const client = await listener.client(from)
      await client.answer()
      await client.say('EHLO client.test')
      const answer = await client.say('MAIL FROM:<ada@acme.test>')
      if (!answer.startsWith('250')) return answer
      await client.say('RCPT TO:<help@acme.test>')
      await client.say('DATA')
      client.write(`${mailText()}.\r\n`)
      return client.answer()
    }
    expect(await send()).toBe('250 taken')
    expect(await send()).toBe('450 too many files from your address: try again in 60 seconds')
    expect(await send('127.0.0.2')).toBe('250 taken')
    listener.clock.advance(60_000)
    expect(await send()).toBe('250 taken')
  })

  test('is a line in the log, without its addresses and its subject', async () => {
    const listener = await startListener()
    const client = await listener.client()
    await client.begin('help@acme.test')
    const text = mailText()
    client.write(`${text}.\r\n`)
    await client.answer()
    expect(listener.logged).toEqual([
      {
        time: expect.any(String),
        level: 'info',
        message: 'mail',
        address: '127.0.0.1',
        code: 250,
        size: text.length,
        duration: 0,
        deliveries: [{ inboxId: 'help', outcome: 'created', ticketId: 't' }],
      },
    ])
  })

  test('that cannot be stored now is a 451, and so is one that shows a fault of ours, which is logged', async () => {
    const failures = [new AppError('unavailable', 'gone'), new TypeError('x is not a function')]
    const listener = await startListener({
      receive: () => {
        throw failures.shift()
      },
    })
    const client = await listener.client()
    await client.begin('help@acme.test')
    client.write(`${mailText()}.\r\n`)
    expect(await client.answer()).toStartWith('451 too much mail')
    for (const line of ['MAIL FROM:<a@b.test>', 'RCPT TO:<help@acme.test>', 'DATA']) await client.say(line)
    client.write(`${mailText()}.\r\n`)
    expect(await client.answer()).toBe('451 something went wrong on our side: try again later')
    expect(listener.logged.filter(({ level }) => level === 'error')).toMatchObject([{ error: 'x is not a function' }])
    expect(listener.logged.filter(({ message }) => message === 'mail')).toMatchObject([{ code: 451 }, { code: 451 }])
  })

  test('that reached one of its two inboxes is a 451, and says which in the log', async () => {
    const listener = await startListener({
      receive: async ({ inbox }) => {
        if (inbox.id === 'billing') throw new AppError('unavailable', 'gone')
        return { outcome: 'created', ticketId: 't' }
      },
    })
    const client = await listener.client()
    await client.answer()
    for (const line of ['EHLO c', 'MAIL FROM:<>', 'RCPT TO:<help@acme.test>', 'RCPT TO:<billing@acme.test>', 'DATA'])
      await client.say(line)
    client.write(`${mailText()}.\r\n`)
    expect(await client.answer()).toStartWith('451 ')
    expect(listener.logged).toMatchObject([{ code: 451, deliveries: [{ inboxId: 'help' }] }])
  })
})

describe('what the listener offers', () => {
  test('names the host of the base address, no program and no version', async () => {
    const listener = await startListener()
    const client = await listener.client()
    expect(await client.answer()).toBe('220 desk.acme.test ESMTP')
    const features = (await client.say('EHLO client.test')).split('\r\n').map((line) => line.slice(4))
    expect(features.slice(1)).toEqual(['PIPELINING', '8BITMIME', 'SMTPUTF8', 'SIZE 26214400'])
  })

  test.each([
    'AUTH PLAIN AGEAYg==',
    'VRFY help@acme.test',
    'EXPN help',
    'HELP',
    'STARTTLS',
    'XCLIENT ADDR=1.2.3.4',
    'BDAT 3',
  ])('refuses %s', async (line) => {
    const client = await (await startListener()).client()
    await client.answer()
    await client.say('EHLO c')
    expect(await client.say(line)).toMatch(/^5\d\d /)
  })

  test('relays nothing: whoever is no inbox is a 550', async () => {
    const listener = await startListener()
    const client = await listener.client()
    await client.answer()
    await client.say('EHLO c')
    await client.say('MAIL FROM:<help@acme.test>')
    for (const stranger of [
      'x@acme.test',
      'help@other.test',
      'postmaster',
      'a%b.test@acme.test',
      '"help@acme.test"@b.test',
    ])
      expect(await client.say(`RCPT TO:<${stranger}>`)).toMatch(/^5\d\d /)
    expect(await client.say('DATA')).toStartWith('503 ')
    expect(listener.mails).toEqual([])
  })

  test('takes pipelined commands, and two mails over one connection', async () => {
    const listener = await startListener()
    const client = await listener.client()
    await client.answer()
    const one = `MAIL FROM:<a@b.test>\r\nRCPT TO:<help@acme.test>\r\nDATA\r\n${mailText()}.\r\n`
    client.write(`EHLO c\r\n${one}${one}QUIT\r\n`)
    expect((await client.ended).match(/^250 taken/gm)).toHaveLength(2)
    expect(listener.mails).toHaveLength(2)
  })

  test('encrypts with its certificate, and forgets what was said in the clear', async () => {
    const listener = await startListener({
      environment: {
        FRONTDESK_INBOUND_SMTP_TLS_CERT: join(certs, 'receiver.pem'),
        FRONTDESK_INBOUND_SMTP_TLS_KEY: join(certs, 'receiver-key.pem'),
      },
    })
    const transport = createTransport({
      port: listener.port,
      host: '127.0.0.1',
      requireTLS: true,
      tls: { ca: await Bun.file(join(certs, 'ca.pem')).text(), servername: 'localhost' },
    })
    await transport.sendMail({ envelope: { from: 'a@b.test', to: 'help@acme.test' }, raw: mailText() })
    expect(listener.mails).toHaveLength(1)
    const client = await listener.client()
    await client.answer()
    // What comes with STARTTLS in one piece was not encrypted (CVE-2011-0411).
    await client.say('EHLO c')
    client.write('STARTTLS\r\nMAIL FROM:<a@b.test>\r\nRCPT TO:<help@acme.test>\r\n')
    expect(await client.answer()).toStartWith('220 ')
    const encrypted = connectTls({ socket: client.socket, rejectUnauthorized: false })
    encrypted.write('DATA\r\n')
    expect(await new Promise((resolve) => encrypted.once('data', resolve)).then(String)).toStartWith(
      '503 Error: send HELO',
    )
    expect(listener.asked).toEqual(['help@acme.test'])
  })
})
