import { constants, crc32, deflateRawSync } from 'node:zlib'

/** RFC 1952: deflate, no name, no time, unknown system. */
const GZIP_HEADER = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255)

/**
 * A long text that is sent again and again with another short piece in one place: compressed once, around that place.
 * Throws unless `mark`, which stands there in `text`, is in it exactly once.
 */
export class SplicedText {
  readonly #head: Uint8Array<ArrayBuffer>
  readonly #tail: Uint8Array<ArrayBuffer>
  readonly #packedHead: Uint8Array
  readonly #packedTail: Uint8Array

  constructor(text: string, mark: string) {
    const parts = text.split(mark)
    if (parts.length !== 2) throw new Error(`the mark is in the text ${parts.length - 1} times`)
    const [head, tail] = parts.map((part) => new TextEncoder().encode(part))
    this.#head = head as Uint8Array<ArrayBuffer>
    this.#tail = tail as Uint8Array<ArrayBuffer>
    // Flushed, so that it ends at a whole byte; the tail refers to nothing before it.
    this.#packedHead = deflateRawSync(this.#head, { finishFlush: constants.Z_SYNC_FLUSH })
    this.#packedTail = deflateRawSync(this.#tail)
  }

  /** Bytes of memory that it takes. */
  get size(): number {
    return this.#head.length + this.#tail.length + this.#packedHead.length + this.#packedTail.length
  }

  /** The text with `piece` in its place, in UTF-8. */
  plain(piece: string): Uint8Array<ArrayBuffer> {
    return Buffer.concat([this.#head, Buffer.from(piece), this.#tail])
  }

  /** The same as gzip. `piece` goes in as it is, in a block of its own: at most 65,535 bytes. */
  gzip(piece: string): Uint8Array<ArrayBuffer> {
    const inserted = Buffer.from(piece)
    const block = Buffer.alloc(5)
    block.writeUInt16LE(inserted.length, 1)
    block.writeUInt16LE(0xffff - inserted.length, 3)
    const trailer = Buffer.alloc(8)
    trailer.writeUInt32LE(crc32(this.#tail, crc32(inserted, crc32(this.#head))), 0)
    trailer.writeUInt32LE((this.#head.length + inserted.length + this.#tail.length) % 2 ** 32, 4)
    return Buffer.concat([GZIP_HEADER, this.#packedHead, block, inserted, this.#packedTail, trailer])
  }
}
