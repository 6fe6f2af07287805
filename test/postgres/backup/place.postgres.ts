import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import postgres from 'postgres'
import { list } from 'tar'
import { dumpPostgres, restoreDump } from '../../../src/db/postgres/dump.ts'
import { UserError } from '../../../src/errors.ts'
import { runSql, startPostgres } from '../../support/data/postgres.ts'
import { until } from '../../support/patience.ts'
import { emptyFolder, executable, record, run, serve, spawn } from '../../support/processes/program.ts'
import { refusalOf } from '../../support/refusal.ts'

const program = await executable()
/** Databases that drills made, and did not drop. */
const spares = async () =>
  (
    await runSql(
      server.url,
      `SELECT datname FROM pg_database WHERE datname LIKE 'frontdesk\\_drill\\_%' ORDER BY datname`,
    )
  ).map(({ datname }) => datname as string)
let server: Awaited<ReturnType<typeof startPostgres>>
beforeAll(async () => {
  server = await startPostgres()
})
afterAll(() => server.stop())

describe('the drill', () => {
  const environment = (url = server.url) => ({
    FRONTDESK_DATABASE_URL: url,
    FRONTDESK_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
  })
  const asUser = (user: string) => {
    const url = new URL(server.url)
    url.username = user
    return url.href
  }
  afterEach(async () => {
    await runSql(server.url, 'DROP SCHEMA public CASCADE')
    await runSql(server.url, 'CREATE SCHEMA public')
  })
  const backUp = async (cwd: string) => {
    const folder = emptyFolder()
    const { name } = await record(program, ['backup', 'now'], {
      cwd,
      environment: { ...environment(), FRONTDESK_BACKUP_TO: folder },
    })
    return join(folder, name)
  }
  const backedUp = async (cwd: string) => {
    await record(program, ['tenant', 'create', '--name', 'Acme'], { cwd, environment: environment() })
    return backUp(cwd)
  }

  test('restores the dump beside the database and finds what is wrong in it, which a reader of the dump does not', async () => {
    const cwd = emptyFolder()
    await (await serve(program, { cwd, environment: environment() })).stop()
    const good = await backedUp(cwd)
    const drilled = await run(program, ['check', '--backup', good], { cwd, environment: environment() })
    expect([drilled.code, drilled.stderr]).toEqual([0, ''])
    await runSql(server.url, `UPDATE secret_key SET fingerprint = 'of another'`)
    const wrong = await backUp(cwd)
    const found = await run(program, ['check', '--backup', wrong], { cwd, environment: environment() })
    expect([found.code, found.stdout]).toEqual([1, expect.stringMatching(/key/)])
    expect(found.stdout).not.toContain('frontdesk_drill_')
    expect(await spares()).toEqual([])
  })

  test('says what it could not try where its user may make no database', async () => {
    const cwd = emptyFolder()
    const file = await backedUp(cwd)
    await runSql(server.url, 'CREATE ROLE humble LOGIN')
    const drilled = await run(program, ['check', '--backup', file], { cwd, environment: environment(asUser('humble')) })
    expect([drilled.code, drilled.stdout, drilled.stderr]).toEqual([
      0,
      expect.stringContaining('is in order'),
      expect.stringMatching(/^frontdesk: its dump was read and not restored, .*CREATEDB[^\n]*\n$/),
    ])
  })

  test('drops what a killed one left, and leaves alone what another uses or is another installation’s', async () => {
    const cwd = emptyFolder()
    const file = await backedUp(cwd)
    const [row] = await runSql(
      server.url,
      'SELECT oid::text AS oid FROM pg_database WHERE datname = current_database()',
    )
    const own = (end: string) => `frontdesk_drill_${row?.oid}_${end}`
    const others = [own('11111111'), 'frontdesk_drill_1_22222222']
    for (const name of [own('00000000'), ...others]) await runSql(server.url, `CREATE DATABASE "${name}"`)
    const busy = postgres(server.url, { max: 1 })
    await busy.unsafe(`SELECT pg_advisory_lock(723611491, hashtext('${own('11111111')}'))`)
    await record(program, ['check', '--backup', file], { cwd, environment: environment() })
    expect(await spares()).toEqual(others.sort())
    await busy.end()
    // Killed amid it.
    const killed = await spawn(program, ['check', '--backup', file], { cwd, environment: environment() })
    await until(async () => (await spares()).some((name) => !others.includes(name)))
    killed.kill('SIGKILL')
    await killed.exited
    await until(async () => {
      await record(program, ['check', '--backup', file], { cwd, environment: environment() })
      return (await spares()).length === 1
    })
    expect(await spares()).toEqual(['frontdesk_drill_1_22222222'])
    await runSql(server.url, 'DROP DATABASE frontdesk_drill_1_22222222')
  })
})

