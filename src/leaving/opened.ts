import { closeSync, openSync, readSync, statSync } from 'node:fs'
import { type Entry, type Member, NotWhole, readArchive } from '../backup/archive.ts'
import { UserError } from '../errors.ts'
import { MANIFEST } from '../folder/names.ts'
import { type FileKind, fileKinds } from '../kinds/files.ts'
import { isUuid } from '../lib/ids.ts'
import type { MovedTenant } from '../tenants/operations.ts'
import { LEFT_OUT, placeOfFile, placeOfRecords } from './exported.ts'
import { type ExportManifest, readExportManifest } from './manifest.ts'
import type { TenantTable } from './tables.ts'

/** Bytes of the longest line, and of the manifest: they are held in memory. The longest record of ours takes 20 MiB. */
const LONGEST = 64 * 1024 * 1024
const CHUNK = 256 * 1024

/** A record as its line says it. */
export interface Line {
  readonly record: unknown
  /** Of the line, in bytes. */
  readonly size: number
  /** For people: the file and the number of the line. */
  readonly place: string
}

/** An export that was read to its last byte, and is as its manifest says. */
export interface Opened {
  readonly tenantId: string
  readonly tenant: MovedTenant
  /** Whether it has a file of that kind of record: one of an earlier version may have none. */
  has(kind: string): boolean
  /** The records of a kind, in their order. Throws UserError for a line that is none. */
  lines(kind: string): Iterable<Line>
  /** The files of a kind, by their ids. */
  files(kind: FileKind): ReadonlyMap<string, Member>
  /** The bytes of a file. */
  content(file: Member): AsyncIterable<Uint8Array>
  close(): void
}

/** Says what is wrong with an export, and where: nobody can import it. */
export const refuse = (place: string, rule: string): UserError => new UserError(`cannot be imported: ${place} ${rule}`)

/**
 * Opens an export. All of it is read once, and nothing is written. Throws UserError, with place and rule, for what is no whole
 * export, holds anything that an export does not, or is of a newer version.
 */
export function openExport(file: string, tables: readonly TenantTable[]): Opened {
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) throw new UserError(`${file}: there is no such file`)
  const kinds = new Set(tables.map(({ name }) => name).filter((name) => !Object.hasOwn(LEFT_OUT, name)))
  const { manifest, places } = verified(file, kinds)
  const source = openSync(file, 'r')
  const members = new Map(manifest.members.map((member) => [member.name, member]))
  const files = new Map(fileKinds.map((kind) => [kind, filesOf(manifest, kind)]))
  return {
    tenantId: manifest.tenantId,
    tenant: manifest.tenant,
    has: (kind) => members.has(placeOfRecords(kind)),
    lines(kind) {
      const member = members.get(placeOfRecords(kind))
      return member ? linesOf(source, member, places.get(member.name) as number) : []
    },
    files: (kind) => files.get(kind) as ReadonlyMap<string, Member>,
    content: (member) => chunksOf(source, member.size, places.get(member.name) as number),
    close: () => closeSync(source),
  }
}

function filesOf({ members }: ExportManifest, kind: FileKind): ReadonlyMap<string, Member> {
  const folder = placeOfFile(kind, '')
  const own = members.filter(({ name }) => name.startsWith(folder))
  return new Map(own.map((member) => [member.name.slice(folder.length), member]))
}

/** Reads all of it, and says what the manifest does and where each member's content begins. */
function verified(file: string, kinds: ReadonlySet<string>) {
  const places = new Map<string, number>()
  let content: Buffer[] | null = null
  const receive = (entry: Entry) => {
    const { name, size, at } = entry
    const place = JSON.stringify(name)
    if (!entry.isFile) throw refuse(place, 'is no plain file: an export holds no folders, links or devices')
    if (content !== null) throw refuse(place, `lies behind ${MANIFEST}, which is the last of an export`)
    if (places.has(name)) throw refuse(place, 'is in it twice')
    places.set(name, at)
    if (name !== MANIFEST) {
      if (!isExported(name, kinds)) throw refuse(place, 'is nothing that this version exports: is it of a newer one?')
      return () => {}
    }
    if (size > LONGEST) throw refuse(place, `is longer than ${LONGEST} bytes`)
    const pieces: Buffer[] = []
    content = pieces
    return (piece: Uint8Array) => void pieces.push(Buffer.from(piece))
  }
  try {
    const { members } = readArchive(file, receive)
    if (content === null) throw refuse(MANIFEST, 'is missing: it is no whole export of a tenant')
    const manifest = readExportManifest(Buffer.concat(content))
    requireSame(
      manifest.members,
      members.filter(({ name }) => name !== MANIFEST),
    )
    return { manifest, places }
  } catch (error) {
    if (error instanceof NotWhole) throw refuse('it', error.message)
    throw error
  }
}

function isExported(name: string, kinds: ReadonlySet<string>): boolean {
  if (name.endsWith('.jsonl')) return kinds.has(name.slice(0, -'.jsonl'.length))
  const [folder, kind, id, ...more] = name.split('/')
  return folder === 'files' && fileKinds.some((known) => known === kind) && isUuid(id ?? '') && more.length === 0
}

function requireSame(stated: readonly Member[], found: readonly Member[]): void {
  const left = new Map(stated.map((member) => [member.name, member]))
  if (left.size < stated.length) throw refuse(MANIFEST, 'names a file twice')
  for (const { name, size, sha256 } of found) {
    const member = left.get(name)
    if (!member) throw refuse(JSON.stringify(name), `is not in ${MANIFEST}`)
    if (member.size !== size || member.sha256 !== sha256)
      throw refuse(JSON.stringify(name), `is not what ${MANIFEST} says`)
    left.delete(name)
  }
  const [lost] = left.keys()
  if (lost !== undefined) throw refuse(JSON.stringify(lost), 'is missing')
}

async function* chunksOf(source: number, size: number, at: number): AsyncGenerator<Uint8Array> {
  yield* pieces(source, size, at)
}

function* pieces(source: number, size: number, at: number): Generator<Buffer> {
  for (let done = 0; done < size; ) {
    const piece = Buffer.allocUnsafe(Math.min(CHUNK, size - done))
    const length = readSync(source, piece, 0, piece.length, at + done)
    if (length === 0) throw refuse('it', 'became shorter while it was read')
    done += length
    yield piece.subarray(0, length)
  }
}

function* linesOf(source: number, { name, size }: Member, at: number): Generator<Line> {
  const text = new TextDecoder('utf-8', { fatal: true })
  let number = 0
  const read = (line: Buffer): Line => {
    number += 1
    const place = `${name}, line ${number}:`
    try {
      return { record: JSON.parse(text.decode(line)), size: line.length, place }
    } catch {
      throw refuse(place, 'is no JSON')
    }
  }
  let rest: Buffer[] = []
  let length = 0
  for (const piece of pieces(source, size, at)) {
    let from = 0
    for (let end = piece.indexOf(10); end >= 0; end = piece.indexOf(10, from)) {
      yield read(rest.length === 0 ? piece.subarray(from, end) : Buffer.concat([...rest, piece.subarray(from, end)]))
      rest = []
      length = 0
      from = end + 1
    }
    rest.push(piece.subarray(from))
    length += piece.length - from
    if (length > LONGEST) throw refuse(`${name}, line ${number + 1}:`, `is longer than ${LONGEST} bytes`)
  }
  if (length > 0) throw refuse(`${name}, line ${number + 1}:`, 'has no end')
}
