import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sealCursor } from '../../src/db/cursor.ts'
import type { LoadPlan, LoadResult } from './load.ts'
import { load, type Running, residentMemory, startFloor, startService } from './processes.ts'
import { median, print, quantile, row } from './report.ts'
import { type BenchData, seed, twentyQuestions } from './seed.ts'

export const CONNECTIONS = 32
/** Short turns, many of them: a machine whose speed drifts treats all that is compared alike. */
const READ_SECONDS = 0.5
const READ_ROUNDS = 15
const WRITE_SECONDS = 1
const WRITE_ROUNDS = 9

export type Requests = LoadPlan['requests']

/** The same work asked of the service and of the floor. */
interface Case {
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
    row('100,000 contacts, 32 connections', 'service/s', 'p50 ms', 'p99 ms', 'floor/s', 'ratio', 'half of them')
    const reads = await compare(readsOf(data), service, floor, READ_ROUNDS, READ_SECONDS)
    print(`a deep page takes ${timesAsLong(reads, 'deep page', 'page of 25')} × a first page`)
    // Before anything is created: the first page would hold other contacts than that of the large table.
    await benchMillion(join(folder, 'million'), data, service)
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

/** One round's figures of a case. */
interface Round {
  ours: LoadResult
  floor: LoadResult
}

/** Every case in every round, once on either side. Prints a row for each; returns the rounds of each by its name. */
async function compare(
  cases: Case[],
  service: Running,
  floor: Running,
  rounds: number,
  seconds: number,
): Promise<Map<string, Round[]>> {
  const found = new Map<string, Round[]>(cases.map(({ name }) => [name, []]))
  const plan = { connections: CONNECTIONS, seconds }
  for (let round = -1; round < rounds; round++) {
    for (const one of cases) {
      const bare = await load({ ...plan, port: floor.port, requests: one.floor })
      const ours = await load({ ...plan, port: service.port, requests: one.service })
      // The first round is for warming up.
      if (round >= 0) found.get(one.name)?.push({ ours, floor: bare })
    }
  }
  for (const [name, results] of found) printCase(name, results)
  return found
}

function printCase(name: string, rounds: Round[]): void {
  const ours = (figure: 'perSecond' | 'p50' | 'p99') => median(rounds.map((round) => round.ours[figure]))
  const ratios = rounds.map((round) => round.ours.perSecond / round.floor.perSecond)
  row(
    name,
    ours('perSecond').toFixed(0),
    ours('p50').toFixed(2),
    ours('p99').toFixed(2),
    median(rounds.map((round) => round.floor.perSecond)).toFixed(0),
    median(ratios).toFixed(2),
    `${quantile(ratios, 0.25).toFixed(2)}–${quantile(ratios, 0.75).toFixed(2)}`,
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
