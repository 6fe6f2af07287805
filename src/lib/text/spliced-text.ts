import { promisify } from 'node:util'
import { constants, crc32, deflateRaw, type ZlibOptions } from 'node:zlib'

/** RFC 1952: deflate, no name, no time, unknown system. */
const GZIP_HEADER = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255)

/** Bytes of one stored block (RFC 1951). */
const LONGEST_BLOCK = 0xffff

const pack = promisify<Uint8Array, ZlibOptions, Uint8Array>(deflateRaw)

type Bytes = Uint8Array<ArrayBuffer>

/** A long text that is sent again and again with another short piece in one place: compressed once, around that place. */
export class SplicedText {
  private constructor(
    private readonly head: Bytes,
    private readonly tail: Bytes,
    private readonly packedHead: Uint8Array,
    private readonly packedTail: Uint8Array,
  ) {}

  /** Compresses beside the serving thread. Throws unless `mark`, which stands in that place, is in `text` exactly once. */
  static async around(mark: string, text: string): Promise<SplicedText> {
    const parts = text.split(mark)
    if (parts.length !== 2) throw new Error(`the mark is in the text ${parts.length - 1} times`)
    const [head, tail] = parts.map((part) => new TextEncoder().encode(part)) as [Bytes, Bytes]
    // Flushed, so that it ends at a whole byte; the tail refers to nothing before it.
    const packedHead = await pack(head, { level: 9, finishFlush: constants.Z_SYNC_FLUSH })
    return new SplicedText(head, tail, packedHead, await pack(tail, { level: 9 }))
  }

  /** Bytes of memory that it takes. */
  get size(): number {
    return this.head.length + this.tail.length + this.packedHead.length + this.packedTail.length
  }

  /** The text with `piece` in its place, in UTF-8. */
  plain(piece: string): Bytes {
    return Buffer.concat([this.head, Buffer.from(piece), this.tail])
  }

  /** The same as gzip. `piece` goes in as it is. */
  gzip(piece: string): Bytes {
    const inserted = Buffer.from(piece)
    const trailer = Buffer.alloc(8)
    trailer.writeUInt32LE(crc32(this.tail, crc32(inserted, crc32(this.head))), 0)
    trailer.writeUInt32LE((this.head.length + inserted.length + this.tail.length) % 2 ** 32, 4)
    return Buffer.concat([GZIP_HEADER, this.packedHead, ...stored(inserted), this.packedTail, trailer])
  }
}

/** Bytes as blocks that are not compressed (RFC 1951), none of them the last. */
function stored(bytes: Buffer): Buffer[] {
  const blocks: Buffer[] = []
  for (let at = 0; at < bytes.length; at += LONGEST_BLOCK) {
    const content = bytes.subarray(at, at + LONGEST_BLOCK)
    const header = Buffer.alloc(5)
    header.writeUInt16LE(content.length, 1)
    header.writeUInt16LE(LONGEST_BLOCK - content.length, 3)
    blocks.push(header, content)
  }
  return blocks
}
