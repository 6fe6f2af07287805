import type { Keep } from '../config.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
/** 5 January 1970 was the first Monday. */
const FIRST_MONDAY = 4 * DAY

/** Which hour, day, week (from Monday) or month of UTC a time is in. UTC knows no summer time. */
const periods: { readonly [Unit in keyof Keep]: (at: number) => number } = {
  hours: (at) => Math.floor(at / HOUR),
  days: (at) => Math.floor(at / DAY),
  weeks: (at) => Math.floor((at - FIRST_MONDAY) / (7 * DAY)),
  months: (at) => new Date(at).getUTCFullYear() * 12 + new Date(at).getUTCMonth(),
}

/**
 * Which of the backups made at these times are kept: the newest of each of the last days that have one, and so of hours,
 * weeks and months. Time in which none was made counts for nothing, so an installation that stood still loses none. The
 * newest is kept whatever the rule says. What lies behind `now` is of a clock that was wrong: nobody knows how old it is,
 * so it is kept until then and takes no other's place.
 */
export function kept(times: readonly number[], keep: Keep, now: number): Set<number> {
  const past = times.filter((at) => at <= now).sort((a, b) => b - a)
  const chosen = new Set([...times.filter((at) => at > now), ...past.slice(0, 1)])
  for (const unit of Object.keys(periods) as (keyof Keep)[]) {
    const newest = new Map<number, number>()
    for (const at of past) {
      const period = periods[unit](at)
      if (newest.has(period)) continue
      if (newest.size === keep[unit]) break
      newest.set(period, at)
    }
    for (const at of newest.values()) chosen.add(at)
  }
  return chosen
}
