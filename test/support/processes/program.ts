import { afterAll } from 'bun:test'
import { chmodSync, chownSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { engineOf } from '../data/postgres.ts'
import { PATIENCE, until } from '../patience.ts'
import { copyExecutable } from '../runs/build.ts'
import { logLines } from './log-lines.ts'

export { faultLines, logLines } from './log-lines.ts'

const ROOT = join(import.meta.dir, '../../..')
const NOBODY = 65_534
/** After which a service that was told to stop gives up on what is under way, in milliseconds (`service.ts`). */
const GRACE = 30_000

/** frontdesk as somebody starts it. */
export interface Program {
  readonly command: readonly string[]
  /** Runs as this user. */
  readonly uid?: number
}

/** `bun src/main.ts`. */
export const source: Program = { command: [process.execPath, join(ROOT, 'src/main.ts')] }

let built: Promise<Program> | undefined

/** The executable, as it is built for use; run as nobody where the tests run as root. */
export function executable(): Promise<Program> {
  built ??= place().catch((error) => {
    built = undefined
    throw error
  })
  return built
}

/** The executable, run as whoever runs the tests: on what these have written. Starts with a tenth of what `source` takes. */
export async function ownExecutable(): Promise<Program> {
  return { command: (await executable()).command }
}

async function place(): Promise<Program> {
  const file = join(emptyFolder(), 'frontdesk')
  await copyExecutable(file)
  return { command: [file], ...(process.getuid?.() === 0 ? { uid: NOBODY } : {}) }
}

const folders: string[] = []

/** A new folder that everyone may write to. Removed when the process ends. */
export function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'frontdesk-run-'))
  chmodSync(folder, 0o755)
  if (process.getuid?.() === 0) chownSync(folder, NOBODY, NOBODY)
  folders.push(folder)
  return folder
}

process.on('exit', () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

export interface RunOptions {
  /** Working directory; the data folder is `data` in it unless the arguments say otherwise. */
  cwd: string
  environment?: Record<string, string>
  /** What is piped into standard input; nothing when left out. */
  stdin?: string
  /** What becomes of the reader of stdout once the service listens: a log collector that hangs, goes, or sleeps a little. */
  reader?: 'hangs' | 'goes' | 'sleeps'
}

function dataDirOf(args: readonly string[], cwd: string, environment: RunOptions['environment']): string {
  const option = args.indexOf('--data')
  return resolve(cwd, (option < 0 ? environment?.FRONTDESK_DATA : args[option + 1]) ?? 'data')
}

/** Starts it and leaves the rest to the caller. */
export async function spawn(
  { command, uid }: Program,
  args: readonly string[],
  { cwd, environment, stdin }: RunOptions,
) {
  const engine = await engineOf(dataDirOf(args, cwd, environment))
  return Bun.spawn([...command, ...args], {
    cwd,
    env: {
      PATH: '/usr/bin:/bin',
      HOME: cwd,
      // `bun src/main.ts` would keep its cache at home.
      BUN_RUNTIME_TRANSPILER_CACHE_PATH: '0',
      FRONTDESK_PORT: '0',
      FRONTDESK_RATE_LIMIT: '100000',
      ...engine,
      ...environment,
    },
    stdin: stdin === undefined ? 'ignore' : Buffer.from(stdin),
    stdout: 'pipe',
    stderr: 'pipe',
    ...(uid === undefined ? {} : { uid, gid: uid }),
  })
}

/** Runs a command to its end. */
export async function run(program: Program, args: readonly string[], options: RunOptions) {
  const child = await spawn(program, args, options)
  const [stdout, stderr, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  return { code, stdout, stderr }
}

/** Runs a command that prints a record, and returns the record. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into records of any shape
export async function record(program: Program, args: readonly string[], options: RunOptions): Promise<any> {
  const { code, stdout, stderr } = await run(program, [...args, '--json'], options)
  if (code !== 0) throw new Error(`frontdesk ${args.join(' ')} ended with ${code}: ${stderr || stdout}`)
  return JSON.parse(stdout)
}

export type Running = Awaited<ReturnType<typeof serve>>

/** Starts the service and waits until it says that it listens. Killed after the test file, if still there. */
export async function serve(program: Program, options: RunOptions, args: readonly string[] = ['serve']) {
  const child = await spawn(program, args, options)
  const output = { stdout: '', stderr: '' }
  const listening = Promise.withResolvers<string>()
  const read = async (name: 'stdout' | 'stderr') => {
    const reader = child[name].getReader()
    const decoder = new TextDecoder()
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      output[name] += decoder.decode(value, { stream: true })
      const url = /^frontdesk listening on (\S+)\n/m.exec(output.stdout)?.[1]
      if (!url) continue
      listening.resolve(url)
      if (options.reader === 'goes') await reader.cancel()
      if (options.reader === 'sleeps') await Bun.sleep(30)
      else if (options.reader) return
    }
  }
  const reading = Promise.all([read('stdout'), read('stderr')])
  children.add(child)
  const exited = child.exited.then(async (code) => {
    await reading
    children.delete(child)
    listening.reject(new Error(`frontdesk ended with ${code}: ${output.stderr}`))
    return { code, signal: child.signalCode, ...output }
  })
  const patience = setTimeout(() => listening.reject(new Error(`never listened: ${output.stderr}`)), PATIENCE)
  const url = await listening.promise.finally(() => clearTimeout(patience))
  return {
    url,
    pid: child.pid,
    output,
    exited,
    kill: (signal: NodeJS.Signals) => child.kill(signal),
    /** What it may write at most into any file, in bytes, from now on: as good as a full disk. */
    limitFileSize: (bytes: number | 'unlimited') => {
      const { uid } = program
      const limit = Bun.spawnSync(['prlimit', '--pid', String(child.pid), `--fsize=${bytes}:unlimited`], {
        ...(uid === undefined ? {} : { uid, gid: uid }),
      })
      const { exitCode, stderr } = limit
      if (exitCode !== 0) throw new Error(stderr.toString())
    },
    /** Stops it the way an administrator does. */
    async stop() {
      child.kill('SIGTERM')
      return exited
    },
    /** The request lines of the log so far. */
    requests: () => logLines(output.stdout).filter(({ message }) => message === 'request'),
  }
}

const children = new Set<Bun.Subprocess>()
afterAll(() => {
  for (const child of children) child.kill('SIGKILL')
})

/** What `end` resolves to; throws when it took as long as a service takes that gives up on something. */
export async function early<T>(end: Promise<T>): Promise<T> {
  const timer = Promise.withResolvers<never>()
  const late = setTimeout(() => timer.reject(new Error('it waited until it gave up')), GRACE - 5_000)
  return Promise.race([end, timer.promise]).finally(() => clearTimeout(late))
}

/** Resolves when new connections are refused. */
export async function refusing(url: string): Promise<void> {
  await until(() =>
    fetch(`${url}/healthz`, { headers: { connection: 'close' } }).then(
      () => false,
      () => true,
    ),
  )
}
