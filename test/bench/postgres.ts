import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { copyToPostgres } from '../../src/db/copy.ts'
import { runSql, startPostgres } from '../support/data/postgres.ts'
import { load, type Running, start, startService } from './harness/processes.ts'
import { median, print, quantile, row } from './harness/report.ts'
import { both, CONNECTIONS, type Requests } from './http.ts'
import { type BenchData, seed } from './seeds/seed.ts'

const CONTACTS = 100_000
const NODES = 3
const SECONDS = 1
const ROUNDS = 9

/**
 * Requests a second of 1, 2 and 3 nodes on one PostgreSQL, in sum, and their ratios to a bare `Bun.serve` over the
 * driver's prepared statements on the same server. Everything shares this machine: more nodes are not more cores.
 */
export async function benchPostgres(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'frontdesk-bench-'))
  const server = await startPostgres({ isDurable: true })
  const running: Running[] = []
  try {
    const data = await seed(join(folder, 'sqlite'), CONTACTS)
    await runSql(server.url, 'CREATE DATABASE floor')
    const floorUrl = Object.assign(new URL(server.url), { pathname: '/floor' }).href
    for (const url of [server.url, floorUrl]) {
      await copyToPostgres(data.dataDir, url)
      await runSql(url, 'VACUUM ANALYZE')
    }
    const startFloor = async (...mode: string[]) => {
      const floor = await start(['test/bench/floors/postgres.ts', floorUrl, data.tenantId, ...mode], /^(\d+)$/m, {})
      running.push(floor)
      return floor
    }
    const floor = await startFloor()
    const rowAlone = await startFloor('--row-alone')
    for (let node = 0; node < NODES; node++) {
      running.push(
        await startService(join(folder, `node${node}`), {
          FRONTDESK_DATABASE_URL: server.url,
          FRONTDESK_SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
        }),
      )
    }
    row('PostgreSQL, 32 connections', 'nodes', 'service/s', 'p50 ms', 'p99 ms', 'floor/s', 'ratio', 'half of them')
    const nodes = running.slice(2)
    for (const [name, requests] of casesOf(data)) await compare(name, requests, floor, nodes)
    await compare('create, beside one row', createContact(data), rowAlone, nodes)
    print('each create is a contact, its event and its audit entry, committed serialisably')
  } finally {
    for (const process of running) await process.stop()
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

function casesOf(data: BenchData): [string, Requests][] {
  const sketches = [
    both('page of 25', data, () => ({ path: '/v1/contacts' })),
    both('contact by id', data, (i) => ({ path: `/v1/contacts/${data.sampleIds[(i * 37) % 1000]}` })),
  ]
  return [
    ...sketches.map(({ name, service }): [string, Requests] => [name, service]),
    ['create contact', createContact(data)],
  ]
}

function createContact(data: BenchData): Requests {
  const body = JSON.stringify({ email: 'new-{n}@new.test', name: 'Ada' })
  return both('create contact', data, () => ({ method: 'POST', path: '/v1/contacts', body })).service
}

/** The floor and then 1, 2 and 3 nodes in every round. */
async function compare(name: string, requests: Requests, floor: Running, nodes: Running[]): Promise<void> {
  const rounds: Record<'ratio' | 'perSecond' | 'p50' | 'p99' | 'floor', number>[][] = nodes.map(() => [])
  for (let round = -1; round < ROUNDS; round++) {
    const bare = await loadAll([floor], requests)
    for (const [index] of nodes.entries()) {
      const ours = await loadAll(nodes.slice(0, index + 1), requests)
      // The first round is for warming up.
      if (round >= 0) {
        const { perSecond, p50, p99 } = ours
        rounds[index]?.push({ perSecond, p50, p99, floor: bare.perSecond, ratio: perSecond / bare.perSecond })
      }
    }
  }
  for (const [index, results] of rounds.entries()) {
    const of = (figure: keyof (typeof results)[number]) => results.map((result) => result[figure])
    row(
      name,
      String(index + 1),
      median(of('perSecond')).toFixed(0),
      median(of('p50')).toFixed(2),
      median(of('p99')).toFixed(2),
      median(of('floor')).toFixed(0),
      median(of('ratio')).toFixed(2),
      `${quantile(of('ratio'), 0.25).toFixed(2)}–${quantile(of('ratio'), 0.75).toFixed(2)}`,
    )
  }
}

/** The same number of connections in all, however many servers they are spread over. */
function loadAll(servers: readonly Running[], requests: Requests) {
  const [port = 0, ...others] = servers.map((server) => server.port)
  return load({ port, others, connections: CONNECTIONS, seconds: SECONDS, requests })
}

if (import.meta.main) await benchPostgres()
