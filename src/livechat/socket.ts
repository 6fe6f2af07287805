import type { VisitorPrincipal } from '../caller.ts'
import type { Socket, SocketHandler } from '../http/sockets.ts'
import { readTokenFrame } from './frames.ts'
import type { ChatMessage } from './model.ts'

/** How long a socket may be open without saying whose it is, in milliseconds. */
const PATIENCE = 5_000
/** Frames that may wait while one is worked on, and what one socket may send in ten seconds. */
const MOST_WAITING = 20
const MOST_FRAMES = 100
const FRAMES_WINDOW = 10_000
/** Messages remembered as sent, so that none is sent twice. */
const REMEMBERED = 200

/** Close codes of RFC 6455. */
const POLICY = 1008
const OUR_FAULT = 1011

/** What a socket asks of those around it. */
export interface SocketWorld {
  /** Whose token it is, once what happens to them is told; null for nobody's. */
  enter(socket: ChatSocket, token: string): Promise<VisitorPrincipal | null>
  /** A frame of a visitor. Does not throw. */
  take(socket: ChatSocket, visitor: VisitorPrincipal, text: string | null): Promise<void>
  /** The visitor's browser has these answers. */
  seen(visitor: VisitorPrincipal, answers: readonly ChatMessage[]): void
  leave(socket: ChatSocket): void
}

/** One visitor's open socket, from the first frame on theirs. */
export class ChatSocket implements SocketHandler {
  visitor: VisitorPrincipal | null = null
  #socket: Socket | null = null
  #timer: Timer | undefined
  #work: Promise<void> = Promise.resolve()
  #waiting = 0
  #frames = { since: 0, count: 0 }
  /** By id; true of those that the visitor was told were what they sent here. */
  readonly #sent = new Map<string, boolean>()
  /** Answers that were sent and not acknowledged yet, by the number of the ping behind them. */
  readonly #unseen = new Map<number, ChatMessage>()
  #pings = 0

  constructor(
    private readonly world: SocketWorld,
    private readonly patience = PATIENCE,
  ) {}

  opened(socket: Socket): void {
    this.#socket = socket
    this.#timer = setTimeout(() => this.end('no token came'), this.patience)
  }

  received(text: string | null): void {
    if (this.#waiting >= MOST_WAITING || this.#isFlooding()) {
      this.end('too much at once')
      return
    }
    this.#waiting++
    this.#work = this.#work.then(async () => {
      await this.#take(text)
      this.#waiting--
    })
  }

  ponged(content: string): void {
    const last = Number(content)
    const seen = [...this.#unseen].filter(([number]) => content !== '' && number <= last)
    for (const [number] of seen) this.#unseen.delete(number)
    if (this.visitor && seen.length > 0)
      this.world.seen(
        this.visitor,
        seen.map(([, message]) => message),
      )
  }

  closed(): void {
    clearTimeout(this.#timer)
    this.#socket = null
    this.world.leave(this)
  }

  /** Sends a frame; nothing once the socket is closed. */
  send(frame: string): void {
    this.#socket?.send(frame)
  }

  /** Sends a message, unless it was. */
  sendMessage(message: ChatMessage, frame: string): void {
    if (this.#sent.has(message.id) || !this.#socket) return
    this.#remember(message, false)
    this.#socket.send(frame)
    if (message.direction === 'inbound') return
    this.#unseen.set(++this.#pings, message)
    this.#socket.ping(String(this.#pings))
  }

  /**
   * Answers what its visitor said here, once. It may have been passed on already, as to every other socket of theirs, but
   * only this says which of what they sent it was.
   */
  answer(message: ChatMessage, frame: string): void {
    if (this.#sent.get(message.id)) return
    this.#remember(message, true)
    this.send(frame)
  }

  /** Closes it: the visitor did what no visitor does, unless the code says another reason. */
  end(reason: string, code: typeof POLICY | typeof OUR_FAULT = POLICY): void {
    this.#socket?.close(code, reason)
  }

  #remember({ id }: ChatMessage, isAnswered: boolean): void {
    this.#sent.set(id, isAnswered)
    const [oldest] = this.#sent.keys()
    if (this.#sent.size > REMEMBERED && oldest) this.#sent.delete(oldest)
  }

  async #take(text: string | null): Promise<void> {
    if (!this.#socket) return
    if (this.visitor) return this.world.take(this, this.visitor, text)
    clearTimeout(this.#timer)
    const token = readTokenFrame(text)
    try {
      this.visitor = token === null ? null : await this.world.enter(this, token)
      if (!this.visitor) this.end('the token is not known')
    } catch {
      // The database is away: the client comes again.
      this.end('try again', OUR_FAULT)
    }
  }

  #isFlooding(): boolean {
    const now = performance.now()
    if (now - this.#frames.since > FRAMES_WINDOW) this.#frames = { since: now, count: 0 }
    return ++this.#frames.count > MOST_FRAMES
  }
}
