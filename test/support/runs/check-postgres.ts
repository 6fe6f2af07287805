import { makeTemplate, runSql, startPostgres } from '../data/postgres.ts'
import { runTests } from './run-tests.ts'

/**
 * `bun run check:postgres [test file …]`: the whole suite on PostgreSQL. On a server of its own, made for the run, or
 * on that of FRONTDESK_TEST_DATABASE_URL, whose user may create databases. Tests about SQLite itself lie in folders of
 * that name or say `testOfSqlite`, and are no part of it.
 */
const given = process.argv.slice(2)
const common = [...new Bun.Glob('test/**/*.test.ts').scanSync()].filter((path) => !/\/(sqlite|backup)\//.test(path))
// What only PostgreSQL can be asked: not found by the run on SQLite.
const own = [...new Bun.Glob('test/**/*.postgres.ts').scanSync()].map((path) => `./${path}`)
const all = [...common, ...own].sort()
const url = process.env.FRONTDESK_TEST_DATABASE_URL
const server = url ? null : await startPostgres()
const serverUrl = url || (server?.url as string)
const template = `frontdesk_template_${process.pid}`
try {
  await makeTemplate(template, serverUrl)
  const files = given.length > 0 ? given : all
  const environment = { FRONTDESK_TEST_DATABASE_URL: serverUrl, FRONTDESK_TEST_TEMPLATE: template }
  process.exitCode = await runTests({ files, workers: 4, environment })
  if (!server) await runSql(serverUrl, `DROP DATABASE ${template}`)
} finally {
  await server?.stop()
}
