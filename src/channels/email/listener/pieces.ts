import type { SMTPServerDataStream } from 'smtp-server'
import type { PieceReader } from '../../../http/requests/bodies-under-way.ts'

/** The sender was gone before the mail was there whole. */
export class LostMail extends Error {
  override readonly name = 'LostMail'
}

/** Pieces of a mail that cost more than they bring: so many, and one for each so many bytes. */
const FREE_PIECES = 10_000
const BYTES_PER_PIECE = 500

/**
 * The content of a mail in pieces. Once it is not wanted any more it goes on being read and thrown away, since a sender
 * listens for the answer only after the last byte; `cutOff` is called when that was `waste` bytes, or when the pieces
 * are so many and small that no sender means well by it.
 */
export function piecesOf(stream: SMTPServerDataStream, waste: number, cutOff: () => void): PieceReader {
  type Piece = Awaited<ReturnType<PieceReader['read']>>
  const END: Piece = { done: true }
  const waiting: Uint8Array[] = []
  let ending: { piece: Piece } | { error: Error } | null = null
  let reader: PromiseWithResolvers<Piece> | null = null
  let isWanted = true
  let count = 0
  let size = 0

  function end(how: NonNullable<typeof ending>) {
    ending ??= how
    if (!reader) return
    if ('error' in ending) reader.reject(ending.error)
    else reader.resolve(ending.piece)
    reader = null
  }

  stream.on('data', (piece: Uint8Array) => {
    size += piece.length
    if (size > waste || ++count > FREE_PIECES + size / BYTES_PER_PIECE) cutOff()
    if (!isWanted) return
    if (reader) {
      reader.resolve({ value: piece })
      reader = null
    } else waiting.push(piece)
  })
  stream.on('end', () => end({ piece: END }))
  const lost = () => end({ error: new LostMail('the sender went away in the middle of it') })
  stream.on('error', lost)
  stream.on('close', lost)

  return {
    read() {
      const value = waiting.shift()
      if (value) return Promise.resolve({ value })
      if (ending) return 'error' in ending ? Promise.reject(ending.error) : Promise.resolve(ending.piece)
      reader = Promise.withResolvers()
      return reader.promise
    },
    async cancel() {
      isWanted = false
      waiting.length = 0
      end({ piece: END })
    },
  }
}
