import type { Socket } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import type { Config } from '../../../config.ts'
import { clientAddresses, trustedPeers } from '../../../lib/network/client-address.ts'
import type { Line, Visits } from './visits.ts'

/** smtp-server, which begins no conversation with those for whom there is no room. */
export class MailServer extends SMTPServer {
  readonly #clientOf: ReturnType<typeof clientAddresses>
  readonly #isTrusted: (peer: string) => boolean

  constructor(
    options: SMTPServerOptions,
    private readonly visits: Visits,
    { trustedProxies }: Pick<Config, 'trustedProxies'>,
  ) {
    super(options)
    this.#clientOf = clientAddresses([])
    this.#isTrusted = trustedPeers(trustedProxies)
  }

  /** Called by smtp-server with every connection, before anything is read from it. */
  override connect(socket: Socket, options?: Parameters<SMTPServer['connect']>[1]): void {
    const peer = socket.remoteAddress
    // It is gone already.
    if (peer === undefined || socket.destroyed) {
      socket.destroy()
      return
    }
    const client = this.#clientOf(peer, null)
    const isTrusted = this.#isTrusted(peer)
    if (!this.visits.hasRoom(client, isTrusted)) {
      turnAway(socket)
      return
    }
    super.connect(socket, options)
    const connection = [...this.connections].at(-1)
    if (!connection) throw new Error('smtp-server began no conversation')
    const line: Line = {
      id: connection.id,
      hangUp: (reason) => connection.send(421, reason),
    }
    this.visits.begin(line, client, isTrusted)
  }
}

function turnAway(socket: Socket): void {
  socket.on('error', () => {})
  socket.end('421 too many connections: try again later\r\n', () => socket.destroy())
}
