import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Running, residentMemory, startService, startWebhookReceiver } from './harness/processes.ts'
import { median, print, row } from './harness/report.ts'
import { benchScheduler, seedSubscriptions, seedWaiting } from './webhook-tables.ts'

const PARALLEL = 32
const WINDOW = 50

const environment = {
  FRONTDESK_WEBHOOK_ALLOW_PRIVATE: 'true',
  FRONTDESK_WEBHOOK_WINDOW_MS: String(WINDOW),
}

/** What deliveries cost and how late they are; see each part. Floors are measured in the same run. */
export async function benchWebhooks(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'frontdesk-bench-'))
  const receiver = await startWebhookReceiver()
  try {
    print('')
    row('from a change over REST to its receipt', 'events/s', 'floor', 'ratio', '32 loops', 'posts/s')
    await benchThroughput(join(folder, '1'), receiver, 1, 6_000, 5)
    await benchThroughput(join(folder, '100'), receiver, 100, 2_000, 7)
    await benchThroughput(join(folder, '1000'), receiver, 1_000, 300, 5)
    await benchDead(join(folder, 'dead'), receiver)
    await benchScheduler(join(folder, 'scheduler'))
    await benchRestart(join(folder, 'restart'), receiver)
    await benchMemory(join(folder, 'memory'))
  } finally {
    await receiver.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

interface Stats {
  events: number
  deliveries: number
  delays: number[]
  first: number
}

async function stats(receiver: Running): Promise<Stats> {
  return (await fetch(`http://127.0.0.1:${receiver.port}/stats`)).json() as Promise<Stats>
}

const reset = (receiver: Running) => fetch(`http://127.0.0.1:${receiver.port}/reset`)

/** Does `work` `count` times, 32 at a time unless told otherwise. */
async function inParallel(count: number, work: (i: number) => Promise<unknown>, parallel = PARALLEL): Promise<void> {
  let next = 0
  const worker = async () => {
    while (next < count) await work(next++)
  }
  await Promise.all(Array.from({ length: parallel }, worker))
}

let emails = 0
async function change(port: number, key: string): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}/v1/contacts`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ email: `bench${++emails}@example.com`, name: 'Ada', lastName: 'Lovelace' }),
  })
  if (!response.ok) throw new Error(await response.text())
  await response.arrayBuffer()
}

/**
 * `changes` over REST, 32 at a time, until every subscription has received every event. The floor makes the same
 * changes with nobody subscribed, and then POSTs the very bodies with fetch in a bare loop; and, for comparison, in 32
 * such loops at once.
 */
async function benchThroughput(
  dataDir: string,
  receiver: Running,
  subscriptions: number,
  changes: number,
  rounds: number,
): Promise<void> {
  const url = `http://127.0.0.1:${receiver.port}/hook`
  const { key, activate } = await seedSubscriptions(dataDir, Array(subscriptions).fill(url))
  const service = await startService(dataDir, environment)
  const results: Record<'perSecond' | 'floor' | 'ratio' | 'ofLoops' | 'posts', number>[] = []
  for (let round = 0; round < rounds; round++) {
    await activate(false)
    const unheard = await seconds(() => inParallel(changes, () => change(service.port, key)))
    await activate(true)
    await reset(receiver)
    const heard = await seconds(async () => {
      await inParallel(changes, () => change(service.port, key))
      while ((await stats(receiver)).events < changes * subscriptions) await Bun.sleep(5)
    })
    const bodies = (await (await fetch(`http://127.0.0.1:${receiver.port}/bodies`)).json()) as string[]
    const bare = (i: number) => bareHook(url, bodies[i] as string)
    const oneLoop = await seconds(() => inParallel(bodies.length, bare, 1))
    const manyLoops = await seconds(() => inParallel(bodies.length, bare))
    const events = changes * subscriptions
    results.push({
      perSecond: events / heard,
      floor: events / (unheard + oneLoop),
      ratio: (unheard + oneLoop) / heard,
      ofLoops: (unheard + manyLoops) / heard,
      posts: bodies.length / heard,
    })
  }
  await service.stop()
  const of = (name: keyof (typeof results)[number], digits: number) =>
    median(results.map((result) => result[name])).toFixed(digits)
  const name = `${subscriptions} subscription${subscriptions === 1 ? '' : 's'}`
  row(name, of('perSecond', 0), of('floor', 0), of('ratio', 2), of('ofLoops', 2), of('posts', 0))
}

