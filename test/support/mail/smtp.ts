import { connect, type Socket } from 'node:net'

/** A client that says what it is told to, line by line or byte by byte. */
export interface SmtpClient {
  readonly socket: Socket
  /** Everything that was answered so far. */
  readonly heard: () => string
  /** Writes as it is. */
  write(text: string | Uint8Array): void
  /** The next whole answer, all its lines. Throws when the connection ends first. */
  answer(): Promise<string>
  /** Says a line and returns its answer. */
  say(line: string): Promise<string>
  /** EHLO, MAIL, RCPT and DATA, up to the 354. */
  begin(to: string, from?: string): Promise<void>
  /** Resolves once the connection has ended, with all that was answered. */
  readonly ended: Promise<string>
  close(): void
}

/** Connects and waits for nothing. `from` is the local address to come from, such as 127.0.0.2. */
export async function connectSmtp(port: number, localAddress = '127.0.0.1'): Promise<SmtpClient> {
  const socket = connect({ port, host: '127.0.0.1', localAddress })
  let heard = ''
  let read = 0
  let isOver = false
  const waiting: (() => void)[] = []
  const wake = () => {
    for (const next of waiting.splice(0)) next()
  }
  const ended = new Promise<string>((resolve) => {
    socket.on('close', () => {
      isOver = true
      wake()
      resolve(heard)
    })
  })
  socket.on('data', (chunk) => {
    heard += chunk.toString('latin1')
    wake()
  })
  socket.on('error', () => {})
  await new Promise<void>((resolve) => {
    socket.once('connect', () => resolve())
    socket.once('close', () => resolve())
  })

  const client: SmtpClient = {
    socket,
    heard: () => heard,
    write: (text) => void socket.write(text),
    async answer() {
      for (;;) {
        const found = /^(?:\d{3}-[^\n]*\n)*\d{3}(?: [^\n]*)?\n/.exec(heard.slice(read))
        if (found) {
          read += found[0].length
          return found[0].trimEnd()
        }
        if (isOver) throw new Error(`the connection ended after ${JSON.stringify(heard)}`)
        await new Promise<void>((resolve) => waiting.push(resolve))
      }
    },
    say(line) {
      socket.write(`${line}\r\n`)
      return client.answer()
    },
    async begin(to, from = 'ada@acme.test') {
      const greeting = await client.answer()
      if (!greeting.startsWith('220')) throw new Error(greeting)
      for (const line of ['EHLO client.test', `MAIL FROM:<${from}>`, `RCPT TO:<${to}>`]) {
        const reply = await client.say(line)
        if (!reply.startsWith('250')) throw new Error(`${line}: ${reply}`)
      }
      const go = await client.say('DATA')
      if (!go.startsWith('354')) throw new Error(go)
    },
    ended,
    close: () => void socket.destroy(),
  }
  return client
}

/** A mail as it goes over the wire. */
export function mailText(headers: Record<string, string> = {}, body = 'Where is my order?'): string {
  const lines = Object.entries({
    From: 'Ada Lovelace <ada@acme.test>',
    To: 'help@acme.test',
    Subject: 'Where is my order?',
    'Message-ID': `<${crypto.randomUUID()}@acme.test>`,
    Date: 'Sun, 01 Mar 2026 09:00:00 +0000',
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${lines.join('')}\r\n${body}\r\n`
}
