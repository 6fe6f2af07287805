import { runTests } from './run-tests.ts'

/** `bun run check` and `check:slow`: `bun test/support/check.ts [--alone] [test file …]`. */
const given = process.argv.slice(2)
const files = given.filter((argument) => argument !== '--alone')
process.exitCode = await runTests({ files, ...(given.includes('--alone') ? {} : { workers: 4 }) })
