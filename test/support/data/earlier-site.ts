import { join } from 'node:path'
import { emptyFolder, type Program, record } from '../processes/program.ts'
import { fillAsBefore } from './earlier-postgres.ts'
import { copyDatabaseOf, engineOf, remakeDatabaseOf, runSql, startPostgres } from './postgres.ts'

/** The version before this migration. */
const BEFORE = 'leaving'

/** On PostgreSQL: an installation as an earlier version left it, with a company, which copies are made of. */
export async function earlierSite(program: Program) {
  const made = emptyFolder()
  await record(program, ['tenant', 'create', '--name', 'Acme'], { cwd: made })
  const original = join(made, 'data')
  await remakeDatabaseOf(original, (from, to) => fillAsBefore(BEFORE, from, to))
  const copy = async () => {
    const dataDir = join(emptyFolder(), 'data')
    await copyDatabaseOf(original, dataDir)
    const environment = await engineOf(dataDir)
    return { environment, url: String(environment.FRONTDESK_DATABASE_URL) }
  }
  return {
    /** How many migrations it has behind it. */
    before: await appliedIn((await copy()).url),
    /** A database of that version, and what a node on it has to be told. */
    copy,
  }
}

/** Rows of what a dump takes some time for. */
const ROWS = 400_000

/** As `earlierSite`, on a server of the test's own, with so much in it that a dump takes some time. */
export async function startEarlierServer(program: Program) {
  const server = await startPostgres()
  const environment = { FRONTDESK_SECRET_KEY: Buffer.alloc(32, 7).toString('base64') }
  const made = { ...environment, FRONTDESK_DATABASE_URL: server.url }
  await record(program, ['tenant', 'create', '--name', 'Acme'], { cwd: emptyFolder(), environment: made })
  let count = 0
  const create = async (how = '') => {
    const name = `made_${++count}`
    await runSql(server.url, `CREATE DATABASE ${name} ${how}`)
    return { name, url: server.url.replace(/[^/]+$/, name) }
  }
  const original = await create()
  await fillAsBefore(BEFORE, server.url, original.url)
  await runSql(original.url, `CREATE TABLE filler AS SELECT md5(n::text) AS text FROM generate_series(1, ${ROWS}) AS n`)
  return {
    /** How many migrations it has behind it. */
    before: await appliedIn(original.url),
    /** What a node on a database has to be told beside where that is. */
    environment,
    copy: async () => (await create(`TEMPLATE ${original.name}`)).url,
    empty: async () => (await create()).url,
    stop: () => server.stop(),
  }
}

/** How many migrations a database has behind it. */
export async function appliedIn(url: string): Promise<number> {
  const [row] = await runSql(url, 'SELECT count(*)::integer AS count FROM migrations')
  return row?.count
}
