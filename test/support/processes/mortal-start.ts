import { Database as Sqlite } from 'bun:sqlite'
import { test } from 'bun:test'
import { relative } from 'node:path'
import { die, watchFiles } from './mortal.ts'

/*
 * Run by `bun test ./test/support/processes/mortal-start.ts` in a process of its own: starts the service on DATA, and dies as by
 * kill -9 before the KILL_NTH-th of its steps that KILL_BEFORE matches: `rename backups/frontdesk-….tar`, or `run COMMIT`.
 */

const { DATA = '', KILL_BEFORE = '', KILL_NTH } = process.env
const chosen = new RegExp(KILL_BEFORE)
let left = Number(KILL_NTH)

function step(what: string): void {
  if (chosen.test(what) && --left === 0) die()
}

test('starts', async () => {
  watchFiles({ before: ({ does, path }) => step(`${does} ${relative(DATA, path)}`) })
  const { run } = Sqlite.prototype
  Sqlite.prototype.run = function (this: Sqlite, sql: string, ...more: never[]) {
    step(`run ${sql}`)
    return run.call(this, sql, ...more)
  }
  const [{ startService }, { loadConfig }, { createLog }] = await Promise.all([
    import('../../../src/service.ts'),
    import('../../../src/config.ts'),
    import('../../../src/lib/log/log.ts'),
  ])
  const config = loadConfig({ FRONTDESK_PORT: '0' }, { dataDir: DATA })
  const service = await startService(
    config,
    createLog(() => {}, false),
  )
  await service.stop()
})
