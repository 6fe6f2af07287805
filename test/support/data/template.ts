import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DATABASE_FILE, openDatabase } from '../../../src/db/index.ts'
import { serverUrl } from './postgres.ts'

let template: Promise<Uint8Array> | undefined

/** Puts an empty database with every migration applied into a new data folder: to apply them takes longer than most tests. */
export async function placeDatabase(dataDir: string): Promise<void> {
  if (serverUrl) return
  template ??= makeTemplate()
  writeFileSync(join(dataDir, DATABASE_FILE), await template, { mode: 0o600 })
}

async function makeTemplate(): Promise<Uint8Array> {
  const folder = mkdtempSync(join(tmpdir(), 'frontdesk-template-'))
  try {
    await (await openDatabase({ dataDir: folder })).close()
    return readFileSync(join(folder, DATABASE_FILE))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
