import { beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import postgres from 'postgres'
import { expireUpgradeBackups } from '../../../src/backup/before-migration.ts'
import { loadConfig } from '../../../src/config.ts'
import { migrateBehind } from '../../../src/db/postgres/migrations.ts'
import { appliedIn, earlierSite } from '../../support/data/earlier-site.ts'
import { runSql } from '../../support/data/postgres.ts'
import { until } from '../../support/patience.ts'
import { emptyDatabase } from '../../support/processes/nodes.ts'
import {
  emptyFolder,
  executable,
  logLines,
  ownExecutable,
  record,
  run,
  serve,
} from '../../support/processes/program.ts'
import { refusalOf } from '../../support/refusal.ts'
import { startS3 } from '../../support/servers/s3.ts'

const DAY = 86_400_000
const MADE = 'a backup was made before the database is migrated'
const program = await executable()
let site: Awaited<ReturnType<typeof earlierSite>>
beforeAll(async () => {
  site = await earlierSite(program)
})

/** Backups that lie in a folder for those made before upgrades. */
const lyingIn = (folder: string) =>
  existsSync(join(folder, 'before-upgrades'))
    ? readdirSync(join(folder, 'before-upgrades')).filter((name) => name.endsWith('.tar'))
    : []

/** A database of an earlier version, and a node that is told to back up into a folder. */
async function earlier() {
  const { url, environment } = await site.copy()
  const folder = join(emptyFolder(), 'kept')
  // Those by themselves come too, and are none of these tests' business.
  return { url, folder, environment: { ...environment, FRONTDESK_BACKUP_TO: folder } }
}

describe('a database of an earlier version is backed up before it is migrated', () => {
  test('by one of the nodes that start at once, for which the others wait; the backup is of what was there', async () => {
    const { url, folder, environment } = await earlier()
    const nodes = await Promise.all([1, 2, 3].map(() => serve(program, { cwd: emptyFolder(), environment })))
    const logs = nodes.map(({ output }) => logLines(output.stdout))
    const made = logs.flatMap((lines) => lines.filter(({ message }) => message === MADE))
    expect(await appliedIn(url)).toBeGreaterThan(site.before)
    const [name, ...others] = lyingIn(folder)
    expect(others).toEqual([])
    expect(made).toEqual([expect.objectContaining({ name, place: join(folder, 'before-upgrades') })])
    for (const node of nodes) await node.stop()

    const cwd = emptyFolder()
    const named = `before-upgrades/${name}`
    const listed = await record(program, ['backup', 'list'], { cwd, environment })
    expect(listed).toContainEqual({ name: named, at: expect.any(String), size: expect.any(Number), good: true })
    expect((await run(program, ['check', '--backup', named], { cwd, environment })).stderr).not.toContain('no backup')
    const { url: spare } = await emptyDatabase()
    await record(program, ['restore', named], { cwd, environment: { ...environment, FRONTDESK_DATABASE_URL: spare } })
    expect(await appliedIn(spare)).toBe(site.before)
    expect([...(await runSql(spare, 'SELECT name FROM tenants'))]).toMatchObject([{ name: 'Acme' }])
    // On that the next start of this version goes on, as it did on the first.
    const again = await serve(program, { cwd, environment: { ...environment, FRONTDESK_DATABASE_URL: spare } })
    expect(await appliedIn(spare)).toBe(await appliedIn(url))
    await again.stop()
  })

  test('by a command that migrates it, once, and stays for 30 days beside those that are thinned out', async () => {
    const { folder, environment } = await earlier()
    const cwd = emptyFolder()
    const listed = await run(program, ['tenant', 'list'], { cwd, environment })
    expect([listed.code, listed.stderr]).toEqual([0, ''])
    const [name] = lyingIn(folder)
    const keep = { FRONTDESK_BACKUP_KEEP: '1d' }
    await record(program, ['backup', 'now'], { cwd, environment: { ...environment, ...keep } })
    await record(program, ['tenant', 'list'], { cwd, environment })
    expect(lyingIn(folder)).toEqual([name as string])
    const { backup } = loadConfig({ FRONTDESK_BACKUP_TO: folder }, { dataDir: join(cwd, 'data') })
    const config = { dataDir: join(cwd, 'data'), backup }
    await expireUpgradeBackups(config, Date.now() + 29 * DAY)
    expect(lyingIn(folder)).toEqual([name as string])
    await expireUpgradeBackups(config, Date.now() + 31 * DAY)
    expect(readdirSync(join(folder, 'before-upgrades'))).toEqual([])
  })

  test('into a bucket, from where it is restored by the name that the list has', async () => {
    const s3 = await startS3()
    const { url, environment: engine } = await site.copy()
    const environment = {
      ...engine,
      ...s3.environment,
      FRONTDESK_FILES_URL: '',
      FRONTDESK_BACKUP_TO: 's3://files/backups',
    }
    const cwd = emptyFolder()
    await record(program, ['tenant', 'list'], { cwd, environment })
    const [backup, ...others] = await record(program, ['backup', 'list'], { cwd, environment })
    expect([backup, others]).toEqual([expect.objectContaining({ good: true }), []])
    expect(backup.name).toStartWith('before-upgrades/frontdesk-')
    await record(program, ['restore', backup.name], { cwd, environment })
    expect(await appliedIn(url)).toBe(site.before)
    await s3.stop()
  })

  test('never where FRONTDESK_BACKUP_TO says nothing, or there is nothing in it yet', async () => {
    const { url, environment } = await site.copy()
    await (await serve(program, { cwd: emptyFolder(), environment })).stop()
    expect(await appliedIn(url)).toBeGreaterThan(site.before)
    const folder = join(emptyFolder(), 'kept')
    const empty = await emptyDatabase()
    const told = { ...environment, FRONTDESK_DATABASE_URL: empty.url, FRONTDESK_BACKUP_TO: folder }
    await record(program, ['tenant', 'list'], { cwd: emptyFolder(), environment: told })
    expect([await appliedIn(empty.url), existsSync(folder)]).toEqual([await appliedIn(url), false])
  })
})

describe('where no backup can be made the start changes nothing and says what to do', () => {
  const refusal = (why: string) =>
    new RegExp(
      `^frontdesk: this version has to change the database .* nothing was changed: ${why}.*; or make one by other means, and start once with \`frontdesk serve --without-backup\`\\n$`,
    )

  test('for want of room, and goes on without one when it is told to', async () => {
    const { url, folder, environment } = await earlier()
    const cwd = emptyFolder()
    mkdirSync(join(cwd, 'data/uploads'), { recursive: true })
    writeFileSync(join(cwd, 'data/uploads/huge'), '')
    truncateSync(join(cwd, 'data/uploads/huge'), 10e12)
    const own = await ownExecutable()
    const refused = await run(own, ['serve'], { cwd, environment })
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringMatching(refusal('there is no room for a backup: making it takes \\d+ MB')),
    ])
    expect([await appliedIn(url), lyingIn(folder)]).toEqual([site.before, []])
    truncateSync(join(cwd, 'data/uploads/huge'), 0)
    await (await serve(own, { cwd, environment }, ['serve', '--without-backup'])).stop()
    expect(await appliedIn(url)).toBeGreaterThan(site.before)
    expect(lyingIn(folder)).toEqual([])
  })

  test.skipIf(process.getuid?.() !== 0)('for want of pg_dump, which it says how to get', async () => {
    const { url, folder, environment } = await earlier()
    const hidden = `mount -t tmpfs none /usr/lib/postgresql && PATH=${emptyFolder()} exec "$@"`
    const { command } = await ownExecutable()
    const lacking = { command: ['unshare', '--mount', 'sh', '-c', hidden, 'sh', ...command] }
    const refused = await run(lacking, ['serve'], { cwd: emptyFolder(), environment })
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringMatching(refusal("pg_dump is missing: install PostgreSQL's client tools of version \\d+ or later")),
    ])
    expect([await appliedIn(url), lyingIn(folder)]).toEqual([site.before, []])
  })
})

