import { asc, lte, sql } from 'drizzle-orm'
import type { AnySQLiteColumn } from 'drizzle-orm/sqlite-core'
import { formatTime } from '../../lib/time.ts'

/*
 * Rows with a time up to some other, oldest first, a page at a time. For prepared queries, which select the time as `at`; the
 * place where a page ended is text, for whoever asks for the next.
 */

/** What such a query asks for besides what else holds for its rows, and its order. */
export function oldRows(time: AnySQLiteColumn, id: AnySQLiteColumn) {
  const isBehind = sql`(${time}, ${id}) > (${sql.placeholder('at')}, ${sql.placeholder('id')})`
  return { conditions: [lte(time, sql.placeholder('before')), isBehind], order: [asc(time), asc(id)] }
}

/** Its parameters. `before` is in milliseconds since 1970; `after` is where the page before ended, null for the first. */
export function oldRowsBehind(before: number, after: string | null) {
  const [at = '', id = ''] = after?.split(' ') ?? []
  return { before: formatTime(before), at, id }
}

/** Where a page of `limit` rows ended; null where it was the last. */
export function endOfPage(rows: readonly { id: string; at: string | null }[], limit: number): string | null {
  const last = rows.at(-1)
  return rows.length === limit && last ? `${last.at} ${last.id}` : null
}
