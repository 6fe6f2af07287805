import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { copyToPostgres } from '../../src/db/copy.ts'
import { runSql, startPostgres, startReplica } from '../support/data/postgres.ts'
import { busyTime, load, type Running, startService } from './harness/processes.ts'
import { median, print, row } from './harness/report.ts'
import { both, CONNECTIONS, type Requests } from './http.ts'
import { type BenchData, seed } from './seeds/seed.ts'

const CONTACTS = 100_000
const SECONDS = 2
const ROUNDS = 7
/** Of those who write all the time, beside the lists. */
const WRITERS = 4

/**
 * What a replica takes off the primary: the time of a processor that lists keep the primary's processes busy for, with a node
 * that has a replica and one that has none, alone and while others write. Everything shares this machine, so that requests a
 * second say what the replica costs, and not what a second machine would bring.
 */
export async function benchReplica(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'frontdesk-bench-'))
  const server = await startPostgres({ isDurable: true })
  const running: Running[] = []
  const data = await seed(join(folder, 'sqlite'), CONTACTS)
  await copyToPostgres(data.dataDir, server.url)
  await runSql(server.url, 'VACUUM ANALYZE')
  const replica = await startReplica(server.url)
  try {
    const node = async (name: string, more: Record<string, string> = {}) => {
      const started = await startService(join(folder, name), {
        FRONTDESK_DATABASE_URL: server.url,
        FRONTDESK_SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
        ...more,
      })
      running.push(started)
      return started
    }
    const alone = await node('alone')
    const helped = await node('helped', { FRONTDESK_DATABASE_REPLICA_URL: replica.url })
    row('lists over 32 connections', 'alone/s', 'replica/s', 'p99 ms', 'with', 'primary µs', 'with', 'ratio')
    for (const [name, path] of lists) {
      const requests = both(name, data, () => ({ path })).service
      await compare(name, requests, { alone, helped, data, server, writes: false })
    }
    row(`while ${WRITERS} create contacts all the time`, '', '', '', '', 'creates/s', 'with', 'ratio')
    for (const [name, path] of lists) {
      const requests = both(name, data, () => ({ path })).service
      await compare(name, requests, { alone, helped, data, server, writes: true })
    }
    print('primary µs: what a list keeps the primary busy for, all of its processes together')
  } finally {
    for (const process of running) await process.stop()
    await replica.stop()
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

const lists = [
  ['page of 25', '/v1/contacts'],
  ['page of 100', '/v1/contacts?limit=100'],
  ['contacts that changed', '/v1/contacts?limit=100&updated_since=2020-01-01T00:00:00Z'],
] as const

interface Compared {
  alone: Running
  helped: Running
  data: BenchData
  server: { readonly pid: number }
  writes: boolean
}

async function compare(name: string, requests: Requests, { alone, helped, data, server, writes }: Compared) {
  const found = { alone: [] as Figures[], helped: [] as Figures[] }
  for (let round = -1; round < ROUNDS; round++) {
    for (const which of ['alone', 'helped'] as const) {
      const port = { alone, helped }[which].port
      const writing = writes
        ? load({ ...createContacts(data), port: alone.port, connections: WRITERS, seconds: SECONDS })
        : null
      const before = await busyOf(server.pid)
      const { perSecond, p99 } = await load({ port, connections: CONNECTIONS, seconds: SECONDS, requests })
      const busy = (await busyOf(server.pid)) - before
      const created = (await writing)?.perSecond ?? 0
      // The first round is for warming up.
      if (round >= 0)
        found[which].push({ perSecond, p99, primary: writes ? created : (busy * 1000) / (perSecond * SECONDS) })
    }
  }
  const of = (which: keyof typeof found, figure: keyof Figures) => median(found[which].map((one) => one[figure]))
  row(
    name,
    of('alone', 'perSecond').toFixed(0),
    of('helped', 'perSecond').toFixed(0),
    of('alone', 'p99').toFixed(1),
    of('helped', 'p99').toFixed(1),
    of('alone', 'primary').toFixed(0),
    of('helped', 'primary').toFixed(0),
    median(found.helped.map(({ primary }, i) => primary / (found.alone[i]?.primary ?? 1))).toFixed(2),
  )
}

interface Figures {
  readonly perSecond: number
  readonly p99: number
  /** What the primary does: microseconds that a list keeps it busy for, or creates a second beside the lists. */
  readonly primary: number
}

function createContacts(data: BenchData): { requests: Requests } {
  const body = JSON.stringify({ email: 'new-{n}@new.test', name: 'Ada' })
  return { requests: both('create contact', data, () => ({ method: 'POST', path: '/v1/contacts', body })).service }
}

/** How long all processes of a server have kept processors busy, in milliseconds. */
async function busyOf(first: number): Promise<number> {
  const children = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  let busy = await busyTime(first)
  for (const pid of children) {
    const stat = await Bun.file(`/proc/${pid}/stat`)
      .text()
      .catch(() => '')
    const parent = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]
    if (Number(parent) === first) busy += await busyTime(Number(pid)).catch(() => 0)
  }
  return busy
}

if (import.meta.main) await benchReplica()
