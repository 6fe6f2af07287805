import { Database as Sqlite } from 'bun:sqlite'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { timed } from '../../src/db/sqlite/timed.ts'
import { unwatched } from '../../src/db/watch.ts'
import { RequestActivity } from '../../src/http/observed.ts'
import { createLog } from '../../src/lib/log/log.ts'
import { during, ended, watchThread } from '../../src/lib/loop/activity.ts'
import { watchStalls } from '../../src/lib/loop/stalls.ts'
import { createMeter } from '../../src/metrics/meter.ts'
import { busyTime, load, type Running, startService } from './harness/processes.ts'
import { median, print, quantile, row } from './harness/report.ts'
import { CONNECTIONS, type Requests } from './http.ts'
import { type BenchData, seed } from './seeds/seed.ts'

const CALLS = 200_000
const TIMES = 9
const SECONDS = 0.5
const ROUNDS = 25
const TO_WARM_UP = 40_000

/**
 * What being measured costs a request: the calls that each makes, alone in the process; and the processor time of a
 * request to a service with metrics, which are fetched meanwhile, against one without. Beside it the same of two services
 * without: what these differ by is chance.
 */
export async function benchMetrics(): Promise<void> {
  print('')
  row('what every request calls', 'µs')
  const request = new Request('http://localhost/v1/contacts')
  const meter = createMeter()
  const around = () => {
    const activity = new RequestActivity(request)
    during(activity, () => {})
    ended(activity, performance.now())
  }
  time('nobody watches the thread', around)
  const end = watchStalls(createLog(() => {}, false))
  time('somebody does', around)
  end()
  watchThread(null)
  const sqlite = new Sqlite(':memory:')
  const [plain, timing] = [sqlite, timed(sqlite, unwatched)].map((one) => one.prepare('SELECT 1 AS one'))
  time('the shortest statement', () => plain?.get())
  time('the same, timed', () => timing?.get())
  time('counted and timed', () => meter.answered('GET', '/v1/contacts/', 200, 0.003))
  await benchServices()
}

function time(name: string, call: () => unknown): void {
  const rounds = []
  for (let round = 0; round < TIMES; round++) {
    const began = performance.now()
    for (let i = 0; i < CALLS; i++) call()
    rounds.push(((performance.now() - began) * 1000) / CALLS)
  }
  row(name, median(rounds).toFixed(3))
}

async function benchServices(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'frontdesk-bench-'))
  try {
    const data = await seed(join(folder, 'one'), 20_000)
    for (const name of ['two', 'three']) cpSync(data.dataDir, join(folder, name), { recursive: true })
    const services = {
      without: await startService(data.dataDir),
      'with metrics': await startService(join(folder, 'two'), { FRONTDESK_METRICS_PORT: '0' }),
      'without, again': await startService(join(folder, 'three')),
    }
    row(`20,000 contacts, ${CONNECTIONS} connections`, 'CPU µs', 'ratio', 'half of them')
    for (const [name, requests] of Object.entries(requestsOf(data))) {
      const cost = new Map<string, number[]>(Object.keys(services).map((side) => [side, []]))
      const sides = Object.entries(services)
      for (const [, service] of sides) {
        for (let done = 0; done < TO_WARM_UP; ) done += (await load(planOf(service, requests, 1))).perSecond
      }
      for (let round = 0; round < ROUNDS; round++) {
        // Each goes first as often.
        sides.push(sides.shift() as (typeof sides)[number])
        for (const [side, service] of sides) cost.get(side)?.push(await cpuOf(service, requests))
      }
      printCosts(name, cost)
    }
    await Promise.all(Object.values(services).map((service) => service.stop()))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function requestsOf(data: BenchData): Record<string, Requests> {
  const headers = { 'x-api-key': data.keys[0] as string }
  const ids = data.sampleIds
  return {
    'contact by id': ids.map((id) => ({ method: 'GET', path: `/v1/contacts/${id}`, body: null, headers })),
    'create contact': [
      {
        method: 'POST',
        path: '/v1/contacts',
        body: JSON.stringify({ email: 'new-{n}@new.test', name: 'Ada' }),
        headers,
      },
    ],
  }
}

const planOf = ({ port }: Running, requests: Requests, seconds: number) => ({
  port,
  requests,
  connections: CONNECTIONS,
  seconds,
})

/** Processor time of a request, in microseconds. */
async function cpuOf(service: Running, requests: Requests): Promise<number> {
  const before = await busyTime(service.pid)
  const { perSecond } = await load(planOf(service, requests, SECONDS))
  return (((await busyTime(service.pid)) - before) * 1000) / (perSecond * SECONDS)
}

function printCosts(name: string, cost: Map<string, number[]>): void {
  const base = cost.get('without') as number[]
  for (const [side, costs] of cost) {
    const ratios = costs.map((own, round) => own / (base[round] as number))
    row(
      `${name}, ${side}`,
      median(costs).toFixed(1),
      median(ratios).toFixed(3),
      `${quantile(ratios, 0.25).toFixed(2)}–${quantile(ratios, 0.75).toFixed(2)}`,
    )
  }
}

if (import.meta.main) await benchMetrics()
