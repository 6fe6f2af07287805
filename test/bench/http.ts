import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sealCursor } from '../../src/db/lists/cursor.ts'
import type { LoadPlan, LoadResult } from './harness/load.ts'
import { busyTime, load, type Running, residentMemory, startFloor, startService } from './harness/processes.ts'
import { median, print, quantile, row } from './harness/report.ts'
import { type BenchData, seed, twentyQuestions } from './seeds/seed.ts'

export const CONNECTIONS = 32
/** Short turns, many of them: a machine whose speed drifts treats all that is compared alike. */
export const READ_SECONDS = 0.5
export const READ_ROUNDS = 15
const WRITE_SECONDS = 1
const WRITE_ROUNDS = 9
/**
 * Requests that either side answers of each case before any is counted. The service has far more code to compile than the
 * floor: a contact by id takes it 120 µs at first, 75 after 10,000 of them and 65 after 60,000. In seconds, a slow machine
 * would be measured colder than a fast one.
 */
export const READS_TO_WARM_UP = 60_000
const WRITES_TO_WARM_UP = 20_000

export type Requests = LoadPlan['requests']

/** The same work asked of the service and of the floor. */
export interface Case {
  name: string
  service: Requests
  floor: Requests
}

/** Requests a second, p50, p99 and the ratio to the floor, for the calls integrators make most. */
export async function benchHttp(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'frontdesk-bench-'))
  try {
    const data = await seed(join(folder, 'service'), 100_000)
    cpSync(data.dataDir, join(folder, 'floor'), { recursive: true })
    const service = await startService(data.dataDir)
    const floor = await startFloor(join(folder, 'floor'), data.tenantId)
    print(`idle memory of the service: ${(await residentMemory(service.pid)).toFixed(0)} MB`)
    row(
      '100,000 contacts, 32 connections',
      'service/s',
      'p50 ms',
      'p99 ms',
      'floor/s',
      'ratio',
      'half of them',
      'by CPU',
    )
    await warmUp(readsOf(data), service, floor, READS_TO_WARM_UP)
    const reads = await compare(readsOf(data), service, floor, READ_ROUNDS, READ_SECONDS)
    print(`a deep page takes ${timesAsLong(reads, 'deep page', 'page of 25')} × a first page`)
    // Before anything is created: the first page would hold other contacts than that of the large table.
    await benchMillion(join(folder, 'million'), data, service)
    await warmUp(writesOf(data), service, floor, WRITES_TO_WARM_UP)
    await compare(writesOf(data), service, floor, WRITE_ROUNDS, WRITE_SECONDS)
    await Promise.all([service.stop(), floor.stop()])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function readsOf(data: BenchData): Case[] {
  const cursor = sealCursor(data.deepId, `contacts/${data.tenantId}`)
  return [
    both('contact by id', data, (i) => ({ path: `/v1/contacts/${data.sampleIds[(i * 37) % 1000]}` })),
    both('page of 25', data, () => ({ path: '/v1/contacts' })),
    {
      name: 'deep page',
      service: spread(data, () => ({ path: `/v1/contacts?cursor=${cursor}` })),
      floor: spread(data, () => ({ path: `/v1/contacts?cursor=${data.deepId}` })),
    },
    both('filtered page', data, () => ({ path: '/v1/contacts?unsubscribed=true' })),
  ]
}

function writesOf(data: BenchData): Case[] {
  const form = { title: 'Bench', questions: twentyQuestions() }
  return [
    both('create contact', data, () => ({
      method: 'POST',
      path: '/v1/contacts',
      body: JSON.stringify({ email: 'new-{n}@new.test', name: 'Ada' }),
    })),
    both('create form of 20', data, () => ({ method: 'POST', path: '/v1/forms', body: JSON.stringify(form) })),
  ]
}

type Sketch = { method?: string; path: string; body?: string }

/** The same request to either side. */
export function both(name: string, data: BenchData, request: (i: number) => Sketch): Case {
  return { name, service: spread(data, request), floor: spread(data, request) }
}

/** A thousand requests, spread over the tenant's keys. */
function spread(data: BenchData, request: (i: number) => Sketch): Requests {
  return Array.from({ length: 1000 }, (_, i) => {
    const { method = 'GET', path, body = null } = request(i)
    return { method, path, body, headers: { 'x-api-key': data.keys[i % data.keys.length] as string } }
  })
}

/** What a side did in a round of a case. */
interface Turn extends LoadResult {
  /** Of its process for a request, in milliseconds. */
  cpu: number
}

/** One round's figures of a case. */
interface Round {
  ours: Turn
  floor: Turn
}

/** Has either side answer so many requests of each case. */
export async function warmUp(cases: Case[], service: Running, floor: Running, requests: number): Promise<void> {
  for (const one of cases) {
    for (const [side, asked] of [
      [floor, one.floor],
      [service, one.service],
    ] as const) {
      for (let answered = 0; answered < requests; ) answered += (await turn(side, asked, 1)).perSecond
    }
  }
}

/** Loads one side for so many seconds. */
async function turn({ port, pid }: Running, requests: Requests, seconds: number): Promise<Turn> {
  const before = await busyTime(pid)
  const result = await load({ port, requests, connections: CONNECTIONS, seconds })
  return { ...result, cpu: ((await busyTime(pid)) - before) / (result.perSecond * seconds) }
}

/**
 * Every case in every round, once on either side. Prints a row for each; returns the rounds of each by its name. By CPU is
 * how much processor time the floor's process takes for a request against the service's: what else the machine does, and
 * how fast its disk syncs, hardly shows in that.
 */
export async function compare(
  cases: Case[],
  service: Running,
  floor: Running,
  rounds: number,
  seconds: number,
): Promise<Map<string, Round[]>> {
  const found = new Map<string, Round[]>(cases.map(({ name }) => [name, []]))
  for (let round = 0; round < rounds; round++) {
    for (const one of cases) {
      const ours = () => turn(service, one.service, seconds)
      const bare = () => turn(floor, one.floor, seconds)
      // Either goes first as often: what a side leaves behind (a checkpoint, a full cache of the disk) meets both.
      const first = round % 2 === 0 ? await bare() : await ours()
      const second = round % 2 === 0 ? await ours() : await bare()
      found.get(one.name)?.push(round % 2 === 0 ? { floor: first, ours: second } : { ours: first, floor: second })
    }
  }
  for (const [name, results] of found) printCase(name, results)
  return found
}

function printCase(name: string, rounds: Round[]): void {
  const ours = (figure: 'perSecond' | 'p50' | 'p99') => median(rounds.map((round) => round.ours[figure]))
  const ratios = rounds.map((round) => round.ours.perSecond / round.floor.perSecond)
  const byCpu = rounds.map((round) => round.floor.cpu / round.ours.cpu)
  row(
    name,
    ours('perSecond').toFixed(0),
    ours('p50').toFixed(2),
    ours('p99').toFixed(2),
    median(rounds.map((round) => round.floor.perSecond)).toFixed(0),
    median(ratios).toFixed(2),
    `${quantile(ratios, 0.25).toFixed(2)}–${quantile(ratios, 0.75).toFixed(2)}`,
    median(byCpu).toFixed(2),
  )
}

/** How much longer one of the service's cases takes than another, both in the same rounds. */
function timesAsLong(results: Map<string, Round[]>, name: string, than: string): string {
  const rates = (of: string) => (results.get(of) ?? []).map((round) => round.ours.perSecond)
  const slower = rates(name)
  return median(rates(than).map((rate, i) => rate / (slower[i] as number))).toFixed(2)
}

/** Whether a page costs the same with ten times the rows, and how soon the service answers on them. */
async function benchMillion(dataDir: string, small: BenchData, smaller: Running): Promise<void> {
  const data = await seed(dataDir, 1_000_000)
  const began = performance.now()
  const service = await startService(dataDir)
  await fetch(`http://127.0.0.1:${service.port}/v1/contacts`, { headers: { 'x-api-key': data.keys[0] as string } })
  print(`start to first answer on 1,000,000 contacts, from source: ${(performance.now() - began).toFixed(0)} ms`)
  const ratios = []
  for (let round = -1; round < READ_ROUNDS; round++) {
    const plan = { connections: CONNECTIONS, seconds: READ_SECONDS }
    const few = await load({ ...plan, port: smaller.port, requests: spread(small, () => ({ path: '/v1/contacts' })) })
    const many = await load({ ...plan, port: service.port, requests: spread(data, () => ({ path: '/v1/contacts' })) })
    if (round >= 0) ratios.push(few.perSecond / many.perSecond)
  }
  print(`a page of 1,000,000 contacts takes ${median(ratios).toFixed(2)} × a page of 100,000`)
  await service.stop()
}

if (import.meta.main) await benchHttp()
