import { readdirSync, statSync } from 'node:fs'
import { type Running, residentMemory } from '../bench/harness/processes.ts'

/** What is watched of a service, each a number that should not grow by itself. */
export interface Figures {
  /** When, in hours since the beginning. */
  readonly at: number
  readonly memoryMB: number
  readonly descriptors: number
  readonly logMB: number
  readonly databaseMB: number
  readonly walMB: number
  /** Age of the oldest event that waits. */
  readonly lagSeconds: number
  /** Since its start: how often it served nobody for over 200 ms. */
  readonly stalls: number
}

export type Figure = Exclude<keyof Figures, 'at'>

const MB = 1e6

/** How many files and sockets a process has open. */
export const descriptorsOf = (pid: number) => readdirSync(`/proc/${pid}/fd`).length

/** Where a service tells how it does, by what it said at its start. */
export async function metricsOf(service: Running): Promise<string> {
  const url = /Prometheus how it does at (\S+)$/m.exec(await service.output.text())?.[1]
  if (!url) throw new Error('it told no address of its metrics')
  return url
}

export async function figuresOf(service: Running, metrics: string, began: number): Promise<Figures> {
  const lines = (await (await fetch(metrics)).text()).split('\n')
  const value = (name: string) => {
    const line = lines.find((text) => text.startsWith(`${name} `))
    if (line === undefined) throw new Error(`there is no ${name}`)
    return Number(line.slice(name.length))
  }
  const shortStalls = value('frontdesk_loop_stall_seconds_bucket{le="0.2"}')
  return {
    at: (performance.now() - began) / 3_600_000,
    memoryMB: await residentMemory(service.pid),
    descriptors: descriptorsOf(service.pid),
    logMB: statSync(service.output.name as string).size / MB,
    databaseMB: value('frontdesk_database_bytes') / MB,
    walMB: value('frontdesk_wal_bytes') / MB,
    lagSeconds: value('frontdesk_oldest_event_seconds'),
    stalls: value('frontdesk_loop_stall_seconds_count') - shortStalls,
  }
}

/** By how much a figure grows in an hour: the line that fits best, by least squares. 0 for fewer than two. */
export function slope(figures: readonly Figures[], name: Figure): number {
  const mean = (of: (one: Figures) => number) => figures.reduce((sum, one) => sum + of(one), 0) / figures.length
  const [middle, level] = [mean(({ at }) => at), mean((one) => one[name])]
  const spread = mean(({ at }) => (at - middle) ** 2)
  return spread > 0 ? mean((one) => (one.at - middle) * (one[name] - level)) / spread : 0
}