describe('a node that finds another at it', () => {
  test('waits, says so, and does nothing once that has migrated', async () => {
    const { url } = await site.copy()
    const done: string[] = []
    const release = Promise.withResolvers<void>()
    const first = migrateBehind(
      url,
      async () => {
        done.push('backed up')
        await release.promise
        return 'first'
      },
      () => done.push('waited'),
    )
    await until(() => done.length === 1)
    const second = migrateBehind(
      url,
      async () => done.push('backed up twice'),
      () => done.push('waits'),
    )
    await until(() => done.includes('waits'))
    release.resolve()
    expect([await first, await second, done]).toEqual(['first', null, ['backed up', 'waits']])
  })

  test('takes over from one that could make none, and nothing was migrated before', async () => {
    const { url } = await site.copy()
    const failing = migrateBehind(
      url,
      async () => Promise.reject(new Error('no room')),
      () => {},
    )
    expect(await refusalOf(failing)).toContain('no room')
    expect(await appliedIn(url)).toBe(site.before)
    await takesOver(url)
  })

  test('takes over from one whose connection was lost amid it, and nothing was migrated before', async () => {
    const { url } = await site.copy()
    const release = Promise.withResolvers<void>()
    let isPrepared = false
    const cut = migrateBehind(
      url,
      async () => {
        await loseHolder(url, true)
        await release.promise
        isPrepared = true
      },
      () => {},
    )
    // It is said at once, not when what it prepares is ready.
    expect(await refusalOf(cut)).toContain('the connection was lost')
    release.resolve()
    await until(() => isPrepared)
    expect(await appliedIn(url)).toBe(site.before)
    await takesOver(url)
  })

  test('says so where its own connection is lost while it waits, and lives', async () => {
    const { url } = await site.copy()
    const [held, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const first = migrateBehind(
      url,
      async () => {
        held.resolve()
        await release.promise
      },
      () => {},
    )
    await held.promise
    const waits = Promise.withResolvers<void>()
    const second = migrateBehind(url, async () => {}, waits.resolve).catch(({ message }) => message)
    await waits.promise
    await loseHolder(url, false)
    expect(await second).toStartWith('FRONTDESK_DATABASE_URL: ')
    release.resolve()
    await first
    expect(await appliedIn(url)).toBeGreaterThan(site.before)
  })

  async function takesOver(url: string) {
    const taken = await migrateBehind(
      url,
      async () => 'taken over',
      () => {},
    )
    expect([taken, (await appliedIn(url)) > site.before]).toEqual(['taken over', true])
  }

  /** Ends the connection that holds the lock, or waits for it, as that of a node that is killed. */
  async function loseHolder(url: string, isHolding: boolean) {
    const admin = postgres(url, { max: 1 })
    const ended = async () => {
      const { count } = await admin`
        SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND granted = ${isHolding}
          AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`
      return count === 1
    }
    await until(ended)
    await admin.end()
  }
})
