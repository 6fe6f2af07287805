import { and, desc, gte, inArray, lt, type SQL, sql } from 'drizzle-orm'
import type { AnySQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { prepared, type Reader } from '../dialect.ts'

/** Up to so many changed rows are simply collected, wherever in the list they lie. */
const FEW = 500
/** So far down the list a page of changed rows is looked for, before it is put together from all that changed. */
const NEAR = 2000

/** The filters of a list whose rows tell when they last changed. Times as `formatTime` writes them. */
export interface ChangeFilters {
  /** Changed then or later. */
  since?: string | undefined
  /** Changed before. */
  until?: string | undefined
}

/** The list that is looked through. */
export interface ChangingList {
  key: AnySQLiteColumn
  changedAt: AnySQLiteColumn
  /** What a list read with these filters always asks, in terms of its placeholders; the cursor included. */
  conditions: (SQL | undefined)[]
  /** Those of them that the index on `changedAt` begins with. */
  owner: (SQL | undefined)[]
}

/** Along the list, leaving out what has not changed, or from the changes, putting them into the list's order. */
export type Way = 'list' | 'changes'

/**
 * How a page of changed rows is read in the order of the list. Walking the list is quick when much of it has changed,
 * and takes 350 ms for a million rows of which none has: the very question that those who poll ask most. Collecting
 * the changes is quick when there are few, and takes as long when all have changed. Both ways give the same page; the
 * choice decides only what it costs, a few milliseconds at most unless hundreds of thousands have changed far down.
 */
export function changedRows({ key, changedAt, conditions, owner }: ChangingList, { since, until }: ChangeFilters) {
  const table = key.table as SQLiteTable
  const inTime = (time: SQL) =>
    and(
      since === undefined ? undefined : gte(time, sql.placeholder('since')),
      until === undefined ? undefined : lt(time, sql.placeholder('until')),
    )

  const moreThanFew = prepared((db) =>
    db
      .select({ found: sql`1` })
      .from(table)
      .where(and(...owner, inTime(sql`${changedAt}`)))
      .limit(1)
      .offset(FEW)
      .prepare(),
  )

  const pageIsNear = prepared((db) => {
    const near = db
      .select({ changedAt: sql`${changedAt}`.as('changed_at') })
      .from(table)
      .where(and(...conditions))
      .orderBy(desc(key))
      .limit(NEAR)
      .as('near')
    return db
      .select({ found: sql`1` })
      .from(near)
      .where(inTime(sql`${near.changedAt}`))
      .limit(1)
      .offset(sql.placeholder('lastOfPage'))
      .prepare()
  })

  const endsNear = prepared((db) =>
    db
      .select({ found: sql`1` })
      .from(table)
      .where(and(...conditions))
      .orderBy(desc(key))
      .limit(1)
      .offset(NEAR)
      .prepare(),
  )

  return {
    /** The cheaper way for these parameters. */
    async choose(db: Reader, parameters: Record<string, unknown>): Promise<Way> {
      const [many, near, more] = [moreThanFew(db), pageIsNear(db), endsNear(db)]
      if ((await many.execute(parameters)).length === 0) return 'changes'
      if ((await near.execute(parameters)).length > 0) return 'list'
      // What other filters leave of a list may be short, however much of the whole has changed.
      return (await more.execute(parameters)).length === 0 ? 'list' : 'changes'
    },

    /** What a query that goes this way asks, besides `conditions`. */
    condition(db: Reader, way: Way): SQL | undefined {
      if (way === 'list') return inTime(db.engine.withoutIndex(changedAt))
      return inArray(
        key,
        db
          .select({ key })
          .from(table)
          .where(and(...owner, inTime(sql`${changedAt}`))),
      )
    },
  }
}
