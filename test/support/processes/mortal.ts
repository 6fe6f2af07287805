import { mock } from 'bun:test'
import fs from 'node:fs'

/* For processes that die as by kill -9 at a step that a test chooses: at the same one on every machine, however busy. */

/** What a process does to a file, or has the disk do. */
export interface Step {
  readonly does: 'rename' | 'remove' | 'write' | 'sync'
  /** Of a renaming, the new one. */
  readonly path: string
}

/** What `node:fs` has, unwatched. */
export const real = { ...fs }

interface Watch {
  readonly before: (step: Step) => void
  readonly after?: (step: Step) => void
}

/** Has `before` called before each step of what is imported from now on, and `after` behind it. */
export function watchFiles({ before, after = () => {} }: Watch): void {
  const opened = new Map<number, string>()
  const watched = <T>(step: Step, work: () => T): T => {
    before(step)
    const result = work()
    after(step)
    return result
  }
  const files = {
    ...real,
    openSync(path: string, ...more: [fs.OpenMode, fs.Mode?]) {
      const descriptor = real.openSync(path, ...more)
      opened.set(descriptor, path)
      return descriptor
    },
    renameSync: (from: string, to: string) => watched({ does: 'rename', path: to }, () => real.renameSync(from, to)),
    rmSync: (path: string, options: fs.RmOptions) =>
      watched({ does: 'remove', path }, () => real.rmSync(path, options)),
    writeSync: (descriptor: number, ...more: [NodeJS.ArrayBufferView, number?]) =>
      watched({ does: 'write', path: String(opened.get(descriptor)) }, () => real.writeSync(descriptor, ...more)),
    fsyncSync: (descriptor: number) =>
      watched({ does: 'sync', path: String(opened.get(descriptor)) }, () => real.fsyncSync(descriptor)),
  }
  mock.module('node:fs', () => ({ ...files, default: files }))
}

/** Ends this process as kill -9 does. */
export function die(): never {
  process.kill(process.pid, 'SIGKILL')
  // The signal may take a moment, in which nothing more may happen.
  for (;;) {}
}
