import { expect, test } from 'bun:test'
import { utimesSync } from 'node:fs'
import { join } from 'node:path'
import { expireUpgradeBackups } from '../../../src/backup/before-migration.ts'
import { migrations } from '../../../src/db/sqlite/migrations.ts'
import { leftoversOf } from '../../../src/folder/leftovers.ts'
import { earlierFolder, startOn, stateOf, strayIn } from '../../support/data/earlier-folder.ts'
import { emptyFolder } from '../../support/processes/program.ts'

const { before, copy } = earlierFolder()

const untouched = [before, []]
const backedUp = [before, [before]]
const migrated = [migrations.length, [before]]

/** A start that dies before the n-th of its steps that are called so. Returns what ended it. */
async function dyingStart(dataDir: string, step: string, nth: number) {
  const child = Bun.spawn([process.execPath, 'test', './test/support/processes/mortal-start.ts'], {
    cwd: join(import.meta.dir, '../../..'),
    env: { PATH: '/usr/bin:/bin', HOME: emptyFolder(), DATA: dataDir, KILL_BEFORE: step, KILL_NTH: String(nth) },
    stdout: 'ignore',
    stderr: 'ignore',
  })
  await child.exited
  return child.signalCode
}

test.each([
  ['before the folder to make it in is locked', '^rename backups/\\.frontdesk-backup-\\w+$', 1, untouched],
  ['amid its archive', '^write .*/backup\\.tar$', 5, untouched],
  ['amid its checksum', '^sync .*\\.sha256', 1, untouched],
  ['before it is called as a backup', '^rename backups/frontdesk-[^/]+\\.tar$', 1, untouched],
  ['before the folder it was made in goes', '^remove backups/\\.frontdesk-backup-\\w+$', 1, backedUp],
  ['amid the migration', '^run \\s*ALTER TABLE', 30, backedUp],
  ['right behind the migration', '^run PRAGMA foreign_keys = ON', 2, migrated],
])('kill -9 of a backup before a migration, %s: the next start ends well', async (_when, step, nth, left) => {
  const dataDir = join(copy(), 'data')
  expect(await dyingStart(dataDir, step, nth)).toBe('SIGKILL')
  expect<unknown[]>(stateOf(dataDir)).toEqual(left)
  await startOn(dataDir)
  expect<unknown[]>(stateOf(dataDir)).toEqual(migrated)
  expect(leftoversOf(dataDir)).toEqual([])
  // A folder that is not locked may be somebody's who is about to lock it, so it stays for a while.
  for (const name of strayIn(dataDir).filter((name) => name.startsWith('.frontdesk-new-'))) {
    utimesSync(join(dataDir, 'backups', name), 0, 0)
    await expireUpgradeBackups({ dataDir, backup: null }, Date.now())
  }
  expect(strayIn(dataDir)).toEqual([])
})
