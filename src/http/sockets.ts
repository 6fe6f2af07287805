import type { ServerWebSocket, WebSocketHandler } from 'bun'
import { during } from '../lib/loop/activity.ts'

/** The longest frame taken, in bytes: a message of 10,000 characters, each escaped. */
const MAX_FRAME = 128 * 1024
/** What may wait to be sent to a client that does not read, in bytes; one that lets more wait is cut off. */
const MAX_WAITING = 2 * 1024 * 1024
/** Seconds after which a connection that answers no ping is taken for dead; pings are sent meanwhile. */
const IDLE_TIMEOUT = 60

export type Socket = ServerWebSocket<SocketHandler>

/** What a socket does; handed over when a request is upgraded. */
export interface SocketHandler {
  opened(socket: Socket): void
  /** A frame of text; one of bytes is null. */
  received(text: string | null): void
  /** The client has all that was sent to it before the ping of this content; '' of one that keeps the connection. */
  ponged(content: string): void
  closed(): void
}

const activity = { name: 'a socket' }

/** RFC 6455: the server goes away. */
const GOING_AWAY = 1001

/** The sockets of a listener: gives every event to the handler of its socket. */
export class Sockets implements WebSocketHandler<SocketHandler> {
  readonly maxPayloadLength = MAX_FRAME
  readonly backpressureLimit = MAX_WAITING
  readonly closeOnBackpressureLimit = true
  readonly idleTimeout = IDLE_TIMEOUT
  readonly sendPings = true
  readonly perMessageDeflate = false
  readonly #open = new Set<Socket>()

  /** How many are open. */
  get size(): number {
    return this.#open.size
  }

  open = (socket: Socket): void => {
    this.#open.add(socket)
    during(activity, () => socket.data.opened(socket))
  }

  message = (socket: Socket, frame: string | Buffer): void =>
    during(activity, () => socket.data.received(typeof frame === 'string' ? frame : null))

  pong = (socket: Socket, content: Buffer): void => during(activity, () => socket.data.ponged(content.toString()))

  close = (socket: Socket): void => {
    this.#open.delete(socket)
    during(activity, () => socket.data.closed())
  }

  /** Sends everybody away, to come again to another node or the next start. */
  closeAll(): void {
    for (const socket of this.#open) socket.close(GOING_AWAY, 'the service stops')
  }
}
