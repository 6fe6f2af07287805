import { AppError, invalid, refusal, rule } from '../../errors.ts'

/** What a piece takes besides its content: a client can send a body byte by byte. */
const PIECE = 256
/** Seconds that a client is asked to wait when there was no room for its body. */
const RETRY_AFTER = 5

/** What hands out a body piece by piece. */
export interface PieceReader {
  read(): Promise<{ readonly done?: boolean | undefined; readonly value?: Uint8Array | undefined }>
  /** Nothing of it is wanted any more; what waits for a piece is told that there is none. */
  cancel(): Promise<unknown>
}

interface Body {
  size: number
  /** Breaks it off: reading it ends with the error. */
  end(error: AppError): void
}

/**
 * Bodies while they come in. Together they take a bounded memory and each a bounded time,
 * however many are begun and not finished: when room is short the one that was begun first has to go, so that whoever
 * sends a body at once gets through.
 */
export class BodiesUnderWay {
  /** In the order they were begun. */
  readonly #bodies = new Set<Body>()
  #size = 0

  /** `memory` is what unfinished bodies may take together, in bytes; `patience` how long one may take, in milliseconds. */
  constructor(
    private readonly memory: number,
    private readonly patience: number,
  ) {}

  /** Reads a body of at most `limit` bytes. Throws `too_large`, `invalid_request` when it takes too long, `unavailable`. */
  async read(request: Request, limit: number): Promise<Uint8Array> {
    // Nothing of it is read then; what comes of it is thrown away.
    if (Number(request.headers.get('content-length')) > limit) throw tooLarge(limit)
    const reader = request.body?.getReader()
    return reader ? this.readPieces(reader, limit) : new Uint8Array()
  }

  /** As `read`, from anything that comes in pieces. */
  async readPieces(reader: PieceReader, limit: number): Promise<Uint8Array> {
    let failure: AppError | null = null
    const body: Body = {
      size: 0,
      end(error) {
        failure ??= error
        reader.cancel().catch(() => {})
      },
    }
    const timer = setTimeout(() => body.end(tooSlow(this.patience)), this.patience)
    this.#bodies.add(body)
    try {
      const pieces: Uint8Array[] = []
      let length = 0
      for (;;) {
        const { done, value } = await reader.read()
        if (failure) throw failure
        if (done || value === undefined) return pieces.length === 1 ? (pieces[0] as Uint8Array) : Buffer.concat(pieces)
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
  return refusal('too_large', rule('body_too_large', { size: limit }), {}, 'body')
}

function tooSlow(patience: number): AppError {
  return invalid('body', rule('body_late', { time: `${patience / 1000} seconds` }))
}

function noRoom(): AppError {
  return new AppError('unavailable', 'too much is being sent at the moment: try again', { retryAfter: RETRY_AFTER })
}
