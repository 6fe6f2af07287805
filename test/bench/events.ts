import { Database as Sqlite } from 'bun:sqlite'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { commandCaller } from '../../src/caller.ts'
import { DATABASE_FILE, openDatabase } from '../../src/db/index.ts'
import { sealCursor } from '../../src/db/lists/cursor.ts'
import { createKey } from '../../src/keys/operations.ts'
import { createTenant } from '../../src/tenants/operations.ts'
import { busyTime, type Running, residentMemory, startFloor, startService } from './harness/processes.ts'
import { print, row } from './harness/report.ts'
import { compare, READ_ROUNDS, READ_SECONDS, READS_TO_WARM_UP, type Requests, warmUp } from './http.ts'
import { type BenchData, seed } from './seeds/seed.ts'

const EVENTS = 100_000
const TENANTS = 3
const KEYS = 20
const HELD = 1_000
/** Between the requests that are held and the look at what they cost, and how long that is, in milliseconds. */
const SETTLING = 3_000
const LOOK = 10_000

/**
 * What the log of events costs: a page beside a floor that concatenates the same rows, and a thousand requests that are
 * held, whose memory and processor time are those of the whole service while nothing happens.
 */
export async function benchEvents(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'frontdesk-bench-'))
  try {
    const data = await seed(join(folder, 'service'), 1_000)
    addEvents(data)
    cpSync(data.dataDir, join(folder, 'floor'), { recursive: true })
    const keys = await addTenants(data.dataDir)
    const service = await startService(data.dataDir)
    const floor = await startFloor(join(folder, 'floor'), data.tenantId)
    print('')
    row(
      `${EVENTS} events, 32 connections`,
      'service/s',
      'p50 ms',
      'p99 ms',
      'floor/s',
      'ratio',
      'half of them',
      'by CPU',
    )
    const cases = [pagesOf(data)]
    await warmUp(cases, service, floor, READS_TO_WARM_UP)
    await compare(cases, service, floor, READ_ROUNDS, READ_SECONDS)
    await hold(service, keys)
    await Promise.all([service.stop(), floor.stop()])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Pages of 25 from anywhere in the log. */
function pagesOf(data: BenchData) {
  const spread = (cursorOf: (number: number) => string): Requests =>
    Array.from({ length: 1000 }, (_, i) => ({
      method: 'GET',
      path: `/v1/events?cursor=${cursorOf(((i * 37) % 1000) * 95)}`,
      body: null,
      headers: { 'x-api-key': data.keys[i % data.keys.length] as string },
    }))
  const service = spread((number) => sealCursor(`0.${number}`, `events/${data.tenantId}`))
  return { name: 'page of the log', service, floor: spread(String) }
}

/** Fills the log of the seeded tenant. */
export function addEvents({ dataDir, tenantId }: BenchData): void {
  const sqlite = new Sqlite(join(dataDir, DATABASE_FILE))
  const event = sqlite.prepare(
    `INSERT INTO events (tenant_id, event_id, event, timestamp, payload) VALUES (?, ?, 'contact.created_or_updated', ?, ?)`,
  )
  const began = Date.now()
  sqlite.run('BEGIN')
  for (let i = 0; i < EVENTS; i++) {
    const at = began - (EVENTS - i) * 1000
    const id = Bun.randomUUIDv7('hex', at)
    const payload = { id, name: `Ada ${i}`, email: `ada${i}@acme.test`, groups: [], customValues: [] }
    event.run(tenantId, id, new Date(at).toISOString(), JSON.stringify(payload))
  }
  sqlite.run('COMMIT')
  sqlite.close()
}

/** Tenants without events; returns the keys of all of them. */
async function addTenants(dataDir: string): Promise<string[]> {
  const database = await openDatabase({ dataDir })
  const keys: string[] = []
  for (let tenant = 0; tenant < TENANTS; tenant++) {
    const at = Date.now()
    const { tenantId } = await database.transaction((tx) => createTenant(tx, { name: `T${tenant}` }, at))
    for (let i = 0; i < KEYS; i++) {
      const terms = { name: `k${i}`, scopes: ['contacts:read'], expiresAt: null }
      keys.push((await database.transaction((tx) => createKey(tx, commandCaller(tenantId, at), terms))).key)
    }
  }
  await database.close()
  return keys
}

async function hold({ port, pid }: Running, keys: readonly string[]): Promise<void> {
  const shareOf = async () => {
    const before = await busyTime(pid)
    await Bun.sleep(LOOK)
    return (((await busyTime(pid)) - before) / LOOK) * 100
  }
  await Bun.sleep(SETTLING)
  const [idle, memory] = [await shareOf(), await residentMemory(pid)]
  let answered = 0
  // Sockets, since `fetch` has no more than 256 requests under way.
  const held = await Promise.all(
    Array.from({ length: HELD }, (_, i) =>
      Bun.connect({
        hostname: '127.0.0.1',
        port,
        socket: {
          open: (socket) =>
            void socket.write(
              `GET /v1/events?wait=30 HTTP/1.1\r\nHost: bench\r\nX-Api-Key: ${keys[i % keys.length]}\r\n\r\n`,
            ),
          data: () => {
            answered++
          },
        },
      }),
    ),
  )
  await Bun.sleep(SETTLING)
  const [more, busy] = [(await residentMemory(pid)) - memory, await shareOf()]
  print('')
  print(`${HELD - answered} held requests take ${more.toFixed(0)} MB`)
  print(`and ${busy.toFixed(2)} % of a processor while they wait; without them it is ${idle.toFixed(2)} %`)
  for (const socket of held) socket.end()
}

if (import.meta.main) await benchEvents()
