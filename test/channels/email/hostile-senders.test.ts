import { heapStats } from 'bun:jsc'
import { describe, expect, test } from 'bun:test'
import { startListener } from '../../support/mail/listener.ts'
import { mailText, type SmtpClient } from '../../support/mail/smtp.ts'

/** That the listener still takes a mail, from another address. */
async function takesTheNext(listener: Awaited<ReturnType<typeof startListener>>) {
  const client = await listener.client('127.0.0.9')
  await client.begin('help@acme.test')
  client.write(`${mailText()}.\r\n`)
  expect(await client.answer()).toBe('250 taken')
}

/** Sends a byte at a time until the connection ends. */
async function drip(client: SmtpClient, text: string): Promise<string> {
  const timer = setInterval(() => client.write(text), 5)
  return client.ended.finally(() => clearInterval(timer))
}

describe('a client that sends a byte now and then', () => {
  test('of a command is cut off when its time is over', async () => {
    const listener = await startListener({ limits: { session: 2_000 } })
    const client = await listener.client()
    await client.answer()
    expect(await drip(client, 'N')).toEndWith('421 that was enough: connect again\r\n')
    await takesTheNext(listener)
  })

  test('of a mail is cut off when the time of the mail is over, and nothing of it is kept', async () => {
    const listener = await startListener({ limits: { data: 1_000 } })
    const client = await listener.client()
    await client.begin('help@acme.test')
    expect(await drip(client, 'x')).toEndWith('421 the mail came too slowly\r\n')
    expect(listener.mails).toEqual([])
    expect(listener.logged).toMatchObject([{ message: 'mail', code: 421, reason: 'the mail came too slowly' }])
    await takesTheNext(listener)
  })

  test('or none at all is cut off when it was idle', async () => {
    const listener = await startListener({ limits: { idle: 100 } })
    const client = await listener.client()
    expect(await client.ended).toEndWith('421 Timeout - closing connection\r\n')
  })
})

describe('a client that does not stop', () => {
  test('naming recipients gets a 452 after 100, is asked for no more, and is cut off after 500 commands', async () => {
    const listener = await startListener()
    const client = await listener.client()
    await client.answer()
    await client.say('EHLO c')
    await client.say('MAIL FROM:<a@b.test>')
    client.write(Array.from({ length: 10_000 }, (_, i) => `RCPT TO:<help+${i}@acme.test>\r\n`).join(''))
    const heard = await client.ended
    expect(heard.match(/^250 Accepted/gm)).toHaveLength(101)
    expect(heard.match(/^452 /gm)?.length).toBeLessThanOrEqual(400)
    expect(heard).toContain('421 that was enough')
    expect(listener.asked).toHaveLength(100)
    await takesTheNext(listener)
  })

  test('guessing at mailboxes is cut off after 20', async () => {
    const listener = await startListener()
    const client = await listener.client()
    await client.answer()
    await client.say('EHLO c')
    await client.say('MAIL FROM:<a@b.test>')
    client.write(Array.from({ length: 100 }, (_, i) => `RCPT TO:<guess${i}@acme.test>\r\n`).join(''))
    expect((await client.ended).match(/^550 /gm)).toHaveLength(20)
    expect(listener.asked).toHaveLength(21)
  })

  test('sending commands that do nothing is cut off', async () => {
    const listener = await startListener()
    const client = await listener.client()
    await client.answer()
    client.write('NOOP\r\n'.repeat(100_000))
    expect((await client.ended).match(/^250 /gm)?.length).toBeLessThanOrEqual(500)
    await takesTheNext(listener)
  })

  test('sending one command is cut off', async () => {
    const listener = await startListener()
    const client = await listener.client()
    await client.answer()
    client.write(`EHLO ${'c'.repeat(100_000)}`)
    expect(await client.ended).toContain('421 Error: Command line too long')
  })

  test('sending a header without an end is a 552', async () => {
    const listener = await startListener({ limits: { size: 1_000_000 } })
    const client = await listener.client()
    await client.begin('help@acme.test')
    client.write('X: ')
    for (let i = 0; i < 20; i++) client.write('x'.repeat(100_000))
    client.write('\r\n.\r\n')
    expect(await client.answer()).toBe('552 the mail is larger than 25 MiB')
    expect(listener.mails).toEqual([])
    expect(await client.say('RSET')).toStartWith('250 ')
  })
})

/** What this process keeps, in bytes: without what is garbage, which it collects when it gets to it. */
function kept(): number {
  Bun.gc(true)
  const { heapSize, extraMemorySize } = heapStats()
  return heapSize + extraMemorySize
}