async function bareHook(url: string, body: string): Promise<void> {
  const response = await fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json' } })
  await response.arrayBuffer()
}

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return (performance.now() - started) / 1000
}

/** How much later than the window 20 live subscriptions get their events, beside 1,000 of their tenant that never answer. */
async function benchDead(dataDir: string, receiver: Running): Promise<void> {
  const [live, dead] = ['hook', 'dead'].map((path) => `http://127.0.0.1:${receiver.port}/${path}`)
  const urls = [...Array(1000).fill(dead), ...Array(20).fill(live)]
  const { key } = await seedSubscriptions(dataDir, urls)
  const window = 1_000
  const service = await startService(dataDir, {
    ...environment,
    FRONTDESK_WEBHOOK_WINDOW_MS: String(window),
    FRONTDESK_WEBHOOK_TIMEOUT_MS: '5000',
    FRONTDESK_WEBHOOK_RETRY_BASE_MS: '2000',
  })
  await reset(receiver)
  for (let i = 0; i < 200; i++) {
    await change(service.port, key)
    await Bun.sleep(100)
  }
  await Bun.sleep(window + 3_000)
  const { delays, events } = await stats(receiver)
  const lags = delays.map((delay) => delay - window).sort((a, b) => a - b)
  await service.stop()
  print('')
  row('past the window, beside 1,000 dead', 'p50 ms', 'p99 ms', 'most ms', 'came')
  const at = (part: number) => (lags[Math.floor(lags.length * part)] as number).toFixed(0)
  row('20 live subscriptions, 200 changes', at(0.5), at(0.99), at(0.9999), `${events}/4000`)
}

/** From the start of the process to the first delivery, with 10,000 batches overdue. */
async function benchRestart(dataDir: string, receiver: Running): Promise<void> {
  await seedWaiting(dataDir, { subscriptions: 10_000, batches: 1, url: `http://127.0.0.1:${receiver.port}/hook` })
  await reset(receiver)
  const started = Date.now()
  const service = await startService(dataDir, environment)
  let came = await stats(receiver)
  while (came.events < 10_000) {
    await Bun.sleep(20)
    came = await stats(receiver)
  }
  const all = Date.now() - started
  await service.stop()
  print('')
  row('a start with 10,000 batches overdue', 'first ms', 'all ms')
  row('', (came.first - started).toFixed(0), all.toFixed(0))
}

/** Resident memory with 10,000 subscriptions that wait with 10 events each, beside one with none. */
async function benchMemory(dataDir: string): Promise<void> {
  const hour = { ...environment, FRONTDESK_WEBHOOK_WINDOW_MS: '3600000' }
  const used = async (subscriptions: number) => {
    const folder = join(dataDir, String(subscriptions))
    const { key } = await seedSubscriptions(folder, Array(subscriptions).fill('http://127.0.0.1:9/'))
    const service = await startService(folder, hour)
    for (let i = 0; i < 10; i++) await change(service.port, key)
    await Bun.sleep(5_000)
    const memory = await residentMemory(service.pid)
    await service.stop()
    return memory
  }
  const [none, many] = [await used(0), await used(10_000)]
  print('')
  row('resident memory', 'MB', 'added')
  row('10,000 subscriptions, 100,000 waiting events', many.toFixed(0), (many - none).toFixed(0))
}

if (import.meta.main) await benchWebhooks()
