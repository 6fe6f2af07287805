import type { Reader } from '../db/index.ts'
import type { RetentionRule } from '../kinds/retention.ts'
import { pausing } from '../lib/concurrency/pausing.ts'
import { retainedBy } from './rule-records.ts'

const DAY = 24 * 60 * 60 * 1000

/**
 * How much of a tenant would go now if it were kept for so many days; 0 for good. Changes nothing; takes as long as there is much
 * of it, while others are served. `now` is in milliseconds since 1970.
 */
export async function countOld(
  db: Reader,
  tenantId: string,
  { rule, days }: { rule: RetentionRule; days: number | null },
  now: number,
): Promise<number> {
  if (days === null) return 0
  const pause = pausing()
  let count = 0
  for (const { find } of retainedBy(rule, null)) {
    for (let after: string | null = null; ; ) {
      const { ids, next } = await find(db, tenantId, now - days * DAY, after)
      count += ids.length
      if (next === null) break
      after = next
      await pause()
    }
  }
  return count
}
