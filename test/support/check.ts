import { runTests } from './run-tests.ts'

/** `bun run check` and `check:slow`: `bun test/support/check.ts [--alone] [--update-timings] [test file …]`. */
const given = process.argv.slice(2)
const files = given.filter((argument) => !argument.startsWith('--'))
process.exitCode = await runTests({
  files,
  updatesTimings: given.includes('--update-timings'),
  ...(given.includes('--alone') ? {} : { workers: 4 }),
})
