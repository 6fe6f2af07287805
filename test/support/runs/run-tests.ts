import type { Subprocess } from 'bun'
import { LIMIT } from '../patience.ts'
import { buildExecutable } from './build.ts'
import { lint } from './lint.ts'

export interface TestRun {
  /** All when left out. */
  files?: readonly string[]
  /** Processes that run test files beside one another; one file after the other when left out. */
  workers?: number
  environment?: Record<string, string>
  /** Whether the linters have to be content, too. They run beside the tests, which end where one is not. */
  lints?: boolean
  /** Whether how long each file took is kept for the runs that follow. */
  updatesTimings?: boolean
}

/**
 * How long each file takes, by which those that take longest begin first: none is the last to end, and those that wait for
 * most of their time (a server that stands still, kills) do so beside others.
 */
const TIMINGS = 'test/timings.json'

/**
 * Runs tests as the checks do, from the root of the repository, and returns the exit code. The executable is built before the
 * first begins.
 */
export async function runTests({
  files = [],
  workers,
  environment = {},
  lints,
  updatesTimings,
}: TestRun): Promise<number> {
  await buildExecutable()
  const timings = [`--timings=${TIMINGS}`, ...(updatesTimings ? ['--update-timings'] : [])]
  const beside = workers ? [`--parallel=${workers}`, '--no-isolate', ...timings] : []
  const tests = Bun.spawn([process.execPath, 'test', ...beside, '--timeout', String(LIMIT), ...files], {
    env: { ...process.env, ...environment },
    stdio: ['inherit', 'inherit', 'pipe'],
  })
  // Broken off, it leaves no tests behind.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => tests.kill(signal))
  const unsound = lints ? endWhereUnsound(tests) : ''
  const failures = await passOn(tests.stderr)
  if (failures.length > 0) console.error(['', 'What failed, once more:', ...failures].join('\n'))
  const [code, found] = await Promise.all([tests.exited, unsound])
  if (found) console.error(`\n${found}`)
  return found ? 1 : code
}

/** Nobody waits for thousands of tests to be told what is wrong with a line. Resolves with what the linters found, or ''. */
async function endWhereUnsound(tests: Subprocess): Promise<string> {
  const found = await lint()
  if (found) tests.kill('SIGTERM')
  return found
}

/** Lines of what a failed test said that are shown once more, and characters of a line: pages in a message are long. */
const SHOWN = { lines: 40, characters: 300 }

/**
 * Passes on what the tests print, as it comes, and returns what was said before each that failed: among ten thousand that
 * passed nobody finds it, and of a long log only the end may have been kept.
 */
async function passOn(printed: ReadableStream<Uint8Array>): Promise<string[]> {
  const decoder = new TextDecoder()
  const failures: string[] = []
  let before: string[] = []
  let rest = ''
  for await (const bytes of printed) {
    process.stderr.write(bytes)
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      if (/^\(pass\)|^\(skip\)|^$/.test(line)) continue
      before = [...before.slice(1 - SHOWN.lines), line.slice(0, SHOWN.characters)]
      if (!line.startsWith('(fail)')) continue
      failures.push(...before)
      before = []
    }
  }
  return failures
}
