import { brotliCompressSync } from 'node:zlib'

/** Tags and how a WOFF2 directory numbers them. */
const NUMBERS: Record<string, number> = {
  cmap: 0,
  head: 1,
  hhea: 2,
  hmtx: 3,
  maxp: 4,
  name: 5,
  'OS/2': 6,
  post: 7,
  glyf: 10,
  loca: 11,
  fvar: 47,
}

/** Numbers of two bytes; longer ones are given as two. */
const words = (...values: number[]) => {
  const bytes = Buffer.alloc(values.length * 2)
  values.forEach((value, index) => {
    bytes.writeUInt16BE(value & 0xffff, index * 2)
  })
  return bytes
}

/** The tables of a TrueType font in which every letter from space to tilde is as wide as an em, and the tilde a square. */
function tablesOf(family: string): Record<string, Buffer> {
  const name = Buffer.from(family, 'utf16le').swap16()
  const square = words(1, 0, 0, 1000, 1000, 3, 0)
  const points = Buffer.concat([Buffer.from([1, 1, 1, 1]), words(0, 1000, 0, -1000), words(0, 0, 1000, 0)])
  const glyph = Buffer.concat([square, points])
  const padded = Buffer.concat([glyph, Buffer.alloc((4 - (glyph.length % 4)) % 4)])
  return {
    // Glyph 0 stands for letters that there are none of; code 32 is glyph 1, and so on.
    cmap: words(0, 1, 3, 1, 0, 12, 4, 32, 0, 4, 4, 1, 0, 126, 0xffff, 0, 32, 0xffff, -31, 1, 0, 0),
    head: words(1, 0, 1, 0, 0, 0, 0x5f0f, 0x3cf5, 3, 1000, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1000, 1000, 0, 8, 2, 1, 0),
    hhea: words(1, 0, 1000, 0, 0, 1000, 0, 0, 1000, 1, 0, 0, 0, 0, 0, 0, 0, 1),
    hmtx: Buffer.concat([words(1000, 0), words(...Array.from({ length: 95 }, () => 0))]),
    maxp: words(1, 0, 96, 4, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0),
    name: Buffer.concat([words(0, 1, 18, 3, 1, 0x409, 1, name.length, 0), name]),
    'OS/2': Buffer.concat([
      words(4, 1000, 400, 5, 0, 650, 600, 0, 75, 650, 600, 0, 350, 50, 300, 0),
      Buffer.alloc(10),
      words(0, 1, 0, 0, 0, 0, 0, 0),
      Buffer.from('TEST'),
      words(64, 32, 126, 1000, 0, 0, 1000, 0, 0, 1, 0, 0, 500, 700, 0, 32, 1),
    ]),
    post: words(3, 0, 0, 0, -100, 50, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
    glyf: padded,
    loca: Buffer.concat(Array.from({ length: 97 }, (_, index) => words(0, index === 96 ? padded.length : 0))),
  }
}

interface Made {
  readonly family?: string
  /** Tables to leave out, and further ones. */
  readonly without?: readonly string[]
  readonly further?: Record<string, Buffer>
}

/** A font in the WOFF2 format, whole and small. */
export function woff2({ family = 'Square', without = [], further = {} }: Made = {}): Uint8Array<ArrayBuffer> {
  const tables = Object.entries({ ...tablesOf(family), ...further }).filter(([tag]) => !without.includes(tag))
  const directory = Buffer.concat(
    tables.map(([tag, table]) => {
      const isOutline = tag === 'glyf' || tag === 'loca'
      return Buffer.from([(NUMBERS[tag] as number) | (isOutline ? 3 << 6 : 0), ...base128(table.length)])
    }),
  )
  const packed = brotliCompressSync(Buffer.concat(tables.map(([, table]) => table)))
  const padding = Buffer.alloc((4 - ((48 + directory.length + packed.length) % 4)) % 4)
  const sfnt = 12 + tables.reduce((sum, [, table]) => sum + 16 + Math.ceil(table.length / 4) * 4, 0)
  const header = Buffer.alloc(48)
  header.write('wOF2')
  header.writeUInt32BE(0x00010000, 4)
  header.writeUInt32BE(48 + directory.length + packed.length + padding.length, 8)
  header.writeUInt16BE(tables.length, 12)
  header.writeUInt32BE(sfnt, 16)
  header.writeUInt32BE(packed.length, 20)
  return new Uint8Array(Buffer.concat([header, directory, packed, padding]))
}

function base128(value: number): number[] {
  const digits = [value & 127]
  for (let rest = value >> 7; rest > 0; rest >>= 7) digits.unshift((rest & 127) | 128)
  return digits
}