describe('a mail of 100 MB', () => {
  test('is refused before it is sent where it says so', async () => {
    const listener = await startListener()
    const client = await listener.client()
    await client.answer()
    await client.say('EHLO c')
    expect(await client.say('MAIL FROM:<a@b.test> SIZE=100000000')).toStartWith('552 ')
  })

  test('is a 552 once it was sent, whatever it said, and takes no memory', async () => {
    const listener = await startListener()
    const client = await listener.client()
    await client.begin('help@acme.test')
    const line = Buffer.from(`${'x'.repeat(998)}\r\n`.repeat(100))
    const before = kept()
    let most = before
    for (let sent = 0; sent < 100_000_000; sent += line.length) {
      if (!client.socket.write(line)) await new Promise((resolve) => client.socket.once('drain', resolve))
      if (sent % (100 * line.length) === 0) most = Math.max(most, kept())
    }
    client.write('.\r\n')
    expect(await client.answer()).toBe('552 the mail is larger than 25 MiB')
    // Most of a mail of the largest size, and what is on its way.
    expect(most - before).toBeLessThan(50_000_000)
    expect(listener.logged).toMatchObject([{ code: 552 }])
    await takesTheNext(listener)
  })

  test('is cut off where it goes on', async () => {
    const listener = await startListener({ limits: { size: 100_000, waste: 400_000 } })
    const client = await listener.client()
    await client.begin('help@acme.test')
    const timer = setInterval(() => client.write('x'.repeat(50_000)), 1)
    expect(await client.ended.finally(() => clearInterval(timer))).toEndWith('421 that is too much\r\n')
    await takesTheNext(listener)
  })

  test('of lines that begin with two dots, which are taken one by one, is cut off', async () => {
    const listener = await startListener()
    const client = await listener.client()
    await client.begin('help@acme.test')
    client.write('\r\n..'.repeat(1_000_000))
    expect(await client.ended).toEndWith('421 that is too much\r\n')
    expect(listener.mails).toEqual([])
  })
})

describe('mails that come in together', () => {
  test('take a bounded memory: the one begun first has to go, and who sends at once gets through', async () => {
    const listener = await startListener({ limits: { incoming: 300_000 } })
    const slow = await listener.client()
    await slow.begin('help@acme.test')
    slow.write('x'.repeat(200_000))
    while (slow.socket.writableLength > 0) await Bun.sleep(1)
    const quick = await listener.client('127.0.0.2')
    await quick.begin('help@acme.test')
    quick.write(`${mailText({}, 'y'.repeat(200_000))}.\r\n`)
    expect(await quick.answer()).toBe('250 taken')
    slow.write('\r\n.\r\n')
    expect(await slow.answer()).toStartWith('451 ')
    expect(listener.mails).toHaveLength(1)
  })

  test('are refused for now while too much waits to be stored', async () => {
    const stored = Promise.withResolvers<void>()
    const reached = Promise.withResolvers<void>()
    const listener = await startListener({
      limits: { storing: 1_000 },
      receive: async () => {
        reached.resolve()
        await stored.promise
        return { outcome: 'created', ticketId: 't' }
      },
    })
    const [first, second] = [await listener.client(), await listener.client()]
    await first.begin('help@acme.test')
    first.write(`${mailText({}, 'y'.repeat(2_000))}.\r\n`)
    await reached.promise
    await second.begin('help@acme.test')
    second.write(`${mailText()}.\r\n`)
    expect(await second.answer()).toStartWith('451 too much mail')
    stored.resolve()
    expect(await first.answer()).toBe('250 taken')
    expect(listener.mails).toHaveLength(1)
  })
})

describe('connections', () => {
  test('from one address beyond 20 are turned away before anything is read, the others not', async () => {
    const listener = await startListener()
    const clients = await Promise.all(Array.from({ length: 1_000 }, () => listener.client()))
    const greetings = await Promise.all(clients.map((client) => client.answer()))
    expect(greetings.filter((greeting) => greeting.startsWith('220'))).toHaveLength(20)
    expect(new Set(greetings.filter((greeting) => !greeting.startsWith('220')))).toEqual(
      new Set(['421 too many connections: try again later']),
    )
    await takesTheNext(listener)
    clients.find((client) => client.heard().startsWith('220'))?.write('QUIT\r\n')
    // A place is free once one has gone.
    for (;;) {
      if ((await (await listener.client()).answer()).startsWith('220')) break
    }
  })

  test('from a relay that is trusted are as many as there is room for', async () => {
    const listener = await startListener({ environment: { FRONTDESK_TRUSTED_PROXIES: '127.0.0.0/8' } })
    const clients = await Promise.all(Array.from({ length: 100 }, () => listener.client()))
    const greetings = await Promise.all(clients.map((client) => client.answer()))
    expect(greetings.every((greeting) => greeting.startsWith('220'))).toBe(true)
  })

  test('where all places are taken, the one that has been there longest without a mail goes', async () => {
    const listener = await startListener({ limits: { connections: 3 } })
    const sending = await listener.client()
    await sending.begin('help@acme.test')
    const idle = await listener.client('127.0.0.2')
    await idle.answer()
    const later = await listener.client('127.0.0.3')
    await later.answer()
    await takesTheNext(listener)
    expect(await idle.ended).toEndWith('421 too many connections: try again later\r\n')
    sending.write(`${mailText()}.\r\n`)
    expect(await sending.answer()).toBe('250 taken')
    expect(await later.say('NOOP')).toStartWith('250 ')
  })

  test('carry a bounded number of mails each', async () => {
    const listener = await startListener({ limits: { mails: 2 } })
    const client = await listener.client()
    const one = `MAIL FROM:<a@b.test>\r\nRCPT TO:<help@acme.test>\r\nDATA\r\n${mailText()}.\r\n`
    await client.answer()
    client.write(`EHLO c\r\n${one.repeat(3)}`)
    const heard = await client.ended
    expect(heard.match(/^250 taken/gm)).toHaveLength(2)
    expect(heard).toEndWith('421 that were enough mails: connect again\r\n')
  })
})

