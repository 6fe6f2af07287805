import { test } from 'bun:test'
import { chownSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { type Database, openDatabase } from '../../../src/db/index.ts'
import { until } from '../patience.ts'
import { unusedPort } from '../processes/ports.ts'
import { shortLived } from './short-lived.ts'

/** The server that the tests run against instead of SQLite, if any: a URL whose user may create databases. */
export const serverUrl = process.env.FRONTDESK_TEST_DATABASE_URL || null

/** For what holds of a SQLite file alone: no test where the tests run on PostgreSQL. */
export const testOfSqlite = (serverUrl ? Object.assign(() => {}, { each: () => () => {} }) : test) as typeof test

/** Tells the databases of one test file from those of others: several files may run at once, or one after another in one process. */
const OWN = crypto.randomUUID().replaceAll('-', '').slice(0, 12)
/** The migrated database that all others are copies of: made once for a whole run, or by a file that runs alone. */
const shared = process.env.FRONTDESK_TEST_TEMPLATE || null
const TEMPLATE = shared ?? `frontdesk_template_${OWN}`
/** By data folder: a service that is opened again on its folder finds its database again. */
const databases = new Map<string, string>()
let template: Promise<void> | undefined
let count = 0

const admin = serverUrl ? postgres(serverUrl, { max: 2, idle_timeout: 5, onnotice: () => {} }) : null

/** What a service on this data folder has to be told: on PostgreSQL, of a database that is made when first asked for. */
export async function engineOf(dataDir: string): Promise<Record<string, string>> {
  if (!admin) return {}
  let name = databases.get(dataDir)
  if (!name) {
    template ??= shared ? Promise.resolve() : makeTemplate(TEMPLATE, serverUrl as string)
    await template
    name = `frontdesk_test_${OWN}_${++count}`
    databases.set(dataDir, name)
    await admin.unsafe(`CREATE DATABASE ${name} TEMPLATE ${TEMPLATE}`)
  }
  return { FRONTDESK_DATABASE_URL: urlOf(name), FRONTDESK_SECRET_KEY: Buffer.alloc(32, 1).toString('base64') }
}

/** On PostgreSQL: a copy of what nobody serves, of data folder `from`, for the service of data folder `to`. */
export async function copyDatabaseOf(from: string, to: string): Promise<void> {
  const source = databases.get(from)
  if (!admin || !source) return
  const name = `frontdesk_test_${OWN}_${++count}`
  databases.set(to, name)
  await admin.unsafe(`CREATE DATABASE ${name} TEMPLATE ${source}`)
}

/** On PostgreSQL: the database of a data folder that nobody serves becomes what `fill` makes of it and an empty one. */
export async function remakeDatabaseOf(dataDir: string, fill: (from: string, to: string) => Promise<void>) {
  const source = databases.get(dataDir)
  if (!admin || !source) throw new Error('no database')
  const name = `frontdesk_test_${OWN}_${++count}`
  await admin.unsafe(`CREATE DATABASE ${name}`)
  await fill(urlOf(source), urlOf(name))
  await dropDatabaseOf(dataDir)
  databases.set(dataDir, name)
}

/** Opens what the service of a data folder left, beside it or after it. */
export async function openDataOf(dataDir: string): Promise<Database> {
  const { FRONTDESK_DATABASE_URL: databaseUrl = null } = await engineOf(dataDir)
  return openDatabase({ dataDir, databaseUrl })
}

/** Drops the database of a data folder, whoever uses it. */
export async function dropDatabaseOf(dataDir: string): Promise<void> {
  const name = databases.get(dataDir)
  if (!admin || !name) return
  databases.delete(dataDir)
  await admin.unsafe(`DROP DATABASE ${name} WITH (FORCE)`)
}

/** Runs a statement of its own on a database, beside whoever uses it. */
export async function runSql(url: string, text: string, params: string[] = []) {
  const client = postgres(url, { max: 1, onnotice: () => {} })
  try {
    return await client.unsafe(text, params)
  } finally {
    await client.end()
  }
}

/** Makes a migrated database for others to be copies of. */
export async function makeTemplate(name: string, server: string): Promise<void> {
  await runSql(server, `CREATE DATABASE ${name}`)
  await (await openDatabase({ dataDir: '', databaseUrl: urlOf(name, server) })).close()
}

function urlOf(database: string, server = serverUrl as string): string {
  const url = new URL(server)
  url.pathname = `/${database}`
  return url.href
}

/** How the server is told to end: `fast` ends transactions and connections in order, `immediate` as a crash would. */
const SHUTDOWNS = { fast: 'SIGINT', immediate: 'SIGQUIT' } as const

/** A server that refuses to run as root has another user. */
const user = process.getuid?.() === 0 ? ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'] : []

export type Settings = Readonly<Record<string, string | number>>

/** Debian's PostgreSQL, unprivileged, in a temporary folder, on a port that nobody else has. Not made to last,
 * unless it is asked to keep what it has committed (`isDurable`), as it does where it is in use. */
export async function startPostgres({
  isDurable = false,
  settings = {},
}: {
  isDurable?: boolean
  settings?: Settings
} = {}) {
  const folder = ownFolder(isDurable)
  const data = join(folder, 'data')
  await make('initdb', folder, ['-D', data, '-U', 'frontdesk', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '-N'])
  return serveFolder(folder, {
    max_connections: 300,
    ...(isDurable ? { shared_buffers: '256MB' } : UNSAFE),
    max_pred_locks_per_transaction: 256,
    ...settings,
  })
}

/** A streaming replica of a server, which follows it from now on: as `startPostgres`, whose settings it shares. */
export async function startReplica(primaryUrl: string, settings: Settings = {}) {
  const folder = ownFolder(false)
  const data = join(folder, 'data')
  const { hostname, port } = new URL(primaryUrl)
  await make('pg_basebackup', folder, ['-R', '-c', 'fast', '-D', data, '-U', 'frontdesk', '-h', hostname, '-p', port])
  return serveFolder(folder, { max_connections: 300, ...UNSAFE, max_pred_locks_per_transaction: 256, ...settings })
}

const UNSAFE = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', autovacuum: 'off' }

function ownFolder(isDurable: boolean): string {
  const folder = mkdtempSync(join(isDurable ? tmpdir() : shortLived(), 'frontdesk-postgres-'))
  if (user.length > 0) chownSync(folder, 65_534, 65_534)
  return folder
}

async function make(program: string, folder: string, args: string[]): Promise<void> {
  const made = Bun.spawn([...user, join(binaries(), program), ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder },
    stdout: 'ignore',
    stderr: 'pipe',
  })
  const said = await new Response(made.stderr).text()
  if ((await made.exited) !== 0) throw new Error(said)
}

