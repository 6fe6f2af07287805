import { busyTime, type Running, residentMemory, startService } from '../harness/processes.ts'
import { print, row } from '../harness/report.ts'
import { openConsoles } from './staff.ts'

/** How long nothing happens, in milliseconds. */
const QUIET = 20_000
/** The share of a core below which a service has nothing to do. */
const SETTLED = 0.03
/** Services of each kind, one after the other: memory of one and the same varies by megabytes. */
const ROUNDS = 2
/** How long a browser's stream of events goes on before it asks anew, in milliseconds: `console/inbox/live/event-stream.ts`. */
const STREAM_LASTS = 5 * 60 * 1000
const MOST_MEMORY = 100
const MOST_SHARE = 0.05

interface Cost {
  /** In MB. */
  readonly memory: number
  /** Of a core. */
  readonly share: number
  /** What opening all of them kept a processor busy for, in milliseconds. */
  readonly opening: number
}

/** What consoles cost that are open while nothing happens, beside services that have shown the same pages and have none open. */
export async function measureIdle(folder: string, cookies: readonly string[]): Promise<void> {
  const closed: Cost[] = []
  const open: Cost[] = []
  // The first start on new data has work to do that no other has, and keeps the memory it took.
  await costOf(folder, cookies, false)
  for (let n = 0; n < ROUNDS; n++) {
    closed.push(await costOf(folder, cookies, false))
    open.push(await costOf(folder, cookies, true))
  }
  row(`${cookies.length} consoles, nothing happens`, 'MB', '% of a core')
  const say = (name: string, { memory, share }: Pick<Cost, 'memory' | 'share'>) =>
    row(name, memory.toFixed(0), (share * 100).toFixed(1))
  for (const cost of closed) say('their pages shown, none open (control)', cost)
  for (const cost of open) say('all open', cost)
  const middle = (costs: readonly Cost[], name: keyof Cost) => costs.reduce((sum, cost) => sum + cost[name], 0) / ROUNDS
  const memory = middle(open, 'memory') - middle(closed, 'memory')
  const share = middle(open, 'share') - middle(closed, 'share')
  // No browser does so within the time that is measured.
  const again = middle(open, 'opening') / STREAM_LASTS
  const isWithin = memory < MOST_MEMORY && share + again < MOST_SHARE
  print(
    `they cost ${memory.toFixed(0)} MB and ${(share * 100).toFixed(1)} % of a core, and ${(again * 100).toFixed(1)} % for asking anew every five minutes; the limit is ${MOST_MEMORY} MB and ${MOST_SHARE * 100} %: ${isWithin ? 'kept' : 'MISSED'}`,
  )
}

async function costOf(folder: string, cookies: readonly string[], areOpen: boolean): Promise<Cost> {
  const service = await startService(folder, { FRONTDESK_PUBLIC_RATE_LIMIT: '1000000000' })
  const origin = `http://127.0.0.1:${service.port}`
  for (const cookie of cookies) await (await fetch(`${origin}/console/inbox`, { headers: { cookie } })).text()
  await settled(service)
  const before = await busyTime(service.pid)
  const consoles = areOpen ? await openConsoles(origin, cookies, folder) : null
  const opening = (await busyTime(service.pid)) - before
  await settled(service)
  const share = await shareOver(service, QUIET)
  const memory = await residentMemory(service.pid)
  await consoles?.stop()
  await service.stop()
  return { memory, share, opening }
}

/** What there is to do after a start, and what pages leave behind, is not theirs. */
export async function settled(service: Running): Promise<void> {
  while ((await shareOver(service, 3000)) > SETTLED) {}
}

/** How much of one core a process keeps busy for so many milliseconds. */
async function shareOver({ pid }: Running, ms: number): Promise<number> {
  const before = await busyTime(pid)
  await Bun.sleep(ms)
  return ((await busyTime(pid)) - before) / ms
}
