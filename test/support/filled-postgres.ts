import { until } from './patience.ts'
import { runSql, startPostgres } from './postgres.ts'
import { emptyFolder, type Program, record } from './program.ts'

/** Rows of what a dump takes some time for. */
const ROWS = 400_000

/** A server of the test's own with an installation, whose dump takes so long that it can be killed amid it. */
export async function startFilledPostgres(program: Program) {
  const server = await startPostgres()
  const cwd = emptyFolder()
  const environment = {
    FRONTDESK_DATABASE_URL: server.url,
    FRONTDESK_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
  }
  await record(program, ['tenant', 'create', '--name', 'Acme'], { cwd, environment })
  await runSql(server.url, `CREATE TABLE filler AS SELECT md5(n::text) AS text FROM generate_series(1, ${ROWS}) AS n`)
  const dumps = async () =>
    (await runSql(server.url, `SELECT 1 FROM pg_stat_activity WHERE application_name = 'pg_dump'`)).length
  return {
    cwd,
    environment,
    isDumping: async () => (await dumps()) > 0,
    /** Resolves once none is under way. */
    noDumpIsLeft: async () => void (await until(async () => (await dumps()) === 0)),
    stop: () => server.stop(),
  }
}
