import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { UserError } from '../../errors.ts'
import { connect } from './client.ts'
import { explainUnreachable, NoTools } from './faults.ts'

/* What the database server's own tools do for backups: they have to know the server, so an older one than it is of no use. */

/** Where Debian and its likes keep the tools of each major version. */
const VERSIONS = '/usr/lib/postgresql'

type Tool = 'pg_dump' | 'pg_restore'

/** Dumps the database as it is at one moment into a file. Throws UserError, with what to do where pg_dump is missing. */
export async function dumpPostgres(url: string, file: string): Promise<void> {
  const tool = toolFor('pg_dump', await majorOf(url))
  run([tool, '--format=custom', '--no-owner', '--no-privileges', `--file=${file}`, toDatabase(url)], url)
}

/** Reads all of a dump, as a restore would. Throws UserError where that cannot be done. */
export function readDump(file: string): void {
  run([toolFor('pg_restore', madeFrom(file)), '--file=/dev/null', file], null)
}

/** Puts a dump in the place of what the database holds of its tables, all of it or nothing. Throws UserError. */
export function restoreDump(url: string, file: string): void {
  const tool = toolFor('pg_restore', madeFrom(file))
  const options = ['--clean', '--if-exists', '--no-owner', '--no-privileges', '--single-transaction']
  run([tool, ...options, toDatabase(url), file], url)
}

/** Bytes that a dump may well take: they are compressed, and hold no indexes. Throws UserError where the server is away. */
export async function likelyDumpSize(url: string): Promise<number> {
  return Math.ceil((await ask(url, 'pg_database_size(current_database())')) / 4)
}

async function majorOf(url: string): Promise<number> {
  return Math.floor((await ask(url, `current_setting('server_version_num')::integer`)) / 10_000)
}

/** Asks the server for a number. */
async function ask(url: string, what: string): Promise<number> {
  const client = connect(url, { max: 1, access: 'read only' })
  try {
    const [row] = await client.unsafe<{ value: number }[]>(`SELECT ${what} AS value`)
    return Number(row?.value)
  } catch (error) {
    throw explainUnreachable(error)
  } finally {
    await client.end({ timeout: 5 })
  }
}

/** The major version of the server that a dump is of. */
function madeFrom(file: string): number {
  const list = run([toolFor('pg_restore', 0), '--list', file], null)
  return Number(/Dumped from database version: (\d+)/.exec(list)?.[1] ?? 0)
}

/** The oldest that knows a server of this version; where any will do (0), the newest. */
function toolFor(name: Tool, major: number): string {
  const installed = existsSync(VERSIONS) ? readdirSync(VERSIONS).map(Number) : []
  const versions = installed.filter((version) => version >= major).sort((a, b) => (major === 0 ? b - a : a - b))
  const found = versions.map((version) => join(VERSIONS, String(version), 'bin', name)).find(existsSync)
  if (found) return found
  const onPath = Bun.which(name)
  const version = onPath ? Number(/(\d+)/.exec(run([onPath, '--version'], null))?.[1] ?? 0) : 0
  if (onPath && version >= major) return onPath
  throw new NoTools(
    `${onPath ? `${name} is of version ${version}` : `${name} is missing`}: install PostgreSQL's client tools of version ${major || 15} or later (Debian: postgresql-client)`,
  )
}

/** The password is left out: everybody on the machine can read a command line. */
function toDatabase(url: string): string {
  const parsed = new URL(url)
  parsed.password = ''
  return `--dbname=${parsed.href}`
}

/** Returns what it printed. */
function run(command: string[], url: string | null): string {
  const password = url === null ? '' : decodeURIComponent(new URL(url).password)
  const { exitCode, stdout, stderr } = Bun.spawnSync(command, {
    env: { ...process.env, LC_ALL: 'C', ...(password === '' ? {} : { PGPASSWORD: password }) },
    stdin: 'ignore',
  })
  if (exitCode === 0) return stdout.toString()
  throw new UserError(stderr.toString().trim().split('\n').slice(0, 3).join(' ') || `${command[0]} failed`)
}
