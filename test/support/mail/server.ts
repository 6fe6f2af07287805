import { createServer, type Socket } from 'node:net'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from 'smtp-server'

/** A mail as the server took it. */
export interface ReceivedMail extends Email {
  raw: string
  envelope: { from: string; to: string[] }
}

export type MailServer = Awaited<ReturnType<typeof startMailServer>>

/**
 * A real SMTP server on a free port. `options` are smtp-server's, to refuse things; `beforeTaken` is what it does once it
 * has a mail's content, before it takes it, and `onDataStart` is told who sends one as the content begins. Close it when
 * done.
 */
export async function startMailServer({
  beforeTaken = async () => {},
  onDataStart,
  ...options
}: SMTPServerOptions & {
  beforeTaken?: () => Promise<void>
  onDataStart?: (session: SMTPServerSession) => void
} = {}) {
  const mails: ReceivedMail[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, done) {
      onDataStart?.(session)
      const take = async () => {
        const raw = await new Response(stream as unknown as ReadableStream).text()
        await beforeTaken()
        const { mailFrom, rcptTo } = session.envelope
        const envelope = { from: mailFrom ? mailFrom.address : '', to: rcptTo.map(({ address }) => address) }
        mails.push({ ...(await PostalMime.parse(raw)), raw, envelope })
      }
      take().then(() => done(), done)
    },
    ...options,
  })
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as { port: number }
  return {
    url: `smtp://127.0.0.1:${port}`,
    port,
    mails,
    close: () => new Promise<void>((resolve) => server.close(resolve)),
  }
}

/** The error by which smtp-server callbacks answer with a code. */
export function refusal(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode })
}

/** A server that misbehaves below SMTP: `talk` gets each connection. */
export async function startRawServer(talk: (socket: Socket) => void) {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    talk(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  return {
    url: `smtp://127.0.0.1:${port}`,
    close: () => {
      for (const socket of sockets) socket.destroy()
      return new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

/** Plays an SMTP conversation up to a command, for which `instead` happens. */
export function talkUntil(command: string, instead: (socket: Socket) => void) {
  return (socket: Socket) => {
    socket.write('220 ready\r\n')
    let inData = false
    socket.on('data', (chunk) => {
      for (const line of chunk.toString().split('\r\n').filter(Boolean)) {
        if (inData ? line === command : line.toUpperCase().startsWith(command)) return instead(socket)
        if (inData) continue
        inData = line.toUpperCase() === 'DATA'
        socket.write(inData ? '354 go on\r\n' : '250 ok\r\n')
      }
    })
  }
}