describe('the dump of a backup is put back as a whole or not at all', () => {
  const cwd = emptyFolder()
  const environment = () => ({
    // Of two hosts, of which one is away.
    FRONTDESK_DATABASE_URL: server.url.replace('@', '@127.0.0.1:1,'),
    FRONTDESK_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    FRONTDESK_BACKUP_TO: join(cwd, 'kept'),
  })
  const tenant = (name: string) =>
    record(program, ['tenant', 'create', '--name', name], { cwd, environment: environment() })
  const names = async () =>
    (await runSql(server.url, 'SELECT name FROM tenants ORDER BY name')).map(({ name }) => name as string)
  const restored = async () => {
    const { name } = await record(program, ['backup', 'now'], { cwd, environment: environment() })
    await tenant('After')
    return () => run(program, ['restore', name], { cwd, environment: environment() })
  }
  afterEach(async () => {
    await runSql(server.url, 'DROP SCHEMA public CASCADE')
    await runSql(server.url, 'CREATE SCHEMA public')
  })

  test('never by a version that does not know all tables that there are', async () => {
    await tenant('Before')
    const restore = await restored()
    await runSql(server.url, `INSERT INTO migrations SELECT max(position) + 1, 'of a later one' FROM migrations`)
    const { code, stderr } = await restore()
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^frontdesk: ERROR: +the database is of a newer version/)])
    expect(await names()).toEqual(['After', 'Before'])
  })

  test('never where somebody’s own view would go, and beside somebody’s own table', async () => {
    await tenant('Before')
    const restore = await restored()
    await runSql(server.url, 'CREATE TABLE notes (note text)')
    await runSql(server.url, 'CREATE VIEW names AS SELECT name FROM tenants')
    const { code, stderr } = await restore()
    expect([code, stderr]).toEqual([1, expect.stringMatching(/view names depends on table tenants/)])
    expect(await names()).toEqual(['After', 'Before'])
    await runSql(server.url, 'DROP VIEW names')
    expect((await restore()).stderr).toBe('')
    expect(await names()).toEqual(['Before'])
    expect(await runSql(server.url, 'SELECT * FROM notes')).toHaveLength(0)
    const [{ name } = { name: '' }] = await record(program, ['backup', 'list'], { cwd, environment: environment() })
    const drilled = await run(program, ['check', '--backup', name], { cwd, environment: environment() })
    expect([drilled.code, drilled.stderr]).toEqual([0, ''])
  })

  test('nor one that ends early, wherever that is', async () => {
    await tenant('Before')
    const dump = join(emptyFolder(), 'database.dump')
    await dumpPostgres(server.url, dump, () => {})
    await tenant('After')
    const whole = readFileSync(dump)
    for (const part of [0.3, 0.6, 0.9, 0.99]) {
      writeFileSync(dump, whole.subarray(0, whole.length * part))
      expect(() => restoreDump(server.url, dump)).toThrow(UserError)
      expect(await names()).toEqual(['After', 'Before'])
    }
    writeFileSync(dump, whole)
    restoreDump(server.url, dump)
    expect(await names()).toEqual(['Before'])
  })
})

test('a dump that waits for a table that others keep locked gives up, and none goes on without whoever began it', async () => {
  const holder = postgres(server.url, { max: 1, onnotice: () => {} })
  try {
    await holder.unsafe('CREATE TABLE held ()')
    await holder.unsafe('BEGIN')
    await holder.unsafe('LOCK TABLE held')
    const dump = join(emptyFolder(), 'database.dump')
    expect(await refusalOf(dumpPostgres(server.url, dump, () => {}, 200))).toBe(
      'others keep a table of the database locked, for longer than 0.2 seconds: try again when they are done',
    )
    const dumps = `SELECT 1 FROM pg_stat_activity WHERE application_name = 'pg_dump'`
    await until(async () => (await runSql(server.url, dumps)).length === 0)
  } finally {
    await holder.unsafe('ROLLBACK')
    await holder.unsafe('DROP TABLE held')
    await holder.end()
  }
})

test('a backup by itself has a dump of the database, which restore puts back with the files', async () => {
  const cwd = emptyFolder()
  const folder = join(emptyFolder(), 'kept')
  const environment = {
    FRONTDESK_DATABASE_URL: server.url,
    FRONTDESK_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    FRONTDESK_BACKUP_TO: folder,
  }
  await record(program, ['tenant', 'create', '--name', 'Before'], { cwd, environment })
  const { name } = await record(program, ['backup', 'now'], { cwd, environment })
  const members: string[] = []
  await list({ file: join(folder, name), onReadEntry: ({ path }) => void members.push(path) })
  expect(members).toEqual(expect.arrayContaining(['database.dump', 'manifest.json']))
  expect(await record(program, ['backup', 'list'], { cwd, environment })).toMatchObject([{ name, good: true }])
  await record(program, ['tenant', 'create', '--name', 'After'], { cwd, environment })
  const names = async () =>
    (await record(program, ['tenant', 'list'], { cwd, environment }))
      .map((tenant: { name: string }) => tenant.name)
      .sort()
  expect(await names()).toEqual(['After', 'Before'])
  expect(await record(program, ['check', '--backup', name], { cwd, environment })).toEqual([])
  expect((await run(program, ['restore', name], { cwd, environment })).stderr).toBe('')
  expect(await names()).toEqual(['Before'])
  const onSqlite = { FRONTDESK_BACKUP_TO: folder, FRONTDESK_DATABASE_URL: '', FRONTDESK_SECRET_KEY: '' }
  const refused = await run(program, ['restore', name], { cwd: emptyFolder(), environment: onSqlite })
  expect([refused.code, refused.stderr]).toEqual([
    1,
    expect.stringMatching(/it holds a dump of PostgreSQL: set FRONT.*\n$/),
  ])
  const bytes = readFileSync(join(folder, name))
  bytes[2000] = (bytes[2000] as number) ^ 1
  const damaged = join(emptyFolder(), 'damaged.tar')
  writeFileSync(damaged, bytes)
  expect((await run(program, ['check', '--backup', damaged], { cwd, environment })).code).toBe(1)
  // Nothing of what was tried stays on the server.
  expect(await spares()).toEqual([])
  await server.stop()
  const away = await run(program, ['backup', 'now'], { cwd, environment })
  expect([away.code, away.stderr]).toEqual([1, expect.stringMatching(/^frontdesk: FRONTDESK_DATABASE_URL: [^\n]+\n$/)])
})
