import { createHash } from 'node:crypto'
import {
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { billOfMaterials } from './sbom.ts'
import { fileOf, type Target } from './targets.ts'

/** What was put into a release, by the name of its file. */
export interface Released {
  readonly file: string
  /** In bytes. */
  readonly size: number
  readonly compressed: number
}

/** Puts the executable of a target at a path. */
export type Build = (target: Target, file: string) => Promise<void>

export const SUMS = 'SHA256SUMS'
export const BILL = 'frontdesk.cdx.json'

/**
 * Puts a release into the folder `into`, in place of one that is there: an executable for each target, compressed too,
 * the bill of materials, and sums of all as `sha256sum --check` reads them. A run that fails or is killed leaves what was
 * there before.
 */
export async function makeRelease(into: string, targets: readonly Target[], build: Build): Promise<Released[]> {
  mkdirSync(join(into, '..'), { recursive: true })
  const folder = mkdtempSync(`${into}-`)
  try {
    const released: Released[] = []
    const sums: string[] = []
    const add = async (name: string) => {
      const { hash, size } = await digestOf(join(folder, name))
      sums.push(`${hash}  ${name}\n`)
      return size
    }
    for (const target of targets) {
      const file = fileOf(target)
      await build(target, join(folder, file))
      await pipeline(createReadStream(join(folder, file)), createGzip(), createWriteStream(join(folder, `${file}.gz`)))
      released.push({ file, size: await add(file), compressed: await add(`${file}.gz`) })
    }
    writeFileSync(join(folder, BILL), `${JSON.stringify(billOfMaterials(), null, 2)}\n`)
    await add(BILL)
    writeFileSync(join(folder, SUMS), sums.join(''))
    swap(folder, into)
    return released
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A folder cannot take the place of one that holds something. */
function swap(folder: string, into: string): void {
  const before = `${folder}.before`
  if (existsSync(into)) renameSync(into, before)
  renameSync(folder, into)
  rmSync(before, { recursive: true, force: true })
}

async function digestOf(path: string): Promise<{ hash: string; size: number }> {
  const hash = createHash('sha256')
  let size = 0
  for await (const piece of createReadStream(path)) {
    hash.update(piece)
    size += piece.length
  }
  return { hash: hash.digest('hex'), size }
}
