import { Database as Sqlite } from 'bun:sqlite'
import { join } from 'node:path'
import { commandCaller } from '../../src/caller.ts'
import { createChannels } from '../../src/channels/index.ts'
import { loadConfig } from '../../src/config.ts'
import { DATABASE_FILE, openDatabase } from '../../src/db/index.ts'
import { openFiles } from '../../src/files/index.ts'
import { openSecrets } from '../../src/installation/secret-key.ts'
import { jobsOf } from '../../src/jobs/list.ts'
import { createWorkers } from '../../src/jobs/workers.ts'
import { createKey } from '../../src/keys/operations.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { newId } from '../../src/lib/ids.ts'
import { createLog } from '../../src/lib/log/log.ts'
import { Live } from '../../src/live/ticket-changes.ts'
import { createTenant } from '../../src/tenants/operations.ts'
import { bodyList } from '../../src/webhooks/body/envelope.ts'
import { Scheduler } from '../../src/work/scheduler.ts'
import { median, print, row } from './harness/report.ts'

/** A tenant with one subscription to contacts for each URL. */
export async function seedSubscriptions(dataDir: string, urls: readonly string[]) {
  const database = await openDatabase({ dataDir })
  const at = Date.now()
  const { tenantId } = await database.transaction((tx) => createTenant(tx, { name: 'Bench' }, at))
  const caller = commandCaller(tenantId, at)
  const scopes = ['contacts:write', 'webhooks:manage']
  const { key } = await database.transaction((tx) => createKey(tx, caller, { name: 'k', scopes, expiresAt: null }))
  await database.close()

  const time = new Date(at).toISOString()
  const ids = urls.map(() => newId(at))
  await changing(dataDir, (sqlite) => {
    const insert = sqlite.prepare(
      `INSERT INTO webhooks (tenant_id, id, name, url, active, events, created_at, updated_at)
       VALUES (?, ?, 'bench', ?, 1, '["contact.created_or_updated"]', ?, ?)`,
    )
    for (const [i, url] of urls.entries()) insert.run(tenantId, ids[i] as string, url, time, time)
  })
  return {
    tenantId,
    key,
    ids,
    /** Switches all of them on or off, behind the service's back; waits until no event is left to be given out. */
    async activate(active: boolean): Promise<void> {
      while (!(await changing(dataDir, (sqlite) => switchAll(sqlite, active)))) await Bun.sleep(20)
    },
  }
}

function switchAll(sqlite: Sqlite, active: boolean): boolean {
  if (sqlite.query('SELECT 1 FROM event_queue LIMIT 1').get() !== null) return false
  sqlite.query('UPDATE webhooks SET active = ?').run(active ? 1 : 0)
  return true
}

async function changing<T>(dataDir: string, work: (sqlite: Sqlite) => T): Promise<T> {
  const sqlite = new Sqlite(join(dataDir, DATABASE_FILE))
  sqlite.run('PRAGMA busy_timeout = 5000')
  sqlite.run('BEGIN IMMEDIATE')
  const result = work(sqlite)
  sqlite.run('COMMIT')
  sqlite.close()
  return result
}

/** Subscriptions that each have closed batches of one event waiting. */
export async function seedWaiting(dataDir: string, plan: { subscriptions: number; batches: number; url: string }) {
  const { tenantId, ids } = await seedSubscriptions(dataDir, Array(plan.subscriptions).fill(plan.url))
  const now = Date.now()
  const time = new Date(now).toISOString()
  await changing(dataDir, (sqlite) => {
    const batch = sqlite.prepare(
      `INSERT INTO webhook_batches (tenant_id, id, webhook_id, state, position, event_count, attempts, created_at,
         closed_at, list_number)
       VALUES (?, ?, ?, 'pending', ?, 1, 0, ?, ?, ?)`,
    )
    const list = sqlite.prepare('INSERT INTO webhook_lists (tenant_id, list) VALUES (?, ?)')
    for (const webhookId of ids) {
      for (let position = 1; position <= plan.batches; position++) {
        const batchId = newId(now)
        const event = { eventId: batchId, event: 'contact.created_or_updated', timestamp: time, payload: {} }
        const { lastInsertRowid } = list.run(tenantId, bodyList([JSON.stringify(event)]))
        batch.run(tenantId, batchId, webhookId, position, time, time, lastInsertRowid)
      }
    }
  })
}

const LOOKS = 2_000

/** What one look of the scheduler costs with 100,000 batches waiting for 1,000 subscriptions. */
export async function benchScheduler(dataDir: string): Promise<void> {
  await seedWaiting(dataDir, { subscriptions: 1_000, batches: 100, url: 'http://127.0.0.1:9/' })
  const database = await openDatabase({ dataDir })
  const config = loadConfig({ FRONTDESK_WEBHOOK_ALLOW_PRIVATE: 'true' }, { dataDir })
  const log = createLog(() => {}, false)
  const secrets = await openSecrets(config, database)
  const parts = { config, database, clock: systemClock, log, secrets, files: openFiles(config) }
  const deps = { ...parts, channels: createChannels(parts), live: new Live(parts) }
  const workers = createWorkers(deps)
  const jobs = jobsOf(deps, workers)
  const later = new Date(Date.now() + 600_000).toISOString()
  const postpone = () =>
    changing(dataDir, (sqlite) => sqlite.query('UPDATE webhook_batches SET due_at = ? WHERE position = 1').run(later))
  const scheduler = new Scheduler(deps, jobs, { begin: async () => {}, clockWentBack: async () => {} })
  await postpone()
  const look = () => scheduler.look()
  const nothing = await microseconds(LOOKS, look)
  await workers.deliveries.stop(0)
  const one = `UPDATE webhook_batches SET due_at = '2000-01-01T00:00:00.000Z' WHERE rowid = ?`
  const oneDue = await microseconds(200, look, (i) => changing(dataDir, (sqlite) => sqlite.query(one).run(i * 100 + 1)))
  await database.close()
  print('')
  row('a wake-up with 100,000 batches waiting', 'p50 ms', 'p99 ms')
  for (const [name, times] of [
    ['nothing is due', nothing],
    ['one is due: taken, in a transaction', oneDue],
  ] as const) {
    row(name, (median(times) / 1000).toFixed(3), ((times[Math.floor(times.length * 0.99)] as number) / 1000).toFixed(3))
  }
}

/** Times of `work` in microseconds, sorted; what `prepare` takes does not count. */
async function microseconds(
  count: number,
  work: () => Promise<unknown>,
  prepare = async (_: number): Promise<unknown> => undefined,
): Promise<number[]> {
  const times: number[] = []
  for (let i = 0; i < count; i++) {
    await prepare(i)
    const started = performance.now()
    await work()
    times.push((performance.now() - started) * 1000)
  }
  return times.sort((a, b) => a - b)
}
