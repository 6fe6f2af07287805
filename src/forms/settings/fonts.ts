import { brotliDecompressSync } from 'node:zlib'
import { invalid, rule } from '../../errors.ts'
import type { Font } from './model.ts'
import { versionOf } from './pictures.ts'

/** In bytes: a font of all European letters takes some 100 kB. */
export const MAX_FONT_SIZE = 512 * 1024
/** Of its tables once they are unpacked: a small file could hold gigabytes. */
const MAX_UNPACKED = 4 * 1024 * 1024

const SIGNATURE = 0x774f4632
/** TrueType and OpenType outlines. A collection of several fonts is none. */
const FLAVORS = [0x00010000, 0x4f54544f, 0x74727565]
const HEADER = 48
/** The tags that a directory names by their number (https://www.w3.org/TR/WOFF2/#table_dir_format). */
const KNOWN_TAGS =
  'cmap head hhea hmtx maxp name OS/2 post cvt_ fpgm glyf loca prep CFF_ VORG EBDT EBLC gasp hdmx kern LTSH PCLT VDMX vhea vmtx BASE GDEF GPOS GSUB EBSC JSTF MATH CBDT CBLC COLR CPAL SVG_ sbix acnt avar bdat bloc bsln cvar fdsc feat fmtx fvar gvar hsty just lcar mort morx opbd prop trak Zapf Silf Glat Gloc Feat Sill'
    .replaceAll('_', ' ')
    .match(/.{4}(?= |$)/g) as string[]
const OWN_TAG = 63
/** Without these no browser shows a letter. */
const REQUIRED = ['cmap', 'head', 'hhea', 'hmtx', 'maxp', 'name']

interface Table {
  readonly tag: string
  /** Where it begins among the unpacked tables, and how long it is there. */
  readonly start: number
  readonly length: number
}

/**
 * What there is to know of a font that respondents' browsers are to load: it is one that they can read, whatever its file
 * is called, and unpacks to what it says. Takes some 10 ms. Throws `invalid_request`.
 */
export function readFont(bytes: unknown, place: string): Font {
  if (!(bytes instanceof Uint8Array)) throw invalid(place, rule('file'))
  if (bytes.length > MAX_FONT_SIZE) throw invalid(place, rule('too_large', { size: MAX_FONT_SIZE }))
  const font = fontIn(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  if (!font) throw invalid(place, rule('font'))
  return { ...font, contentType: 'font/woff2', size: bytes.length, version: versionOf(bytes) }
}

/** Null for what is no such font, or a broken one. */
function fontIn(file: Buffer): Pick<Font, 'family' | 'isVariable'> | null {
  try {
    if (file.readUInt32BE(0) !== SIGNATURE || !FLAVORS.includes(file.readUInt32BE(4))) return null
    if (file.readUInt32BE(8) !== file.length) return null
    const { tables, end } = directoryOf(file)
    const packed = file.readUInt32BE(20)
    const unpackedLength = tables.reduce((sum, { length }) => sum + length, 0)
    if (unpackedLength > MAX_UNPACKED || end + packed > file.length) return null
    const unpacked = brotliDecompressSync(file.subarray(end, end + packed), { maxOutputLength: MAX_UNPACKED })
    if (unpacked.length !== unpackedLength || !isWhole(tables)) return null
    const names = tables.find(({ tag }) => tag === 'name') as Table
    return {
      family: familyIn(unpacked.subarray(names.start, names.start + names.length)),
      isVariable: tables.some(({ tag }) => tag === 'fvar'),
    }
  } catch {
    return null
  }
}

function isWhole(tables: readonly Table[]): boolean {
  const tags = new Set(tables.map(({ tag }) => tag))
  const hasOutlines = (tags.has('glyf') && tags.has('loca')) || tags.has('CFF ') || tags.has('CFF2')
  return hasOutlines && tags.size === tables.length && REQUIRED.every((tag) => tags.has(tag))
}

function directoryOf(file: Buffer): { tables: Table[]; end: number } {
  const tables: Table[] = []
  let at = HEADER
  let start = 0
  function readLength(): number {
    let value = 0
    for (let digit = 0; digit < 5; digit++) {
      const byte = file.readUInt8(at++)
      value = value * 128 + (byte & 127)
      if (byte < 128) return value
    }
    throw new RangeError('a length has more than five bytes')
  }
  for (let left = file.readUInt16BE(12); left > 0; left--) {
    const flags = file.readUInt8(at++)
    const number = flags & OWN_TAG
    const tag = number === OWN_TAG ? file.toString('latin1', at, at + 4) : (KNOWN_TAGS[number] as string)
    if (number === OWN_TAG) at += 4
    const original = readLength()
    // Outlines are transformed unless they say otherwise, other tables only if they say so.
    const plain = tag === 'glyf' || tag === 'loca' ? 3 : 0
    const length = flags >> 6 === plain ? original : readLength()
    tables.push({ tag, start, length })
    start += length
  }
  return { tables, end: at }
}

/** Names of a family, that which typographers gave it first (https://learn.microsoft.com/typography/opentype/spec/name). */
const FAMILY_NAMES = [16, 1]
const WINDOWS = 3
const MAX_FAMILY = 100

/** What the family is called, for those who chose the file; null where it does not say. */
function familyIn(table: Buffer): string | null {
  const storage = table.readUInt16BE(4)
  const records = Array.from({ length: table.readUInt16BE(2) }, (_, index) => 6 + index * 12)
  for (const wanted of FAMILY_NAMES) {
    for (const at of records) {
      if (table.readUInt16BE(at) !== WINDOWS || table.readUInt16BE(at + 6) !== wanted) continue
      const start = storage + table.readUInt16BE(at + 10)
      const name = Buffer.from(table.subarray(start, start + (table.readUInt16BE(at + 8) & ~1)))
      const family = name.swap16().toString('utf16le').replace(/\p{C}/gu, '').trim()
      if (family !== '') return family.slice(0, MAX_FAMILY).toWellFormed()
    }
  }
  return null
}
