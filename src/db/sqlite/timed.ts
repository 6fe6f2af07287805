import type { Database as Sqlite } from 'bun:sqlite'
import { worked } from '../../lib/loop/activity.ts'
import { type DatabaseWatch, SLOW } from '../watch.ts'

/** A connection whose statements are timed: each keeps the thread to itself until it is done. */
export function timed(sqlite: Pick<Sqlite, 'prepare'>, watch: DatabaseWatch): Sqlite {
  const prepare = (text: string) => {
    const statement = sqlite.prepare(text)
    for (const method of ['run', 'all', 'get', 'values'] as const) {
      const plain = statement[method].bind(statement) as (...values: never[]) => unknown
      const timing = (...values: never[]) => {
        const began = performance.now()
        try {
          return plain(...values)
        } finally {
          const now = performance.now()
          if (now - began >= SLOW) watch.slow(text, now - began)
          worked(now)
        }
      }
      Object.assign(statement, { [method]: timing })
    }
    return statement
  }
  return { prepare } as unknown as Sqlite
}
