import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { UserError } from '../errors.ts'
import { MARK_FILE } from '../folder/names.ts'
import { replaceFile } from '../lib/disk/durable.ts'
import { isUuid } from '../lib/ids.ts'

/* The mark of an installation in a folder (decisions §11): its id, in a line. */

/** The id that a folder is marked with, or null where it has no mark. Throws UserError for a file that holds none. */
export function readMarkFile(folder: string): string | null {
  const file = join(folder, MARK_FILE)
  return existsSync(file) ? parseMark(readFileSync(file, 'utf8'), file) : null
}

/** The id in the text of a mark, which lies at `place`. Throws UserError where there is none. */
export function parseMark(text: string, place: string): string {
  const id = text.trim()
  if (isUuid(id)) return id
  throw new UserError(`${place} holds no id of an installation: put it back from a backup`)
}

/** Marks a folder; the disk holds it then. */
export function writeMarkFile(folder: string, id: string): void {
  replaceFile(join(folder, MARK_FILE), `${id}\n`)
}
