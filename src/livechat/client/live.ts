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
  message(frame: { type?: unknown; conversationId?: unknown; message?: unknown }): void
  /** Whatever was missed is to be asked for. Says whether the service could be reached. */
  catchUp(): Promise<boolean>
}

/** Half to one and a half times as long. */
export const jittered = (ms: number): number => ms * (0.5 + Math.random())

/** Listens at `address` while there is a `token`. */
export function listen(address: string, token: () => string | null, heard: Heard) {
  let socket: WebSocket | null = null
  let isOpen = false
  let failures = 0
  let isShown = false
  let retry: ReturnType<typeof setTimeout> | undefined
  let poll: ReturnType<typeof setTimeout> | undefined
  let quietPolls = 0
  let lastTick = Date.now()

  function connect(): void {
    clearTimeout(retry)
    if (socket || token() === null) return
    let opened: WebSocket
    try {
      opened = new WebSocket(address)
    } catch {
      return
    }
    socket = opened
    opened.addEventListener('open', () => {
      opened.send(JSON.stringify({ token: token() }))
      isOpen = true
      void catchUp()
    })
    opened.addEventListener('message', ({ data }) => {
      if (socket !== opened) return
      failures = 0
      try {
        heard.message(JSON.parse(String(data)))
      } catch {
        // What cannot be read is asked for.
        void catchUp()
      }
    })
    opened.addEventListener('close', () => {
      if (socket !== opened) return
      drop()
      retry = setTimeout(connect, jittered(Math.min(RETRY_BASE * 2 ** failures++, RETRY_MOST)))
      pollSoon()
    })
  }

  function drop(): void {
    const dropped = socket
    socket = null
    isOpen = false
    clearTimeout(retry)
    dropped?.close()
  }

  async function catchUp(): Promise<void> {
    if (token() === null) return
    const isReached = await heard.catchUp()
    if (!isReached) quietPolls++
    pollSoon()
  }

  function pollSoon(): void {
    clearTimeout(poll)
    // Nobody sees the page: it catches up when they look at it again.
    if (token() === null || (isOpen && document.hidden)) return
    const often = isShown && !document.hidden
    const wait = isOpen || !often ? POLL_BESIDE : Math.min(POLL_BASE * 1.5 ** quietPolls++, POLL_MOST)
    poll = setTimeout(() => void catchUp(), jittered(wait))
  }

  /** The network is back, or the page is looked at again. */
  function wake(hasSlept: boolean): void {
    if (hasSlept) drop()
    failures = 0
    quietPolls = 0
    connect()
    void catchUp()
  }

  setInterval(() => {
    const now = Date.now()
    if (now - lastTick > SLEEP) wake(true)
    lastTick = now
  }, TICK)
  addEventListener('online', () => wake(true))
  addEventListener('pageshow', (event) => (event as PageTransitionEvent).persisted && wake(true))
  document.addEventListener('visibilitychange', () => !document.hidden && wake(false))

  return {
    /** Begins, or begins anew for somebody else. */
    start(): void {
      drop()
      failures = 0
      connect()
      void catchUp()
    },
    /** Goes on, at once where it waits. */
    wake: () => wake(false),
    stop(): void {
      drop()
      clearTimeout(poll)
    },
    show(shown: boolean): void {
      isShown = shown
      if (shown) wake(false)
    },
    /** Somebody here is at it: an answer may come soon. */
    hurry(): void {
      quietPolls = 0
      if (!isOpen) pollSoon()
    },
    send(frame: object): void {
      if (isOpen && socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(frame))
    },
  }
}

export type Live = ReturnType<typeof listen>
