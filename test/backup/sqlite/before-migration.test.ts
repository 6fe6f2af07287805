import { Database as Sqlite } from 'bun:sqlite'
import { expect, spyOn, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { backUp } from '../../../src/backup/backup.ts'
import { backUpBeforeMigration, expireUpgradeBackups } from '../../../src/backup/before-migration.ts'
import { unpack } from '../../../src/backup/unpack.ts'
import { loadConfig } from '../../../src/config.ts'
import { applyFirst, migrations } from '../../../src/db/sqlite/migrations.ts'
import {
  appliedIn,
  earlierFolder,
  startOn,
  stateOf,
  strayIn,
  upgradeBackupsIn,
} from '../../support/data/earlier-folder.ts'
import { emptyFolder, executable, ownExecutable, run } from '../../support/processes/program.ts'
import { refusalOf } from '../../support/refusal.ts'

const DAY = 86_400_000

const { before, copy } = earlierFolder()
const copyOfEarlier = () => join(copy(), 'data')

test('a database is backed up as it was before it is migrated, once, and the backup goes after 30 days', async () => {
  const dataDir = copyOfEarlier()
  await startOn(dataDir)
  const [name, ...others] = upgradeBackupsIn(dataDir)
  expect(others).toEqual([])
  expect(stateOf(dataDir)).toEqual([migrations.length, [before]])
  await startOn(dataDir)
  expect(upgradeBackupsIn(dataDir)).toEqual([name as string])
  await expireUpgradeBackups({ dataDir, backup: null }, Date.now() + 29 * DAY)
  expect(upgradeBackupsIn(dataDir)).toEqual([name as string])
  await expireUpgradeBackups({ dataDir, backup: null }, Date.now() + 31 * DAY)
  expect(readdirSync(join(dataDir, 'backups'))).toEqual([])
})

test('a new database is not backed up', async () => {
  const dataDir = join(emptyFolder(), 'data')
  await startOn(dataDir)
  expect(existsSync(join(dataDir, 'backups'))).toBe(false)
})

test('without room nothing is changed, and the line says what to do: another folder, or to go without', async () => {
  const dataDir = copyOfEarlier()
  const upload = join(dataDir, 'uploads/huge')
  await Bun.write(upload, '')
  truncateSync(upload, 10e12)
  expect(await refusalOf(startOn(dataDir))).toMatch(
    /^this version has to change the database .* nothing was changed: there is no room for a backup: making it takes \d+ MB .* `frontdesk serve --without-backup`$/,
  )
  expect([appliedIn(dataDir), existsSync(join(dataDir, 'backups/frontdesk'))]).toEqual([before, false])
  await startOn(dataDir, { withoutBackup: true })
  expect(appliedIn(dataDir)).toBeGreaterThan(before)
})

test('a command that migrates does so too', async () => {
  const cwd = copy()
  const { code, stderr } = await run(await executable(), ['tenant', 'list'], { cwd })
  expect([code, stderr]).toEqual([0, ''])
  expect(upgradeBackupsIn(join(cwd, 'data'))).toHaveLength(1)
})

test('so does one that comes upon a backup of an earlier version whose restore was interrupted', async () => {
  const cwd = copy()
  const dataDir = join(cwd, 'data')
  const file = join(cwd, 'earlier.tar')
  await backUp(loadConfig({}, { dataDir }), file, { force: false })
  await startOn(dataDir, { withoutBackup: true })
  interruptRestore(dataDir, file)
  const { code, stderr } = await run(await ownExecutable(), ['tenant', 'list'], { cwd })
  expect([code, stderr]).toEqual([0, ''])
  expect(stateOf(dataDir)).toEqual([migrations.length, [before]])
})

/** Leaves a data folder as `restore` does that was killed once it had decided to go on. */
function interruptRestore(dataDir: string, file: string): void {
  const unpacked = join(dataDir, '.restore.ready')
  mkdirSync(unpacked)
  unpack(file, unpacked)
}

test.each([
  ['waits for its turn', 'PRAGMA busy_timeout = 60000', false],
  ['is about to copy it', 'VACUUM INTO ?', true],
])('no backup is kept of what another process has migrated while this one %s', async (_when, statement, isBegun) => {
  const dataDir = copyOfEarlier()
  const { run } = Sqlite.prototype
  const watched = spyOn(Sqlite.prototype, 'run').mockImplementation(function (this: Sqlite, sql, ...values) {
    if (sql === statement) {
      watched.mockRestore()
      migrateElsewhere(dataDir)
    }
    return run.call(this, sql, ...values)
  })
  // It would take the place of the one that the other has made.
  expect(await backUpBeforeMigration(loadConfig({}, { dataDir }), Date.now())).toBe(null)
  expect([stateOf(dataDir), strayIn(dataDir)]).toEqual([[migrations.length, []], []])
  expect(existsSync(join(dataDir, 'backups'))).toBe(isBegun)
})

function migrateElsewhere(dataDir: string): void {
  const sqlite = new Sqlite(join(dataDir, 'frontdesk.db'))
  sqlite.run('PRAGMA foreign_keys = OFF')
  sqlite.transaction(() => applyFirst(sqlite, migrations.length))()
  sqlite.close()
}
