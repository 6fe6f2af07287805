import { closeSync, existsSync, openSync, readdirSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { UserError } from '../../errors.ts'
import { CONNECT_TIMEOUT, reach } from './client.ts'
import { explainUnreachable, NoTools } from './faults.ts'
import { migrations } from './migrations.ts'
import { hasSeveralHosts, withoutPassword } from './url.ts'

/* What the database server's own tools do for backups: they have to know the server, so an older one than it is of no use. */

/** Where Debian and its likes keep the tools of each major version. */
const VERSIONS = '/usr/lib/postgresql'

/** How long a table may be locked against it, in milliseconds. */
const PATIENCE = 60_000

type Tool = 'pg_dump' | 'pg_restore' | 'psql'

/**
 * Dumps the database as it is at one moment into a new file. What pg_dump writes goes through this process, so that it
 * ends when this one is killed: by itself it would go on, and keep all tables from being changed until its end. `written`
 * is told of each piece, and may hold it up. While it waits for a table that others have locked it writes nothing, and
 * would not notice; so it waits for `patience` milliseconds. Throws UserError, with what to do where pg_dump is missing.
 */
export async function dumpPostgres(
  url: string,
  file: string,
  written: (bytes: number) => void,
  patience = PATIENCE,
): Promise<void> {
  const tool = toolFor('pg_dump', await majorOf(url))
  const { database, environment } = access(url)
  const options = ['--format=custom', '--no-owner', '--no-privileges', `--lock-wait-timeout=${patience}`]
  const dump = Bun.spawn([tool, ...options, database], {
    env: environment,
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const said = new Response(dump.stderr).text()
  const target = openSync(file, 'wx', 0o600)
  try {
    for await (const piece of dump.stdout) {
      for (let at = 0; at < piece.length; ) at += writeSync(target, piece, at)
      written(piece.length)
    }
  } catch (error) {
    dump.kill()
    throw error
  } finally {
    closeSync(target)
  }
  if ((await dump.exited) === 0) return
  const reason = await said
  // It quotes the statement, which names every table.
  throw reason.includes('LOCK TABLE') && reason.includes('statement timeout')
    ? new UserError(
        `others keep a table of the database locked, for longer than ${patience / 1000} seconds: try again when they are done`,
      )
    : refused(tool, reason)
}

/** Reads all of a dump, as a restore would. Throws UserError where that cannot be done. */
export function readDump(file: string): void {
  run([toolFor('pg_restore', madeFrom(file)), '--file=/dev/null', file])
}

/**
 * Puts a dump in the place of what the database holds of our tables, all of it or nothing: also one of an earlier version,
 * whose tables those that came later refer to. Throws UserError, also where the database is of a newer version, of whose
 * tables this one does not know.
 */
export function restoreDump(url: string, file: string): void {
  const made = madeFrom(file)
  const [restore, sql] = [toolFor('pg_restore', made), toolFor('psql', made)]
  const { database, environment } = access(url)
  const parts = [restore, file, sql, database, removal(), "RAISE EXCEPTION 'the dump cannot be read';"]
  run(['sh', '-c', RESTORING, 'sh', ...parts], environment)
}

/** Of a dump that cannot be read to its end nothing is committed; the full stop ends what may be amid a table's rows. */
const RESTORING = String.raw`{
  printf '%s\n' 'SET client_min_messages = warning; BEGIN;' "$5"
  if "$1" --clean --if-exists --no-owner --no-privileges --file=- "$2"
  then printf 'COMMIT;\n'
  else printf '\\.\nROLLBACK;\nDO $$ BEGIN %s END $$;\n' "$6"
  fi
} | "$3" --no-psqlrc --quiet --set=ON_ERROR_STOP=1 --output=/dev/null "$4"`

/** Statements that remove what this version and those before have made. What of others depends on it, a view for example, has it refused. */
function removal(): string {
  const made = migrations.flatMap(({ statements }) => statements)
  const named = (what: string) => [
    ...new Set(made.flatMap((statement) => new RegExp(`^\\s*CREATE ${what} "(\\w+)"`).exec(statement)?.[1] ?? [])),
  ]
  const tables = named('(?:UNLOGGED )?TABLE')
  const list = (names: readonly string[], quote: string) => names.map((name) => quote + name + quote).join(', ')
  return `
    DO $$ DECLARE found record; newer boolean := false; BEGIN
      IF to_regclass('migrations') IS NOT NULL THEN
        EXECUTE 'SELECT count(*) > ${migrations.length} FROM migrations' INTO newer;
      END IF;
      IF newer THEN
        RAISE EXCEPTION 'the database is of a newer version of frontdesk: restore with that version, then start this one';
      END IF;
      FOR found IN SELECT conrelid::regclass AS place, conname AS name FROM pg_constraint
        WHERE contype = 'f' AND conrelid IN (SELECT to_regclass(name) FROM unnest(ARRAY[${list(tables, "'")}]) AS name)
      LOOP EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', found.place, found.name); END LOOP;
    END $$;
    DROP TABLE IF EXISTS ${list(tables, '"')};
    DROP FUNCTION IF EXISTS ${list(named('FUNCTION'), '"')};`
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
  const client = await reach(url, { max: 1, access: 'read only' })
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
  const list = run([toolFor('pg_restore', 0), '--list', file])
  return Number(/Dumped from database version: (\d+)/.exec(list)?.[1] ?? 0)
}

/** The oldest that knows a server of this version; where any will do (0), the newest. */
function toolFor(name: Tool, major: number): string {
  const installed = existsSync(VERSIONS) ? readdirSync(VERSIONS).map(Number) : []
  const versions = installed.filter((version) => version >= major).sort((a, b) => (major === 0 ? b - a : a - b))
  const found = versions.map((version) => join(VERSIONS, String(version), 'bin', name)).find(existsSync)
  if (found) return found
  const onPath = Bun.which(name)
  const version = onPath ? Number(/(\d+)/.exec(run([onPath, '--version']))?.[1] ?? 0) : 0
  if (onPath && version >= major) return onPath
  throw new NoTools(
    `${onPath ? `${name} is of version ${version}` : `${name} is missing`}: install PostgreSQL's client tools of version ${major || 15} or later (Debian: postgresql-client)`,
  )
}

const plain = (): NodeJS.ProcessEnv => ({ ...process.env, LC_ALL: 'C' })

/** How a tool is told of the database. The password is no argument: everybody on the machine can read a command line. */
function access(url: string): { database: string; environment: NodeJS.ProcessEnv } {
  const { url: shown, password } = withoutPassword(url)
  return {
    database: `--dbname=${shown}`,
    environment: {
      ...plain(),
      ...(password === '' ? {} : { PGPASSWORD: password }),
      ...(hasSeveralHosts(url) ? { PGTARGETSESSIONATTRS: 'primary', PGCONNECT_TIMEOUT: String(CONNECT_TIMEOUT) } : {}),
    },
  }
}

/** Returns what it printed. */
function run(command: string[], environment: NodeJS.ProcessEnv = plain()): string {
  const { exitCode, stdout, stderr } = Bun.spawnSync(command, { env: environment, stdin: 'ignore' })
  if (exitCode === 0) return stdout.toString()
  throw refused(command[0], stderr.toString())
}

function refused(tool: string | undefined, said: string): UserError {
  const lines = said
    .trim()
    .replaceAll(/^psql:<stdin>:\d+: /gm, '')
    .split('\n')
  return new UserError(lines.slice(0, 3).join(' ') || `${tool} failed`)
}
