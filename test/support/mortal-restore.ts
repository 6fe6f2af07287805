import { mock, test } from 'bun:test'
import fs from 'node:fs'
import { join } from 'node:path'

/*
 * Run by `bun test ./test/support/mortal-restore.ts` in a process of its own: restores BACKUP into DATA, and dies as by
 * kill -9 before its KILL_AT-th renaming, or in the middle of it where that is a deletion. Writes what it renamed and had
 * the disk hold into STEPS, a line each.
 */

const { BACKUP = '', DATA = '', KILL_AT, STEPS } = process.env
const real = { ...fs }
let left = Number(KILL_AT)
const steps: string[] = []
const opened = new Map<number, string>()

function step(before: () => void = () => {}): void {
  left--
  if (left !== 0) return
  before()
  process.kill(process.pid, 'SIGKILL')
  // The signal may take a moment, in which nothing more may happen.
  for (;;) {}
}

const watched = {
  ...real,
  renameSync: (from: string, to: string) => {
    step()
    real.renameSync(from, to)
    steps.push(`rename ${to}`)
  },
  openSync: (path: string, ...more: [fs.OpenMode, fs.Mode?]) => {
    const descriptor = real.openSync(path, ...more)
    opened.set(descriptor, path)
    return descriptor
  },
  fsyncSync: (descriptor: number) => {
    real.fsyncSync(descriptor)
    steps.push(`sync ${opened.get(descriptor)}`)
  },
  rmSync: (path: string, options: fs.RmOptions) => {
    step(() => {
      const isFolder = real.statSync(path, { throwIfNoEntry: false })?.isDirectory()
      const [first] = isFolder ? real.readdirSync(path).sort() : []
      if (first !== undefined) real.rmSync(join(path, first), { recursive: true })
    })
    real.rmSync(path, options)
  },
}

test('restores', async () => {
  mock.module('node:fs', () => ({ ...watched, default: watched }))
  const { restore } = await import('../../src/backup/restore.ts')
  restore({ dataDir: DATA }, BACKUP)
  if (STEPS) real.writeFileSync(STEPS, steps.join('\n'))
})
