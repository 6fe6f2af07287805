import { runTests } from './run-tests.ts'

/** `bun run check` and `check:slow`: `bun test/support/runs/check.ts [--alone] [--lint] [--update-timings] [test file …]`. */
const given = process.argv.slice(2)
const files = given.filter((argument) => !argument.startsWith('--'))
process.exitCode = await runTests({
  files,
  lints: given.includes('--lint'),
  updatesTimings: given.includes('--update-timings'),
  ...(given.includes('--alone') ? {} : { workers: 4 }),
})
