import { availableParallelism, loadavg } from 'node:os'
import { print, row } from '../bench/harness/report.ts'
import { type Figure, type Figures, slope } from './figures.ts'
import { type Plan, soak } from './soak.ts'

/** The share of the time in which code is compiled and caches fill, which no slope counts. */
const WARM_UP = 0.25

const NAMES: Record<Figure, string> = {
  memoryMB: 'memory, MB',
  descriptors: 'descriptors',
  logMB: 'log, MB',
  databaseMB: 'database, MB',
  walMB: 'WAL, MB',
  lagSeconds: 'oldest event, s',
  stalls: 'stalls over 200 ms',
}

function planOf(args: readonly string[], environment: Record<string, string | undefined>): Plan {
  const number = (name: string, text: string) => {
    if (!/^\d+(\.\d+)?$/.test(text)) throw new Error(`${name} has to be a number, not ${text}`)
    return Number(text)
  }
  const size = (name: string, usual: number) => number(name, environment[name] ?? String(usual))
  return {
    minutes: number('MINUTES', args[0] ?? '10'),
    chats: size('SOAK_CHATS', 100),
    consoles: size('SOAK_CONSOLES', 20),
    subscriptions: size('SOAK_SUBSCRIPTIONS', 10),
  }
}

function report(figures: readonly Figures[], warmUp: number): void {
  const warm = figures.filter(({ at }) => at * 60 >= warmUp)
  const [minute = 0] = loadavg()
  const [first, last] = [figures[0], figures.at(-1)] as [Figures, Figures]
  print(`\nafter ${(last.at * 60).toFixed(1)} minutes; ${availableParallelism()} processors, load ${minute.toFixed(1)}`)
  row('', 'first', 'now', 'per hour')
  for (const [name, text] of Object.entries(NAMES) as [Figure, string][]) {
    const growth = warm.length > 2 ? slope(warm, name).toFixed(1) : '-'
    row(text, first[name].toFixed(1), last[name].toFixed(1), growth)
  }
}

const plan = planOf(process.argv.slice(2), process.env)
const warmUp = plan.minutes * WARM_UP
print(`${plan.chats} chats, ${plan.consoles} consoles, ${plan.subscriptions} subscriptions for ${plan.minutes} minutes`)
let told = 0
const { figures, rest, start, done, faults, faultCount } = await soak(plan, (soFar) => {
  const minute = Math.floor((soFar.at(-1)?.at ?? 0) * 60)
  if (minute <= told) return
  told = minute
  report(soFar, warmUp)
})
print('\nat the end')
report(figures, warmUp)
row('descriptors before anybody came, and after', String(start), String(rest.descriptors))
row('memory when all had left, MB', rest.memoryMB.toFixed(1))
for (const [name, times] of done) row(name, String(times))
for (const fault of faults) print(`FAULT ${fault}`)
print(faultCount === 0 ? 'nothing was refused or lost' : `${faultCount} things were refused or lost`)
process.exitCode = faultCount === 0 ? 0 : 1
