import type { Counts } from './counts.ts'
import type { Period } from './period.ts'

/**
 * How many tickets were open at the end of each day. Counted back from those that are now: of the past, only what has
 * happened since has to be known. A day that has not ended has as many as now; one that has not begun is left out.
 */
export function openAtDayEnds(
  { began, ended, openNow, at }: Counts,
  { dayEnds, begins }: Period,
): { date: string; count: number }[] {
  const open: { date: string; count: number }[] = []
  let [begun, over] = [began.length, ended.length]
  for (let index = dayEnds.length - 1; index >= 0; index--) {
    const dayBegins = dayEnds[index - 1]?.at ?? begins
    const day = dayEnds[index]
    if (!day || dayBegins > at) continue
    while (begun > 0 && (began[begun - 1] as number) >= day.at) begun -= 1
    while (over > 0 && (ended[over - 1] as number) >= day.at) over -= 1
    open.push({ date: day.date, count: openNow - (began.length - begun) + (ended.length - over) })
  }
  return open.reverse()
}
