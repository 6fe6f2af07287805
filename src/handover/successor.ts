import { within } from '../lib/concurrency/within.ts'
import { sharePorts } from '../lib/network/shared-ports.ts'
import { PROGRAM } from '../lib/process/program.ts'
import { FOLLOWS, type FromSuccessor } from './messages.ts'

/** How long a successor may take until it listens, in milliseconds: it may have to make a backup before it migrates. */
const PATIENCE = 30 * 60_000

/** The process that follows this one, and has taken over all new connections. */
export interface Successor {
  readonly pid: number
  /** Whether it has to be alone with the data before it answers: it brings the database up to date. */
  readonly waits: boolean
  /** Resolves when what is still open here is to be closed: it says so, or has ended. */
  readonly hurries: Promise<void>
}

/**
 * Starts this program once more, as it was started, to follow this process; `environment` is put on top of its own.
 * Resolves once the new process has taken over all new connections. Where it does not come to that, it is ended, nothing
 * has changed for this one, and the reason is returned.
 */
export async function startSuccessor(environment: NodeJS.ProcessEnv): Promise<Successor | string> {
  if (!sharePorts(true)) {
    sharePorts(false)
    return 'this system does not let two processes listen on the same port'
  }
  const said = Promise.withResolvers<FromSuccessor | null>()
  const hurries = Promise.withResolvers<void>()
  const child = Bun.spawn([PROGRAM, ...process.execArgv, ...script(), ...process.argv.slice(2)], {
    env: { ...process.env, ...environment, [FOLLOWS]: String(process.pid) },
    stdio: ['inherit', 'inherit', 'inherit'],
    ipc(message: FromSuccessor) {
      if (message === 'leave') hurries.resolve()
      else said.resolve(message)
    },
    onExit() {
      said.resolve(null)
      hurries.resolve()
    },
  })
  const isInTime = await within(PATIENCE, said.promise)
  const message = isInTime ? await said.promise : null
  if (message === null) {
    child.kill('SIGKILL')
    const code = await child.exited
    sharePorts(false)
    return isInTime ? `it ended with ${code}` : `it did not listen within ${PATIENCE / 60_000} minutes`
  }
  return {
    pid: child.pid,
    waits: message === 'waits',
    hurries: hurries.promise,
  }
}

/** The script that was started, but none where the executable holds it. */
function script(): string[] {
  const path = process.argv[1] ?? ''
  return path.startsWith('/$bunfs/') ? [] : [path]
}
