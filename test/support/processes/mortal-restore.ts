import { test } from 'bun:test'
import { join } from 'node:path'
import { die, real, watchFiles } from './mortal.ts'

/*
 * Run by `bun test ./test/support/processes/mortal-restore.ts` in a process of its own: restores BACKUP into DATA, and dies as by
 * kill -9 before its KILL_AT-th renaming, or in the middle of it where that is a deletion. Writes what it renamed and had
 * the disk hold into STEPS, a line each.
 */

const { BACKUP = '', DATA = '', KILL_AT, STEPS } = process.env
let left = Number(KILL_AT)
const steps: string[] = []

function removeFirstIn(path: string): void {
  const isFolder = real.statSync(path, { throwIfNoEntry: false })?.isDirectory()
  const [first] = isFolder ? real.readdirSync(path).sort() : []
  if (first !== undefined) real.rmSync(join(path, first), { recursive: true })
}

test('restores', async () => {
  watchFiles({
    before({ does, path }) {
      if (does !== 'rename' && does !== 'remove') return
      left--
      if (left !== 0) return
      if (does === 'remove') removeFirstIn(path)
      die()
    },
    after({ does, path }) {
      if (does === 'rename' || does === 'sync') steps.push(`${does} ${path}`)
    },
  })
  const { restore } = await import('../../../src/backup/restore.ts')
  restore({ dataDir: DATA }, BACKUP)
  if (STEPS) real.writeFileSync(STEPS, steps.join('\n'))
})
