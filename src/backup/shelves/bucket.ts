import type { S3Client } from 'bun'
import type { S3Config } from '../../config.ts'
import { UserError } from '../../errors.ts'
import { clientOf } from '../../files/s3-client.ts'
import { within } from '../../lib/concurrency/within.ts'
import { CHECKSUM_FILE } from '../names.ts'
import {
  backupsAmong,
  checksumIn,
  checksumsOfNothing,
  checksumText,
  type Lying,
  type Shelf,
  type Shelved,
} from './shelved.ts'
import { endUnfinished } from './unfinished.ts'

/** How long the store may take to answer, in milliseconds, and how many bytes of a backup it takes in one at the least. */
const PATIENCE = 60_000
const SLOWEST = 100

/** Backups as objects of an S3-compatible store. Each is read back before its checksum is put beside it. */
export class BucketShelf implements Shelf {
  readonly place: string
  readonly folder = null
  readonly #client: S3Client
  readonly #prefix: string

  constructor(private readonly config: S3Config) {
    this.place = config.url
    this.#client = clientOf(config)
    this.#prefix = config.prefix
  }

  async prepare(): Promise<void> {
    await this.list()
  }

  async list(): Promise<Shelved[]> {
    return backupsAmong(await this.#lying())
  }

  async put(file: string, name: string, sha256: string): Promise<void> {
    const content = Bun.file(file)
    const patience = PATIENCE + content.size / SLOWEST
    await this.#answered(this.#client.write(this.#prefix + name, content, { type: 'application/x-tar' }), patience)
    if ((await this.#sha256Of(name, patience)) !== sha256) {
      throw new UserError(`${this.place}/${name} is not what was put there`)
    }
    await this.confirm(name, sha256)
  }

  async fetch(name: string, spare: () => string): Promise<string> {
    const path = `${spare()}/${name}`
    const file = Bun.file(path).writer()
    const { size } = await this.#answered(this.#client.stat(this.#prefix + name))
    await this.#answered(
      this.#eachChunk(name, async (chunk) => {
        file.write(chunk)
        await file.flush()
      }),
      PATIENCE + size / SLOWEST,
    )
    await file.end()
    return path
  }

  async checksum(name: string): Promise<string | null> {
    const object = this.#client.file(this.#prefix + name + CHECKSUM_FILE)
    if (!(await this.#answered(object.exists()))) return null
    return checksumIn(await this.#answered(object.text()))
  }

  async confirm(name: string, sha256: string): Promise<void> {
    await this.#answered(this.#client.write(this.#prefix + name + CHECKSUM_FILE, checksumText(name, sha256)))
  }

  /** The backup first, so that an interrupted removal leaves a checksum of nothing. */
  async remove(name: string): Promise<void> {
    await this.#answered(this.#client.delete(this.#prefix + name))
    await this.#answered(this.#client.delete(this.#prefix + name + CHECKSUM_FILE))
  }

  async sweep(): Promise<void> {
    for (const name of checksumsOfNothing(await this.#lying())) {
      await this.#answered(this.#client.delete(this.#prefix + name))
    }
  }

  endUnfinished(isOwn: (name: string) => boolean, before: number): Promise<void> {
    return endUnfinished(this.#client, this.config, isOwn, before, PATIENCE)
  }

  async #lying(): Promise<Lying[]> {
    const found: Lying[] = []
    for (let startAfter: string | undefined; ; ) {
      const page = await this.#answered(
        this.#client.list({ prefix: this.#prefix, ...(startAfter === undefined ? {} : { startAfter }) }),
      )
      for (const { key, size = 0, lastModified = '' } of page.contents ?? []) {
        found.push({ name: key.slice(this.#prefix.length), size, writtenAt: Date.parse(lastModified) })
      }
      startAfter = page.contents?.at(-1)?.key
      if (!page.isTruncated || startAfter === undefined) return found
    }
  }

  async #sha256Of(name: string, patience: number): Promise<string> {
    const hash = new Bun.CryptoHasher('sha256')
    await this.#answered(
      this.#eachChunk(name, async (chunk) => void hash.update(chunk)),
      patience,
    )
    return hash.digest('hex')
  }

  async #eachChunk(name: string, take: (chunk: Uint8Array) => Promise<void>): Promise<void> {
    for await (const chunk of this.#client.file(this.#prefix + name).stream()) await take(chunk)
  }

  /** What the store answers. Throws UserError where it refuses, or says nothing for longer than `patience`, in milliseconds. */
  async #answered<T>(asked: Promise<T>, patience = PATIENCE): Promise<T> {
    try {
      if (await within(patience, asked)) return await asked
    } catch (error) {
      throw new UserError(`${this.place} refuses: ${(error as Error).message}`)
    }
    throw new UserError(`${this.place} does not answer`)
  }
}
