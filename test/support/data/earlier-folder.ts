import { Database as Sqlite } from 'bun:sqlite'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isOfBackup } from '../../../src/backup/shelves/shelved.ts'
import { verify } from '../../../src/backup/verify.ts'
import { loadConfig } from '../../../src/config.ts'
import { createLog } from '../../../src/lib/log/log.ts'
import { startService } from '../../../src/service.ts'
import { emptyFolder } from '../processes/program.ts'

const LANDED = join(import.meta.dir, 'landed/database.sql')
/** Bytes of a file in it: more than an archive takes at once. */
const UPLOAD = 3_000_000

/** On SQLite: a data folder as an earlier version left it, which copies are made of. */
export function earlierFolder(uploadBytes = UPLOAD) {
  const original = emptyFolder()
  const sqlite = new Sqlite(join(original, 'frontdesk.db'))
  sqlite.run('PRAGMA journal_mode = WAL')
  sqlite.run('PRAGMA foreign_keys = OFF')
  for (const statement of readFileSync(LANDED, 'utf8').split('\n--> statement-breakpoint\n')) sqlite.run(statement)
  sqlite.close()
  mkdirSync(join(original, 'uploads'))
  writeFileSync(join(original, 'uploads/large'), Buffer.alloc(uploadBytes, 'large'))
  const before = appliedIn(original)
  return {
    /** How many migrations it has behind it. */
    before,
    /** The working directory of a program whose data folder is a copy of it. */
    copy(): string {
      const cwd = emptyFolder()
      cpSync(original, join(cwd, 'data'), { recursive: true })
      Bun.spawnSync(['chmod', '-R', 'a+rwX', join(cwd, 'data')])
      return cwd
    },
  }
}

/** How many migrations the database of a data folder, which is whole, has behind it. */
export function appliedIn(dataDir: string): number {
  const sqlite = new Sqlite(join(dataDir, 'frontdesk.db'))
  try {
    const [found] = sqlite.query<{ integrity_check: string }, []>('PRAGMA integrity_check(1)').all()
    if (found?.integrity_check !== 'ok') throw new Error(found?.integrity_check)
    return Number(sqlite.query<{ n: number }, []>('SELECT count(*) AS n FROM migrations').get()?.n)
  } finally {
    sqlite.close()
  }
}

/** Names of the backups that lie there of those made before upgrades. */
export function upgradeBackupsIn(dataDir: string): string[] {
  return namesIn(dataDir).filter((name) => name.endsWith('.tar'))
}

/**
 * How many migrations the database has behind it, and that of the backups that lie there, each read to its end. How many these
 * are is not said: where a start was killed behind one, the next makes another, and the first goes unless an hour begins.
 */
export function stateOf(dataDir: string): [applied: number, inBackups: number[]] {
  return [appliedIn(dataDir), [...new Set(upgradeBackupsIn(dataDir).map((name) => appliedInBackup(dataDir, name)))]]
}

/** What lies where they go and is neither one of them nor the checksum of one. */
export function strayIn(dataDir: string): string[] {
  const names = namesIn(dataDir)
  return names.filter((name) => !isOfBackup(name) || !names.includes(name.replace(/\.sha256$/, '')))
}

function namesIn(dataDir: string): string[] {
  const folder = join(dataDir, 'backups')
  return existsSync(folder) ? readdirSync(folder) : []
}

function appliedInBackup(dataDir: string, name: string): number {
  const [file, into] = [join(dataDir, 'backups', name), emptyFolder()]
  verify(file, into, { asItIs: true })
  Bun.spawnSync(['tar', '-xf', file, '-C', into])
  return appliedIn(into)
}

/** Starts the service on a data folder in this process, and stops it. */
export async function startOn(dataDir: string, options = {}): Promise<void> {
  const config = loadConfig({ FRONTDESK_PORT: '0' }, { dataDir })
  const service = await startService(
    config,
    createLog(() => {}, false),
    options,
  )
  await service.stop()
}
