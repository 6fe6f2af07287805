import { expect, test } from 'bun:test'
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { isOfBackup } from '../../src/backup/shelves/shelved.ts'
import { migrations as ofPostgres } from '../../src/db/postgres/migrations.ts'
import { migrations as ofSqlite } from '../../src/db/sqlite/migrations.ts'
import { earlierFolder, stateOf, strayIn } from '../support/data/earlier-folder.ts'
import { appliedIn, startEarlierServer } from '../support/data/earlier-site.ts'
import { isPostgresHere, runSql } from '../support/data/postgres.ts'
import { until } from '../support/patience.ts'
import {
  emptyFolder,
  executable,
  type Program,
  type RunOptions,
  record,
  serve,
  spawn,
} from '../support/processes/program.ts'

/** How often a start is killed, each time a little later than before. */
const KILLS = Number(process.env.CHAOS_KILLS ?? '25')
/** Bytes of a file that backups take some time for. */
const UPLOAD = 60_000_000

/** Starts the service, on whatever was left, and stops it once it has answered. Returns how long the start took, in milliseconds. */
async function startWell(program: Program, options: RunOptions): Promise<number> {
  const begun = performance.now()
  const service = await serve(program, options)
  const took = performance.now() - begun
  expect((await fetch(`${service.url}/healthz`)).status).toBe(200)
  expect((await service.stop()).code).toBe(0)
  return took
}

async function killedStart(program: Program, options: RunOptions, after: number): Promise<void> {
  const child = await spawn(program, ['serve'], options)
  await Bun.sleep(after)
  child.kill('SIGKILL')
  await child.exited
}

/** A folder that is not locked may be somebody's who is about to lock it: it stays for a while. */
const isToGo = (name: string) => !name.startsWith('.frontdesk-new-')

/** What killed starts had come to. */
class Tally {
  #untouched = 0
  #backedUp = 0
  #migrated = 0

  count(isMigrated: boolean, hasBackup: boolean): void {
    if (isMigrated) this.#migrated++
    else if (hasBackup) this.#backedUp++
    else this.#untouched++
  }

  print(): void {
    process.stderr.write(`${this.#untouched} untouched, ${this.#backedUp} backed up, ${this.#migrated} migrated\n`)
  }
}

test(`kill -9 of a start that backs up and migrates leaves what the next one makes good (${KILLS} times)`, async () => {
  const program = await executable()
  const { before, copy } = earlierFolder(UPLOAD)
  const migrated = [ofSqlite.length, [before]]
  // The first one reads the executable from the disk.
  await startWell(program, { cwd: copy() })
  const takes = await startWell(program, { cwd: copy() })
  const tally = new Tally()
  for (let i = 0; i < KILLS; i++) {
    const cwd = copy()
    const dataDir = join(cwd, 'data')
    await killedStart(program, { cwd }, (takes * 1.6 * (i + 1)) / KILLS)
    const [applied, inBackups] = stateOf(dataDir)
    tally.count(applied !== before, inBackups.length > 0)
    expect([[before, []], [before, [before]], migrated]).toContainEqual([applied, inBackups])
    await startWell(program, { cwd })
    expect<unknown[]>([stateOf(dataDir), strayIn(dataDir).filter(isToGo)]).toEqual([migrated, []])
    rmSync(cwd, { recursive: true })
  }
  tally.print()
})

test.skipIf(!isPostgresHere)(`nor does it harm a database in PostgreSQL (${KILLS} times)`, async () => {
  const program = await executable()
  const server = await startEarlierServer(program)
  const { before } = server
  const earlier = async () => {
    const [url, place] = [await server.copy(), join(emptyFolder(), 'kept')]
    const environment = { ...server.environment, FRONTDESK_DATABASE_URL: url, FRONTDESK_BACKUP_TO: place }
    return { url, place, options: { cwd: emptyFolder(), environment } }
  }
  /** The backups made before upgrades, all of which are good. */
  const listed = async (options: RunOptions): Promise<string[]> => {
    const all: { name: string; good: boolean }[] = await record(program, ['backup', 'list'], options)
    const found = all.filter(({ name }) => name.startsWith('before-upgrades/'))
    expect(found.filter(({ good }) => !good)).toEqual([])
    return found.map(({ name }) => name)
  }
  const others = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`
  await startWell(program, (await earlier()).options)
  const takes = await startWell(program, (await earlier()).options)
  const tally = new Tally()
  for (let i = 0; i < KILLS; i++) {
    const { url, place, options } = await earlier()
    await killedStart(program, options, (takes * 1.6 * (i + 1)) / KILLS)
    // Nothing of it is left at the server: neither its session with the lock nor the dump.
    await until(async () => (await runSql(url, others)).length === 0)
    const [applied, left] = [await appliedIn(url), await listed(options)]
    tally.count(applied !== before, left.length > 0)
    expect([before, ofPostgres.length]).toContain(applied)
    if (applied !== before) expect(left).not.toEqual([])
    await startWell(program, options)
    expect(await appliedIn(url)).toBe(ofPostgres.length)
    const stray = readdirSync(join(place, 'before-upgrades')).filter((name) => !isOfBackup(name))
    expect(stray.filter(isToGo)).toEqual([])
    const spare = await server.empty()
    const [name] = await listed(options)
    const elsewhere = { ...options.environment, FRONTDESK_DATABASE_URL: spare }
    await record(program, ['restore', String(name)], { cwd: options.cwd, environment: elsewhere })
    expect(await appliedIn(spare)).toBe(before)
  }
  await server.stop()
  tally.print()
})
