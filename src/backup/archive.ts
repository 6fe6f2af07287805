import { closeSync, fdatasyncSync, fstatSync, fsyncSync, openSync, readSync, writeSync } from 'node:fs'
import { Header } from 'tar'
import { UserError } from '../errors.ts'
import { type Pace, unpaced } from './pace.ts'

/*
 * A plain tar, written and read so that no bit of it is free to change: see `restore.ts`. tar's own reader, and that of
 * tar-stream, look at no padding and at few of the bits of a header.
 */

const BLOCK = 512
const CHUNK = 1024 * 1024
/** How much is left for the disk to hold at a time, in bytes: what others commit to it waits for no more than that. */
const SYNCED = 1024 * 1024
/** Two empty blocks end a tar. */
const END = 2 * BLOCK
/** Where in a header its own checksum stands, and the two ways to write that. */
const CHECKSUM = [148, 156] as const
const CHECKSUM_FORM = /^(?:[0-7]{6}\0 |[0-7]{6} \0)$/

/** A file in an archive. */
export interface Member {
  readonly name: string
  readonly size: number
  /** Hexadecimal. */
  readonly sha256: string
}

/** Writes members one after the other. `end` has the disk hold the file. */
export class ArchiveWriter {
  readonly #file: number
  #unsynced = 0
  readonly #mtime = new Date()

  constructor(
    path: string,
    private readonly pace: Pace = unpaced,
    private readonly syncData: (file: number) => void = fdatasyncSync,
  ) {
    this.#file = openSync(path, 'wx', 0o600)
  }

  /** Adds the file at `path` as it is now. Returns null, adding nothing, when it is gone. */
  addFile(name: string, path: string): Member | null {
    const source = openIfThere(path)
    if (source === null) return null
    try {
      const { size } = fstatSync(source)
      return this.#add(name, size, (at, buffer) => readSync(source, buffer, 0, Math.min(buffer.length, size - at), at))
    } finally {
      closeSync(source)
    }
  }

  /** Adds a member of this content. */
  addContent(name: string, content: Uint8Array): Member {
    const source = Buffer.from(content.buffer, content.byteOffset, content.byteLength)
    return this.#add(name, source.length, (at, buffer) => source.copy(buffer, 0, at))
  }

  end(): void {
    this.#write(Buffer.alloc(END))
    fsyncSync(this.#file)
    this.close()
  }

  close(): void {
    closeSync(this.#file)
  }

  #add(name: string, size: number, read: (at: number, buffer: Buffer) => number): Member {
    const header = Buffer.alloc(BLOCK)
    const fields = { path: name, size, type: 'File', mode: 0o600, mtime: this.#mtime } as const
    if (new Header(fields).encode(header, 0))
      throw new UserError(`${JSON.stringify(name)} does not fit into a backup: rename it`)
    this.#write(header)
    const hash = new Bun.CryptoHasher('sha256')
    const buffer = Buffer.allocUnsafe(CHUNK)
    for (let at = 0; at < size; ) {
      const length = read(at, buffer)
      if (length === 0) throw new Error(`${name} became shorter while it was read`)
      hash.update(buffer.subarray(0, length))
      this.#write(buffer.subarray(0, length))
      at += length
    }
    this.#write(Buffer.alloc(padding(size)))
    return { name, size, sha256: hash.digest('hex') }
  }

  #write(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; ) at += writeSync(this.#file, bytes, at)
    this.#unsynced += bytes.length
    if (this.#unsynced >= SYNCED) {
      this.syncData(this.#file)
      this.#unsynced = 0
    }
    this.pace(bytes.length)
  }
}

function openIfThere(path: string): number | null {
  try {
    return openSync(path, 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/** That a file is no whole backup: it was never one, or something changed it. Its message says what, in words that go behind "it". */
export class NotWhole extends Error {}

/** What an entry of an archive says of itself. */
export interface Entry {
  readonly name: string
  readonly size: number
  /** Where in the archive its content begins. */
  readonly at: number
  /** Whether it is a file, and no folder, link or device. */
  readonly isFile: boolean
}

/**
 * Reads an archive from its beginning to its last byte. `receive` says where the content of an entry goes, or null for
 * nowhere; returns what was received, and the SHA-256 of all of the file. Throws NotWhole for anything that is not as a whole
 * tar is.
 */
export function readArchive(
  path: string,
  receive: (entry: Entry) => ((chunk: Uint8Array) => void) | null,
  pace: Pace = unpaced,
): { members: Member[]; sha256: string } {
  const file = openSync(path, 'r')
  try {
    const source = new Source(file, pace)
    const members: Member[] = []
    for (;;) {
      const block = Buffer.from(source.take(BLOCK))
      if (isEmpty(block)) break
      const entry = { ...entryOf(block), at: source.at }
      const write = receive(entry)
      const hash = new Bun.CryptoHasher('sha256')
      for (let left = entry.size; left > 0; ) {
        const chunk = source.take(Math.min(left, CHUNK))
        hash.update(chunk)
        write?.(chunk)
        left -= chunk.length
      }
      if (!isEmpty(source.take(padding(entry.size))))
        throw new NotWhole(`was changed behind ${JSON.stringify(entry.name)}`)
      if (write) members.push({ name: entry.name, size: entry.size, sha256: hash.digest('hex') })
    }
    const rest = source.rest()
    if (rest.length < END - BLOCK) throw new NotWhole('is cut off')
    if (!isEmpty(rest)) throw new NotWhole('was changed behind its end')
    return { members, sha256: source.sha256() }
  } finally {
    closeSync(file)
  }
}

function entryOf(block: Buffer): Omit<Entry, 'at'> {
  const header = new Header(block)
  const checksum = block.toString('latin1', ...CHECKSUM)
  if (!header.cksumValid || !CHECKSUM_FORM.test(checksum)) throw new NotWhole('was changed, or is no tar')
  return {
    name: header.path ?? '',
    size: header.size ?? 0,
    isFile: header.type === 'File' || header.type === 'OldFile',
  }
}

/** Takes a file's bytes in order. */
class Source {
  readonly #buffer = Buffer.allocUnsafe(CHUNK)
  readonly #hash = new Bun.CryptoHasher('sha256')
  #at = 0

  constructor(
    private readonly file: number,
    private readonly pace: Pace,
  ) {}

  /** How much was taken. */
  get at(): number {
    return this.#at
  }

  /** Of all that was taken. */
  sha256(): string {
    return this.#hash.digest('hex')
  }

  /** Valid until the next call. */
  take(length: number): Buffer {
    const bytes = this.#read(length)
    if (bytes.length < length) throw new NotWhole('is cut off')
    return bytes
  }

  /** What is left, of which the end of a tar takes little. */
  rest(): Buffer {
    return this.#read(CHUNK)
  }

  #read(length: number): Buffer {
    let at = 0
    while (at < length) {
      const read = readSync(this.file, this.#buffer, at, length - at, null)
      if (read === 0) break
      at += read
    }
    const bytes = this.#buffer.subarray(0, at)
    this.#hash.update(bytes)
    this.#at += at
    this.pace(at)
    return bytes
  }
}

function padding(size: number): number {
  return (BLOCK - (size % BLOCK)) % BLOCK
}

function isEmpty(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === 0)
}