/** The server whose data lie in `data` of this folder, which belong to it from now on. */
export async function serveFolder(folder: string, given: Settings) {
  const port = unusedPort()
  const settings = { port, listen_addresses: '127.0.0.1', unix_socket_directories: folder, ...given }
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const url = `postgres://frontdesk@127.0.0.1:${port}/postgres`
  const start = () => {
    const stderr = Bun.file(join(folder, 'log'))
    return Bun.spawn([...user, join(binaries(), 'postgres'), '-D', join(folder, 'data'), ...options], {
      cwd: folder,
      stdout: 'ignore',
      stderr,
    })
  }
  let server = start()
  const halt = async (how: keyof typeof SHUTDOWNS = 'fast') => {
    server.kill(SHUTDOWNS[how])
    await server.exited
  }
  const isReady = () => answers(url, server, () => Bun.file(join(folder, 'log')).text())
  await isReady()
  return {
    url,
    /** Ends the server, its connections with it. */
    halt,
    async start() {
      server = start()
      await isReady()
    },
    /** Of its first process, whose children serve. */
    get pid() {
      return server.pid
    },
    /** Every process of the server stands still, or goes on. */
    signalAll(signal: 'SIGSTOP' | 'SIGCONT') {
      // Standing still, it starts no others.
      server.kill(signal)
      const { stdout } = Bun.spawnSync(['ps', '-o', 'pid=', '--ppid', String(server.pid)])
      const children = stdout.toString().split('\n').map(Number).filter(Boolean)
      // One may have ended since.
      if (children.length > 0) Bun.spawnSync(['kill', `-${signal.slice(3)}`, ...children.map(String)])
    },
    async stop(how: keyof typeof SHUTDOWNS = 'fast') {
      await halt(how)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const [found] = [...new Bun.Glob('/usr/lib/postgresql/*/bin/postgres').scanSync({ cwd: '/' })].sort().reverse()

/** Whether `startPostgres` has something to start. */
export const isPostgresHere = found !== undefined

function binaries(): string {
  if (!found) throw new Error('no PostgreSQL here: install it, or set FRONTDESK_TEST_DATABASE_URL')
  return join(found, '..')
}

async function answers(url: string, server: Bun.Subprocess, log: () => Promise<string>): Promise<void> {
  const client = postgres(url, { max: 1, backoff: () => 0.1, onnotice: () => {} })
  const isAnswering = () => client.unsafe('SELECT 1').catch(() => null)
  await until(isAnswering, async () => {
    if (server.exitCode !== null) throw new Error(`PostgreSQL has ended: ${await log()}`)
  }).finally(() => client.end())
}
