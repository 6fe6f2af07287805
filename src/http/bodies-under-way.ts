import { AppError } from '../errors.ts'

/** Memory that unfinished bodies may take together, in bytes. */
const MEMORY = 16 * 1024 * 1024
/** What a piece takes besides its content: a client can send a body byte by byte. */
const PIECE = 256
/** How long a body may take to arrive, in milliseconds: 256 KiB in it are 9 kB a second. */
const PATIENCE = 30_000
/** Seconds that a client is asked to wait when there was no room for its body. */
const RETRY_AFTER = 5

interface Body {
  size: number
  /** Breaks it off: reading it ends with the error. */
  end(error: AppError): void
}

/**
 * Bodies that anybody can send, while they come in. Together they take a bounded memory and each a bounded time,
 * however many are begun and not finished: when room is short the one that was begun first has to go, so that whoever
 * sends a body at once gets through.
 */
export class BodiesUnderWay {
  /** In the order they were begun. */
  readonly #bodies = new Set<Body>()
  #size = 0

  constructor(
    private readonly memory = MEMORY,
    private readonly patience = PATIENCE,
  ) {}

  /** Reads a body of at most `limit` bytes. Throws `too_large`, `invalid_request` when it takes too long, `unavailable`. */
  async read(request: Request, limit: number): Promise<Uint8Array> {
    // Nothing of it is read then; what comes of it is thrown away.
    if (Number(request.headers.get('content-length')) > limit) throw tooLarge(limit)
    const reader = request.body?.getReader()
    if (!reader) return new Uint8Array()
    let failure: AppError | null = null
    const body: Body = {
      size: 0,
      end(error) {
        failure ??= error
        // What waits for the next piece is told that there is none.
        reader.cancel().catch(() => {})
      },
    }
    const timer = setTimeout(() => body.end(tooSlow()), this.patience)
    this.#bodies.add(body)
    try {
      const pieces: Uint8Array[] = []
      let length = 0
      for (;;) {
        const { done, value } = await reader.read()
        if (failure) throw failure
        if (done) return pieces.length === 1 ? (pieces[0] as Uint8Array) : Buffer.concat(pieces)
        length += value.length
        if (length > limit) body.end(tooLarge(limit))
        pieces.push(value)
        this.#grow(body, value.length + PIECE)
      }
    } finally {
      clearTimeout(timer)
      this.#bodies.delete(body)
      this.#size -= body.size
    }
  }

  #grow(body: Body, size: number): void {
    body.size += size
    this.#size += size
    let excess = this.#size - this.memory
    for (const oldest of this.#bodies) {
      if (excess <= 0) return
      oldest.end(noRoom())
      excess -= oldest.size
    }
  }
}

function tooLarge(limit: number): AppError {
  return new AppError('too_large', `body: must be at most ${limit / 1024} KiB`)
}

function tooSlow(): AppError {
  return new AppError('invalid_request', `body: must arrive within ${PATIENCE / 1000} seconds`)
}

function noRoom(): AppError {
  return new AppError('unavailable', 'too much is being sent at the moment: try again', { retryAfter: RETRY_AFTER })
}
