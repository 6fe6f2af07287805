import { Database as Sqlite } from 'bun:sqlite'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expireUpgradeBackups } from '../../../src/backup/before-migration.ts'
import { loadConfig } from '../../../src/config.ts'
import { createLog } from '../../../src/lib/log/log.ts'
import { startService } from '../../../src/service.ts'
import { emptyFolder, executable, run } from '../../support/program.ts'
import { refusalOf } from '../../support/refusal.ts'

const DAY = 86_400_000

/** A data folder as an earlier version left it. */
let earlier: string
const made: string[] = []

beforeAll(() => {
  earlier = folder()
  const sqlite = new Sqlite(join(earlier, 'frontdesk.db'))
  sqlite.run('PRAGMA foreign_keys = OFF')
  const landed = readFileSync(join(import.meta.dir, '../../support/landed/database.sql'), 'utf8')
  for (const statement of landed.split('\n--> statement-breakpoint\n')) sqlite.run(statement)
  sqlite.close()
})
afterAll(() => {
  for (const path of made) rmSync(path, { recursive: true, force: true })
})

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'frontdesk-test-'))
  made.push(path)
  return path
}

function copyOfEarlier(): string {
  const dataDir = folder()
  cpSync(earlier, dataDir, { recursive: true })
  return dataDir
}

const applied = (dataDir: string) => {
  const sqlite = new Sqlite(join(dataDir, 'frontdesk.db'), { readonly: true })
  try {
    return sqlite.query<{ n: number }, []>('SELECT count(*) AS n FROM migrations').get()?.n
  } finally {
    sqlite.close()
  }
}
const backups = (dataDir: string) => readdirSync(join(dataDir, 'backups')).filter((name) => name.endsWith('.tar'))
const start = async (dataDir: string, options = {}) => {
  const environment = { FRONTDESK_PORT: '0' }
  const service = await startService(
    loadConfig(environment, { dataDir }),
    createLog(() => {}, false),
    options,
  )
  await service.stop()
}

test('a database is backed up as it was before it is migrated, once, and the backup goes after 30 days', async () => {
  const dataDir = copyOfEarlier()
  const before = applied(dataDir)
  await start(dataDir)
  expect(applied(dataDir)).toBeGreaterThan(before as number)
  const [name, ...others] = backups(dataDir)
  expect(others).toEqual([])
  const unpacked = folder()
  Bun.spawnSync(['tar', '-xf', join(dataDir, 'backups', name as string), '-C', unpacked])
  expect(applied(unpacked)).toBe(before as number)
  await start(dataDir)
  expect(backups(dataDir)).toEqual([name as string])
  await expireUpgradeBackups({ dataDir, backup: null }, Date.now() + 29 * DAY)
  expect(backups(dataDir)).toEqual([name as string])
  await expireUpgradeBackups({ dataDir, backup: null }, Date.now() + 31 * DAY)
  expect(readdirSync(join(dataDir, 'backups'))).toEqual([])
})

test('a new database is not backed up', async () => {
  const dataDir = folder()
  await start(dataDir)
  expect(existsSync(join(dataDir, 'backups'))).toBe(false)
})

test('without room nothing is changed, and the line says what to do: another folder, or to go without', async () => {
  const dataDir = copyOfEarlier()
  const before = applied(dataDir)
  const upload = join(dataDir, 'uploads/huge')
  mkdirSync(join(dataDir, 'uploads'))
  await Bun.write(upload, '')
  truncateSync(upload, 10e12)
  expect(await refusalOf(start(dataDir))).toMatch(
    /^this version has to change the database .* nothing was changed: there is no room for a backup: making it takes \d+ MB .* `frontdesk serve --without-backup`$/,
  )
  expect([applied(dataDir), existsSync(join(dataDir, 'backups/frontdesk'))]).toEqual([before, false])
  await start(dataDir, { withoutBackup: true })
  expect(applied(dataDir)).toBeGreaterThan(before as number)
})

test('a command that migrates does so too', async () => {
  const cwd = emptyFolder()
  cpSync(earlier, join(cwd, 'data'), { recursive: true })
  await Bun.$`chmod -R a+rwX ${join(cwd, 'data')}`.quiet()
  const { code, stderr } = await run(await executable(), ['tenant', 'list'], { cwd })
  expect([code, stderr]).toEqual([0, ''])
  expect(backups(join(cwd, 'data'))).toHaveLength(1)
})
