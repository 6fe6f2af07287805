import { setPriority } from 'node:os'
import { backupEnvironment } from '../config.ts'
import { PROGRAM } from '../lib/process/program.ts'
import { formatTime } from '../lib/time.ts'
import type { Kept } from './make.ts'
import type { Doubtful } from './state.ts'

/** Lets everybody else go first. */
const LOWEST_PRIORITY = 19
/** Of what it wrote about a failure, in characters. */
const LONGEST_REASON = 1000

type Backed = Parameters<typeof backupEnvironment>[0]

/** Begins to make the backup of a time. */
export type StartBackup = (config: Backed, now: number) => UnderWay<Kept>

/** Begins to look at those that nobody has checked. */
export type StartLook = (config: Backed) => UnderWay<readonly Doubtful[]>

/** That the process was told to end, as with all others of the service. */
export class BrokenOff extends Error {}

/** What another process does about backups. */
export interface UnderWay<T> {
  /** Rejects with BrokenOff where it was told to end; else, where it failed, with the reason in words for an administrator. */
  readonly done: Promise<T>
  /** Breaks it off: what it had is cleared away by the next one. */
  kill(): void
}

/**
 * Makes the backup of the time `now`, in milliseconds since 1970, as `frontdesk backup now` does, in a process of its own:
 * that reads and hashes everything there is, and gets the processor when nobody else wants it.
 */
export const startBackup: StartBackup = (config, now) => start(config, backupArguments(now))

/** Looks as `frontdesk backup list` does, and notes what was found to be good; a process of its own for the same reason. */
export const startLook: StartLook = (config) => start(config, LOOK_ARGUMENTS)

/** Of the command that makes it: nobody waits for it, so it goes slowly. */
export function backupArguments(now: number): string[] {
  return ['backup', 'now', '--json', '--paced', '--at', formatTime(now)]
}

/** Of the command that looks. */
export const LOOK_ARGUMENTS: readonly string[] = ['backup', 'list', '--json', '--note']

function start<T>(config: Backed, parameters: readonly string[]): UnderWay<T> {
  const child = Bun.spawn([...program(), ...parameters], {
    env: backupEnvironment(config),
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  try {
    setPriority(child.pid, LOWEST_PRIORITY)
  } catch {
    // It has ended already, or nobody may say so here.
  }
  let isKilled = false
  return {
    done: outcome<T>(child).catch((error) => {
      throw isKilled || child.signalCode === 'SIGTERM' || child.signalCode === 'SIGINT' ? new BrokenOff() : error
    }),
    kill() {
      isKilled = true
      child.kill('SIGKILL')
    },
  }
}

async function outcome<T>(child: Bun.Subprocess<'ignore', 'pipe', 'pipe'>): Promise<T> {
  const [output, errors, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  if (code === 0) return JSON.parse(output) as T
  const reason = errors
    .trim()
    .replace(/^frontdesk: /, '')
    .slice(0, LONGEST_REASON)
  throw new Error(reason || `the process that was at it ended with ${child.signalCode ?? code}`)
}

/** How this program is started: the executable by itself, its sources by Bun. */
function program(): string[] {
  const isExecutable = import.meta.url.includes('/$bunfs/') || import.meta.url.includes('~BUN')
  return isExecutable ? [PROGRAM] : [PROGRAM, new URL('../main.ts', import.meta.url).pathname]
}
