import { until } from '../patience.ts'
import { logLines, type Running } from './program.ts'

const followers = (service: Running) =>
  logLines(service.output.stdout).filter(({ message }) => message === 'another process follows')
const left = (service: Running) =>
  logLines(service.output.stdout).filter(({ message }) => message === 'nothing is open here any more')
const refused = (service: Running) =>
  logLines(service.output.stdout).filter(({ message }) => message === 'no other process follows, this one goes on')

/** The processes of one service that follow each other, which all write into the first one's output. */
export class Succession {
  readonly pids: number[]

  constructor(readonly service: Running) {
    this.pids = [service.pid]
  }

  get pid(): number {
    return this.pids.at(-1) as number
  }

  /** Sends SIGHUP, or does as told, and resolves with the process that follows, once it has all new connections. */
  async follow(ask: () => void = () => process.kill(this.pid, 'SIGHUP')): Promise<number> {
    const before = followers(this.service).length
    ask()
    await until(() => followers(this.service).length > before)
    this.pids.push(followers(this.service).at(-1)?.pid)
    return this.pid
  }

  /** Sends SIGHUP and resolves with why no process follows. */
  async remain(): Promise<string> {
    const before = refused(this.service).length
    process.kill(this.pid, 'SIGHUP')
    await until(() => refused(this.service).length > before)
    return refused(this.service).at(-1)?.reason
  }

  /** Resolves once none but the newest is there, each of the others by itself. */
  async alone(): Promise<void> {
    await until(() => left(this.service).length === this.pids.length - 1)
    await until(() => this.pids.slice(0, -1).every((pid) => !isThere(pid)))
  }

  /** Stops the newest, with all that is still there, and resolves with what they wrote. */
  async stop() {
    if (isThere(this.pid)) process.kill(this.pid, 'SIGTERM')
    await until(() => this.pids.every((pid) => !isThere(pid)))
    return this.service.exited
  }

  /** For the end of a test, whatever became of it. */
  kill(): void {
    for (const pid of this.pids) if (isThere(pid)) process.kill(pid, 'SIGKILL')
  }
}

/** Whether the process runs: one that has ended, but that nobody has asked about yet, does not. */
export function isThere(pid: number): boolean {
  const { exitCode, stdout } = Bun.spawnSync(['ps', '-o', 'stat=', '-p', String(pid)])
  return exitCode === 0 && !stdout.toString().trim().startsWith('Z')
}
