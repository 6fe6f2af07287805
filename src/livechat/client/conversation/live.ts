/*
 * Hears of new messages: by a WebSocket, and by asking while there is none. Either way whoever slept or was cut off
 * catches up first.
 */

/** How long is waited after failures in a row, in milliseconds: doubled each time, and never the same for all. */
const RETRY_BASE = 1000
const RETRY_MOST = 60_000
/** How often is asked without a socket: the first time, and at most; and with one, which may be dead without a word. */
const POLL_BASE = 3000
const POLL_MOST = 30_000
const POLL_BESIDE = 60_000
/** A clock that jumps by more than this has slept, in milliseconds. */
const SLEEP = 30_000
const TICK = 5000

export interface Heard {
  /** A socket is open, which knows nothing yet but the token. */
  opened(): void
  message(frame: { type?: unknown; conversationId?: unknown; message?: unknown; messageId?: unknown }): void
  /** Whatever was missed is to be asked for. Says whether the service could be reached. */
  catchUp(): Promise<boolean>
}

/** Half to one and a half times as long. */
export const jittered = (ms: number): number => ms * (0.5 + Math.random())

/** Listens at `address` while there is a token. */
export class Live {
  #socket: WebSocket | null = null
  #isOpen = false
  #failures = 0
  #isShown = false
  #retry: ReturnType<typeof setTimeout> | undefined
  #poll: ReturnType<typeof setTimeout> | undefined
  #quietPolls = 0

  constructor(
    private readonly address: string,
    private readonly token: () => string | null,
    private readonly heard: Heard,
  ) {
    this.#wakeByItself()
  }

  /** Begins, or begins anew for somebody else. */
  start(): void {
    this.#drop()
    this.#failures = 0
    this.#connect()
    void this.#catchUp()
  }

  /** Goes on, at once where it waits. */
  wake(): void {
    this.#failures = 0
    this.#quietPolls = 0
    this.#connect()
    void this.#catchUp()
  }

  stop(): void {
    this.#drop()
    clearTimeout(this.#poll)
  }

  show(shown: boolean): void {
    this.#isShown = shown
    if (shown) this.wake()
  }

  /** Somebody here is at it: an answer may come soon. */
  hurry(): void {
    this.#quietPolls = 0
    if (!this.#isOpen) this.#pollSoon()
  }

  /** Returns whether it has gone out. */
  send(frame: object): boolean {
    if (!this.#isOpen || this.#socket?.readyState !== WebSocket.OPEN) return false
    this.#socket.send(JSON.stringify(frame))
    return true
  }

  /** Goes on when the network is back, the page is looked at again, or the computer has slept. */
  #wakeByItself(): void {
    const wakeAnew = () => {
      this.#drop()
      this.wake()
    }
    let lastTick = Date.now()
    setInterval(() => {
      const now = Date.now()
      if (now - lastTick > SLEEP) wakeAnew()
      lastTick = now
    }, TICK)
    addEventListener('online', wakeAnew)
    addEventListener('pageshow', (event) => (event as PageTransitionEvent).persisted && wakeAnew())
    document.addEventListener('visibilitychange', () => !document.hidden && this.wake())
  }

  #connect(): void {
    clearTimeout(this.#retry)
    if (this.#socket || this.token() === null) return
    let opened: WebSocket
    try {
      opened = new WebSocket(this.address)
    } catch {
      return
    }
    this.#socket = opened
    opened.addEventListener('open', () => {
      opened.send(JSON.stringify({ token: this.token() }))
      this.#isOpen = true
      this.heard.opened()
      void this.#catchUp()
    })
    opened.addEventListener('message', ({ data }) => {
      if (this.#socket === opened) this.#hear(String(data))
    })
    opened.addEventListener('close', () => {
      if (this.#socket !== opened) return
      this.#drop()
      this.#retry = setTimeout(
        () => this.#connect(),
        jittered(Math.min(RETRY_BASE * 2 ** this.#failures++, RETRY_MOST)),
      )
      this.#pollSoon()
    })
  }

  #hear(data: string): void {
    this.#failures = 0
    try {
      this.heard.message(JSON.parse(data))
    } catch {
      // What cannot be read is asked for.
      void this.#catchUp()
    }
  }

  #drop(): void {
    const dropped = this.#socket
    this.#socket = null
    this.#isOpen = false
    clearTimeout(this.#retry)
    dropped?.close()
  }

  async #catchUp(): Promise<void> {
    if (this.token() === null) return
    const isReached = await this.heard.catchUp()
    if (!isReached) this.#quietPolls++
    this.#pollSoon()
  }

  #pollSoon(): void {
    clearTimeout(this.#poll)
    // Nobody sees the page: it catches up when they look at it again.
    if (this.token() === null || (this.#isOpen && document.hidden)) return
    const often = this.#isShown && !document.hidden
    const wait = this.#isOpen || !often ? POLL_BESIDE : Math.min(POLL_BASE * 1.5 ** this.#quietPolls++, POLL_MOST)
    this.#poll = setTimeout(() => void this.#catchUp(), jittered(wait))
  }
}
