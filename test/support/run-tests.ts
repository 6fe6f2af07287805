import { buildExecutable } from './build.ts'
import { LIMIT } from './patience.ts'

export interface TestRun {
  /** All when left out. */
  files?: readonly string[]
  /** Processes that run test files beside one another; one file after the other when left out. */
  workers?: number
  environment?: Record<string, string>
}

/** Runs tests as the checks do, the executable built before the first begins, and returns the exit code. */
export async function runTests({ files = [], workers, environment = {} }: TestRun): Promise<number> {
  await buildExecutable()
  const beside = workers ? [`--parallel=${workers}`, '--no-isolate'] : []
  const tests = Bun.spawn([process.execPath, 'test', ...beside, '--timeout', String(LIMIT), ...files], {
    env: { ...process.env, ...environment },
    stdio: ['inherit', 'inherit', 'inherit'],
  })
  // Broken off, it leaves no tests behind.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => tests.kill(signal))
  return tests.exited
}