test('mails of one address beyond its limit a minute wait, those of another do not, nor those of a trusted relay', async () => {
  const listener = await startListener({
    environment: { FRONTDESK_PUBLIC_RATE_LIMIT: '2', FRONTDESK_TRUSTED_PROXIES: '127.0.0.3' },
  })
  const from = async (address: string) => {
    const client = await listener.client(address)
    await client.answer()
    await client.say('EHLO c')
    const answers = []
    for (let i = 0; i < 3; i++) {
      answers.push(await client.say('MAIL FROM:<a@b.test>'))
      await client.say('RSET')
    }
    return answers
  }
  const accepted = '250 Accepted'
  const refused = '450 too many mails from your address: try again in 60 seconds'
  expect(await from('127.0.0.1')).toEqual([accepted, accepted, refused])
  expect(await from('127.0.0.2')).toEqual([accepted, accepted, refused])
  expect(await from('127.0.0.3')).toEqual([accepted, accepted, accepted])
  listener.clock.advance(60_000)
  expect(await from('127.0.0.1')).toEqual([accepted, accepted, refused])
})

describe('a second mail that is smuggled in the first', () => {
  const smuggled =
    'MAIL FROM:<ceo@acme.test>\r\nRCPT TO:<help@acme.test>\r\nDATA\r\nFrom: ceo@acme.test\r\n\r\nPay!\r\n'

  test.each([
    ['LF . LF', '\n.\n'],
    ['LF . CRLF', '\n.\r\n'],
    ['CRLF . LF', '\r\n.\n'],
    ['CR . CR', '\r.\r'],
    ['CR . CRLF', '\r.\r\n'],
    ['CRLF . CR', '\r\n.\r'],
    ['CRLF NUL . CRLF', '\r\n\0.\r\n'],
    ['LF .. CRLF', '\n..\r\n'],
  ])('behind %s is a part of the first', async (_, end) => {
    const listener = await startListener()
    const client = await listener.client()
    await client.begin('help@acme.test')
    client.write(`From: ada@acme.test\r\n\r\nHello${end}${smuggled}.\r\n`)
    expect(await client.answer()).toBe('250 taken')
    expect(await client.say('NOOP')).toBe('250 OK')
    expect(listener.mails).toHaveLength(1)
    expect(Buffer.from(listener.mails[0]?.raw ?? []).toString('latin1')).toContain('Pay!')
  })

  test('is one mail however its bytes are cut up', async () => {
    const listener = await startListener()
    const client = await listener.client()
    client.socket.setNoDelay(true)
    await client.begin('help@acme.test')
    const text = 'From: ada@acme.test\r\n\r\nHello\r\n..\r\n...\r\n.\r\n'
    for (const byte of text) {
      client.write(byte)
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(await client.answer()).toBe('250 taken')
    expect(Buffer.from(listener.mails[0]?.raw ?? []).toString()).toBe('From: ada@acme.test\r\n\r\nHello\r\n.\r\n..\r\n')
  })
})

test('a client that goes away in the middle of a mail leaves nothing, and is a line in the log', async () => {
  const listener = await startListener()
  const client = await listener.client()
  await client.begin('help@acme.test')
  client.write('From: ada@acme.test\r\n')
  client.close()
  while (listener.logged.length === 0) await Bun.sleep(1)
  expect(listener.logged).toMatchObject([{ code: 421, reason: 'the sender went away in the middle of it' }])
  expect(listener.mails).toEqual([])
})

describe('a listener that stops', () => {
  test('lets a mail that is coming in finish, and tells the others at once', async () => {
    const listener = await startListener()
    const [sending, idle] = [await listener.client(), await listener.client()]
    await Promise.all([sending.begin('help@acme.test'), idle.answer()])
    const stopped = listener.stop()
    expect(await idle.ended).toContain('421 ')
    sending.write(`${mailText()}.\r\n`)
    expect(await sending.answer()).toBe('250 taken')
    expect(await sending.ended).toContain('421 ')
    await stopped
    expect(listener.mails).toHaveLength(1)
  })
})
