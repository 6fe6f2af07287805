import { afterEach } from 'bun:test'
import net from 'node:net'
import { type PostRequest, type PostResult, post } from '../../../src/lib/network/outbound-post.ts'
import { PATIENCE, until } from '../patience.ts'
import { type Receiver, type ReceiverOptions, type Script, startReceiver, testCa } from './receiver.ts'

const open: { close(): unknown }[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((peer) => peer.close()))
})

/** A receiver that answers its first requests as scripted, closed after the test. */
export async function receiving(scripts: Script[] = [], options: ReceiverOptions = {}): Promise<Receiver> {
  const receiver = await startReceiver(options)
  open.push(receiver)
  receiver.next(...scripts)
  return receiver
}

/** A POST that may go to the machine itself, trusts the test CA and waits for as long as it takes, unless it is told. */
export function send(url: string, options: Partial<PostRequest> = {}): Promise<PostResult> {
  const limits = { timeoutMs: PATIENCE, bodyMs: PATIENCE }
  return post({ url, headers: {}, body: '{}', allowPrivate: true, ca: testCa, ...limits, ...options })
}

/** Resolves when the connections of the POSTs made so far can be used again. */
export function afterProbation(): Promise<void> {
  return Bun.sleep(20)
}

/** Resolves when the receiver has no connection left; throws when one stays. */
export async function allClosed(receiver: Receiver): Promise<void> {
  await until(() => receiver.connections.open === 0)
}

/** A bare TCP server, closed after the test; returns its URL. */
export async function listening(onConnection: (socket: net.Socket) => void): Promise<string> {
  const sockets = new Set<net.Socket>()
  const server = net.createServer((socket) => {
    sockets.add(socket.on('error', () => {}))
    onConnection(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  open.push({
    close() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  })
  return `http://127.0.0.1:${(server.address() as net.AddressInfo).port}/hook`
}
