import type { Author, Caller } from '../caller.ts'
import { outsideCaller } from '../caller.ts'
import type { Tx } from '../db/index.ts'
import type { Random } from './random.ts'

export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** Something that happened once. */
export interface Step {
  /** Milliseconds since 1970. */
  readonly at: number
  /** Who did it; nobody in particular when left out. */
  readonly by?: Author
  run(tx: Tx, caller: Caller): Promise<unknown>
}

/**
 * Lets the steps happen, oldest first: ids are made of the time, and so lists come out in their order. No two happen at
 * the same time, which would leave their order to chance.
 */
export async function happen(tx: Tx, tenantId: string, steps: readonly Step[]): Promise<void> {
  let last = 0
  for (const { at, by, run } of steps.toSorted((a, b) => a.at - b.at)) {
    last = Math.max(at, last + 1)
    await run(tx, by ? { ...outsideCaller(tenantId, last), author: by, via: 'console' } : outsideCaller(tenantId, last))
  }
}

/** How likely something happens in each hour of a day (UTC): little at night. */
const HOURS = [1, 1, 1, 1, 1, 2, 5, 9, 18, 22, 22, 20, 16, 19, 22, 21, 18, 13, 10, 9, 8, 6, 4, 2]
const BUSIEST = Math.max(...HOURS)
const WEEKEND = 0.3

/**
 * A moment from `from` to `to`, likelier on weekdays and by day. How much chance it uses up depends on what day it is
 * today: with a `Random` of its own, everything else stays the same on every day.
 */
export function momentBetween(random: Random, from: number, to: number): number {
  for (let attempt = 0; ; attempt++) {
    const at = Math.floor(from + random.next() * (to - from))
    const time = new Date(at)
    const isWeekend = time.getUTCDay() % 6 === 0
    const likelihood = ((HOURS[time.getUTCHours()] as number) / BUSIEST) * (isWeekend ? WEEKEND : 1)
    // A short span may hold a night and nothing else.
    if (random.chance(likelihood) || attempt === 20) return at
  }
}
