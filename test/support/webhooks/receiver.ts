import { readFileSync } from 'node:fs'
import net from 'node:net'
import { join } from 'node:path'
import tls from 'node:tls'
import { PATIENCE } from '../patience.ts'
import { RequestReader } from './request-reader.ts'
import { reply, type Script } from './scripts.ts'

export * from './scripts.ts'

/** A request as it came in. */
export interface Received {
  method: string
  path: string
  /** Names in lower case. */
  headers: Record<string, string>
  /** Exactly the bytes sent. */
  body: Uint8Array
  /** When it was complete, in milliseconds since 1970. */
  at: number
  /** Which connection it came on, counted from 1. */
  connection: number
}

export interface Receiver {
  url: string
  port: number
  requests: Received[]
  /** Connections opened so far, and still open. */
  connections: { opened: number; open: number }
  /** Scripts for the requests to come, one each; after them every request is answered by `always`. */
  next(...scripts: Script[]): void
  /** Answers whatever `next` does not; `reply(200)` unless told. */
  always(script: Script): void
  /** Resolves when `n` requests have come in. */
  waitFor(n: number): Promise<Received[]>
  /** Breaks every open connection off, and goes on listening. */
  hangUp(): void
  close(): Promise<void>
}

export interface ReceiverOptions {
  /** true for a certificate of `testCa` that names receiver.test, localhost, 127.0.0.1 and ::1; or a bad one. */
  tls?: boolean | 'expired' | 'other-name' | 'self-signed'
  /** Any free one unless given. */
  port?: number
}

/** The certificate authority of the receivers, in PEM. */
export const testCa = certificate('ca')

/**
 * Starts a webhook receiver on 127.0.0.1 that records every request and answers as scripted.
 *
 *     const receiver = await startReceiver({ tls: true })
 *     receiver.next(reply(500), reset())
 *     await receiver.waitFor(2)
 */
export async function startReceiver(options: ReceiverOptions = {}): Promise<Receiver> {
  const sockets = new Set<net.Socket>()
  const queue: Script[] = []
  const connections = { opened: 0, open: 0 }
  let fallback: Script = reply(200)
  let arrived = () => {}
  const requests: Received[] = []

  const server = listen(options, (socket) => {
    const connection = ++connections.opened
    connections.open++
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => {
      connections.open--
      sockets.delete(socket)
    })
    const reader = new RequestReader((request) => {
      requests.push({ ...request, at: Date.now(), connection })
      arrived()
      void (queue.shift() ?? fallback)(socket)
    })
    socket.on('data', (chunk: Buffer) => reader.push(chunk))
  })
  await new Promise<void>((resolve, reject) => server.once('listening', resolve).once('error', reject))
  const { port } = server.address() as net.AddressInfo
  const hangUp = () => {
    for (const socket of sockets) socket.destroy()
  }

  return {
    url: `${options.tls ? 'https' : 'http'}://127.0.0.1:${port}/hook`,
    port,
    requests,
    connections,
    next: (...scripts) => void queue.push(...scripts),
    always: (script) => {
      fallback = script
    },
    waitFor: (n) =>
      new Promise((resolve, reject) => {
        const late = () => reject(new Error(`${requests.length} of ${n} requests came`))
        const timer = setTimeout(late, PATIENCE)
        arrived = () => {
          if (requests.length < n) return
          clearTimeout(timer)
          resolve(requests)
        }
        arrived()
      }),
    hangUp,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        hangUp()
      }),
  }
}

function listen(options: ReceiverOptions, onConnection: (socket: net.Socket) => void): net.Server {
  const port = options.port ?? 0
  if (!options.tls) return net.createServer(onConnection).listen(port, '127.0.0.1')
  const cert = certificate(options.tls === true ? 'receiver' : options.tls)
  return tls.createServer({ key: certificate('receiver-key'), cert }, onConnection).listen(port, '127.0.0.1')
}

function certificate(name: string): string {
  return readFileSync(join(import.meta.dir, '../servers/certs', `${name}.pem`), 'utf8')
}
