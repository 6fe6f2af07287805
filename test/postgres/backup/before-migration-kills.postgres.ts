import { beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import postgres from 'postgres'
import { migrations } from '../../../src/db/postgres/migrations.ts'
import { appliedIn, earlierSite } from '../../support/data/earlier-site.ts'
import { runSql } from '../../support/data/postgres.ts'
import { until } from '../../support/patience.ts'
import { emptyFolder, executable, type RunOptions, record, serve, spawn } from '../../support/processes/program.ts'

const TABLES = `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`
/** Sessions that wait for a table, or hold what nodes that start at once get one after the other, or wait for that. */
const LOCKS = `SELECT locktype, granted, application_name AS program FROM pg_locks JOIN pg_stat_activity USING (pid)
  WHERE (locktype = 'advisory' OR NOT granted) AND datname = current_database()`

const program = await executable()
let site: Awaited<ReturnType<typeof earlierSite>>
beforeAll(async () => {
  site = await earlierSite(program)
})

/** What lies in a place of backups where those made before upgrades go. */
const lyingIn = (place: string) => {
  const folder = join(place, 'before-upgrades')
  return existsSync(folder) ? readdirSync(folder).sort() : []
}
const workshops = [expect.stringMatching(/^\.frontdesk-backup-\w+$/)]

/** Of the tables that are there, the one that is altered last: by then most of the migration is done. */
function alteredLast(tables: readonly string[]): string {
  const altered = migrations
    .slice(site.before)
    .flatMap(({ statements }) => statements.flatMap((text) => /^\s*ALTER TABLE "(\w+)"/.exec(text)?.[1] ?? []))
  return altered.filter((name) => tables.includes(name)).at(-1) as string
}

/**
 * A start on a database of an earlier version that was killed while it waited for a table: `pg_dump` for one that is locked
 * from everybody, or the migration for one that is read. So it is always at the same place.
 */
async function killedStart(waiting: 'pg_dump' | 'migration') {
  const { url, environment: engine } = await site.copy()
  const place = join(emptyFolder(), 'kept')
  const options: RunOptions = { cwd: emptyFolder(), environment: { ...engine, FRONTDESK_BACKUP_TO: place } }
  const holder = postgres(url, { max: 1 })
  const tables = (await holder.unsafe<{ name: string }[]>(TABLES)).map(({ name }) => name)
  const [table, mode] = waiting === 'pg_dump' ? ['contacts', 'ACCESS EXCLUSIVE'] : [alteredLast(tables), 'ACCESS SHARE']
  await holder.unsafe('BEGIN')
  await holder.unsafe(`LOCK TABLE "${table}" IN ${mode} MODE`)
  const locks = () => runSql(url, LOCKS)
  const child = await spawn(program, ['serve'], options)
  await until(async () =>
    (await locks()).some(
      (lock) => lock.locktype === 'relation' && (lock.program === 'pg_dump') === (waiting === 'pg_dump'),
    ),
  )
  child.kill('SIGKILL')
  await child.exited
  return {
    url,
    place,
    options,
    locks,
    /** The table can be had from now on. */
    async release() {
      await holder.unsafe('ROLLBACK')
      await holder.end()
    },
    listed: () => record(program, ['backup', 'list'], options),
  }
}

const good = {
  name: expect.stringContaining('before-upgrades/'),
  at: expect.any(String),
  size: expect.any(Number),
  good: true,
}

describe('kill -9 of a start that backs up and migrates', () => {
  test('amid the dump leaves the database as it was, and no backup; the next one makes it and migrates', async () => {
    const { url, place, options, locks, release, listed } = await killedStart('pg_dump')
    // Nobody waits for it any more, though its dump still waits for the table.
    await until(async () => (await locks()).every(({ locktype }) => locktype !== 'advisory'))
    expect([await appliedIn(url), await listed(), lyingIn(place)]).toEqual([site.before, [], workshops])
    await release()
    const dumps = async () => runSql(url, `SELECT 1 FROM pg_stat_activity WHERE application_name = 'pg_dump'`)
    await until(async () => (await dumps()).length === 0)
    const next = await serve(program, options)
    await next.stop()
    expect([await appliedIn(url), await listed()]).toEqual([migrations.length, expect.arrayContaining([good])])
    const [name] = lyingIn(place)
    expect(lyingIn(place)).toEqual([name as string, `${name}.sha256`])
  })

  test('amid the migration leaves a backup and nothing of the migration, for the next one to do', async () => {
    const { url, place, options, locks, release, listed } = await killedStart('migration')
    expect([await appliedIn(url), await listed()]).toEqual([site.before, [good]])
    const starting = serve(program, options)
    // The server has not noticed yet that nobody wants the table any more.
    await until(async () => (await locks()).some(({ locktype, granted }) => locktype === 'advisory' && !granted))
    await release()
    await (await starting).stop()
    expect([await appliedIn(url), await listed()]).toEqual([migrations.length, expect.arrayContaining([good])])
    expect(lyingIn(place).filter((name) => !/^frontdesk-[\w-]+\.tar(\.sha256)?$/.test(name))).toEqual([])
  })

  test('leaves no copy of the data for long where the next one makes no backup, on another machine', async () => {
    const { place, options, release } = await killedStart('pg_dump')
    await release()
    expect(lyingIn(place)).toEqual(workshops)
    const next = await serve(program, { ...options, cwd: emptyFolder() }, ['serve', '--without-backup'])
    await until(() => lyingIn(place).length === 0)
    await next.stop()
  })
})
