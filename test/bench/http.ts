import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sealCursor } from '../../src/db/cursor.ts'
import type { LoadPlan } from './load.ts'
import { load, type Running, residentMemory, startFloor, startService } from './processes.ts'
import { median, print, row } from './report.ts'
import { type BenchData, seed } from './seed.ts'

const CONNECTIONS = 32
const SECONDS = 2
const ROUNDS = 5

type Requests = LoadPlan['requests']

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
    row('100,000 contacts, 32 connections', 'service/s', 'p50 ms', 'p99 ms', 'floor/s', 'ratio')
    const rates = new Map<string, number>()
    for (const one of casesOf(data)) rates.set(one.name, await compare(one, service, floor))
    const deep = (rates.get('deep page') as number) / (rates.get('page of 25') as number)
    print(`a deep page takes ${(1 / deep).toFixed(2)} × a first page`)
    await Promise.all([service.stop(), floor.stop()])
    await benchMillion(join(folder, 'million'), data)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function casesOf(data: BenchData): Case[] {
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
    both('create contact', data, () => ({
      method: 'POST',
      path: '/v1/contacts',
      body: JSON.stringify({ email: 'new-{n}@new.test', name: 'Ada' }),
    })),
    both('create form of 20', data, () => ({ method: 'POST', path: '/v1/forms', body: JSON.stringify(formOf20()) })),
  ]
}

type Sketch = { method?: string; path: string; body?: string }

function both(name: string, data: BenchData, request: (i: number) => Sketch): Case {
  return { name, service: spread(data, request), floor: spread(data, request) }
}

/** A thousand requests, spread over the tenant's keys. */
function spread(data: BenchData, request: (i: number) => Sketch): Requests {
  return Array.from({ length: 1000 }, (_, i) => {
    const { method = 'GET', path, body = null } = request(i)
    return { method, path, body, headers: { 'x-api-key': data.keys[i % data.keys.length] as string } }
  })
}

function formOf20(): object {
  const kinds = [
    { type: 'choose_one', options: ['Red', 'Green', 'Blue'] },
    { type: 'nps' },
    { type: 'textbox', rows: 3 },
    { type: 'star_rating' },
    { type: 'matrix', rowHeadings: ['Speed', 'Price'], columnHeadings: ['Bad', 'Fair', 'Good'] },
  ]
  const questions = Array.from({ length: 20 }, (_, i) => ({ ...kinds[i % kinds.length], text: `Question ${i + 1}` }))
  return { title: 'Bench', questions }
}

/** In turn, so that a machine whose speed drifts treats both alike. Returns the service's requests a second. */
async function compare(one: Case, service: Running, floor: Running): Promise<number> {
  const plan = { connections: CONNECTIONS, seconds: SECONDS }
  const runs = []
  for (let i = 0; i < ROUNDS; i++) {
    const bare = await load({ ...plan, port: floor.port, requests: one.floor })
    const ours = await load({ ...plan, port: service.port, requests: one.service })
    runs.push({ ...ours, bare: bare.perSecond, ratio: ours.perSecond / bare.perSecond })
  }
  const rate = median(runs.map((run) => run.perSecond))
  row(
    one.name,
    rate.toFixed(0),
    median(runs.map((run) => run.p50)).toFixed(2),
    median(runs.map((run) => run.p99)).toFixed(2),
    median(runs.map((run) => run.bare)).toFixed(0),
    median(runs.map((run) => run.ratio)).toFixed(2),
  )
  return rate
}

/** Whether a page costs the same with ten times the rows, and how soon the service answers on them. */
async function benchMillion(dataDir: string, small: BenchData): Promise<void> {
  const data = await seed(dataDir, 1_000_000)
  const smaller = await startService(small.dataDir)
  const began = performance.now()
  const service = await startService(dataDir)
  await fetch(`http://127.0.0.1:${service.port}/v1/contacts`, { headers: { 'x-api-key': data.keys[0] as string } })
  print(`start to first answer on 1,000,000 contacts, from source: ${(performance.now() - began).toFixed(0)} ms`)
  const ratios = []
  for (let i = 0; i < ROUNDS; i++) {
    const plan = { connections: CONNECTIONS, seconds: SECONDS }
    const few = await load({ ...plan, port: smaller.port, requests: spread(small, () => ({ path: '/v1/contacts' })) })
    const many = await load({ ...plan, port: service.port, requests: spread(data, () => ({ path: '/v1/contacts' })) })
    ratios.push(few.perSecond / many.perSecond)
  }
  print(`a page of 1,000,000 contacts takes ${median(ratios).toFixed(2)} × a page of 100,000`)
  await Promise.all([service.stop(), smaller.stop()])
}

if (import.meta.main) await benchHttp()
