import { writeSync } from 'node:fs'
import { bufferedWriter, createLog, type Log } from './log.ts'

/** How much may wait for a reader of stdout that has stalled, in characters; what comes on top is dropped, not kept. */
const MAX_BACKLOG = 4 * 1024 * 1024

/** How long the end of the service waits for such a reader, in milliseconds. */
const PATIENCE = 1_000

/** The log of a running service. */
export interface StdoutLog {
  readonly log: Log
  /** Resolves when every line has been handed to the reader of stdout, or it has had time enough to take them. */
  flush(): Promise<void>
  /** The same at once, for a process that is about to die; gives up where a reader has stalled. */
  flushNow(): void
}

/** A log on stdout: JSON lines, or readable ones on a terminal. Neither a stalled nor a vanished reader stops the service. */
export function openStdoutLog(): StdoutLog {
  const { stdout } = process
  let backlog = 0
  let dropped = 0
  let drained = () => {}
  let write = (text: string) => {
    if (backlog > MAX_BACKLOG) {
      dropped += text.split('\n').length - 1
      return
    }
    backlog += text.length
    stdout.write(text, () => {
      backlog -= text.length
      if (backlog === 0) drained()
    })
    if (dropped > 0) {
      const lines = dropped
      dropped = 0
      log.error('stdout was not read in time: lines were dropped', { lines })
    }
  }
  stdout.on('error', () => {
    write = () => {}
  })
  const buffer = bufferedWriter((text) => write(text))
  const log = createLog(buffer.write, stdout.isTTY === true, buffer.write)
  return {
    log,
    flush() {
      buffer.flush()
      if (backlog === 0) return Promise.resolve()
      return new Promise((resolve) => {
        const timer = setTimeout(resolve, PATIENCE)
        drained = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    },
    flushNow() {
      write = writeAll
      buffer.flush()
    },
  }
}

function writeAll(text: string): void {
  try {
    writeSync(process.stdout.fd, text)
  } catch {
    // Nobody is reading, and nobody is left to tell.
  }
}
