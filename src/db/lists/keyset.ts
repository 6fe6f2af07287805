import { and, desc, lt, type SQL, sql } from 'drizzle-orm'
import type { AnySQLiteColumn } from 'drizzle-orm/sqlite-core'
import { prepared, type Reader } from '../dialect.ts'
import { ofTenant } from '../of-tenant.ts'
import { type ChangeFilters, changedRows } from './changed-rows.ts'
import { openCursor, sealCursor } from './cursor.ts'

/** One page of a list. `nextCursor` is null on the last. */
export interface Page<Row> {
  rows: Row[]
  nextCursor: string | null
}

/** A page as it was read. */
export interface ReadPage<Row> extends Page<Row> {
  /** The cursor of what goes on behind the row of this key: for pages that end before the last row that was read. */
  cursorBehind(key: string): string
}

/** Which page is wanted. `limit` is 1 to 100. */
export interface PageRequest {
  cursor: string | undefined
  limit: number
}

/** How many of the first rows, of these sizes, fit into a page of `max`: at least one. For pages that may end early. */
export function fitting(sizes: readonly number[], max: number): number {
  let total = 0
  const first = sizes.findIndex((size) => {
    // Each is followed by a comma or the end of the list.
    total += size + 1
    return total > max
  })
  return Math.max(1, first === -1 ? sizes.length : first)
}

type FilterValue = string | number | boolean | undefined

interface SelectQuery<Row> extends PromiseLike<Row[]> {
  $dynamic(): {
    where(condition: SQL | undefined): unknown
  }
}

interface KeysetSpec<Row, Filters extends string> {
  /** The list's name: a cursor of one list is refused by another. */
  name: string
  select(db: Reader): SelectQuery<Row>
  tenantId: AnySQLiteColumn
  /** Immutable and later for newer rows; lists go newest first (decisions §1). */
  key: AnySQLiteColumn
  keyOf(row: Row): string
  filters: Record<Filters, (value: SQL) => SQL>
  /** The filters that say what the list belongs to besides its tenant (a form, a ticket): always given. */
  within?: readonly NoInfer<Filters>[]
  /**
   * When a row last changed: the list then takes the filters `since` (inclusive) and `until` (exclusive). Needs an
   * index on tenant, `within`, this column and the key.
   */
  changedAt?: AnySQLiteColumn
  /** Filters with which there is another such index, which they come before `changedAt` in. */
  changedWithin?: readonly NoInfer<Filters>[]
  /** What always holds for a row of the list. */
  always?: SQL
}

/**
 * The one way lists are read: newest first on an immutable key, so paging under concurrent changes neither skips nor
 * repeats a row. Each combination of filters becomes one prepared query, built when first asked for. Filters left
 * undefined do not apply. Throws `invalid_request` for a cursor that is not this list's: of another list, tenant or
 * parent (`within`).
 */
export function keysetList<Row, Filters extends string>(spec: KeysetSpec<Row, Filters>) {
  const names = Object.keys(spec.filters) as Filters[]
  const within = spec.within ?? []
  const readers: PageReader<Row>[] = []

  return async (
    db: Reader,
    tenantId: string,
    page: PageRequest,
    filters: Partial<Record<Filters, FilterValue>> & ChangeFilters = {},
  ): Promise<ReadPage<Row>> => {
    let owner = `${spec.name}/${tenantId}`
    for (const name of within) owner += `/${filters[name]}`
    const after = keyAfter(page, owner)
    const { since, until } = filters

    const parameters: Parameters = { tenantId, after, since, until, limit: page.limit + 1, lastOfPage: page.limit }
    let shape = Number(since !== undefined) + 2 * Number(until !== undefined) + 4 * Number(after !== undefined)
    for (let i = 0; i < names.length; i++) {
      const name = names[i] as Filters
      const value = filters[name]
      if (value === undefined) continue
      parameters[name] = typeof value === 'boolean' ? Number(value) : value
      shape += 8 << i
    }
    let read = readers[shape]
    if (!read) {
      const given = names.filter((name) => filters[name] !== undefined)
      read = readers[shape] = pageReader(spec, given, { since, until }, after !== undefined)
    }
    return pageOf(await read(db, parameters), page, owner, spec.keyOf)
  }
}

/** The key behind which a page begins; undefined for the first. Throws `invalid_request`. */
export function keyAfter({ cursor }: PageRequest, owner: string): string | undefined {
  return cursor === undefined ? undefined : openCursor(cursor, owner)
}

/** The page of which these are the rows, and the first of the next page if there is one: one more than the limit. */
export function pageOf<Row>(
  rows: Row[],
  { limit }: PageRequest,
  owner: string,
  keyOf: (row: Row) => string,
): ReadPage<Row> {
  const cursorBehind = (key: string) => sealCursor(key, owner)
  if (rows.length <= limit) return { rows, nextCursor: null, cursorBehind }
  rows.pop()
  return { rows, nextCursor: cursorBehind(keyOf(rows[rows.length - 1] as Row)), cursorBehind }
}

type Parameters = Record<string, unknown>
type PageReader<Row> = (db: Reader, parameters: Parameters) => PromiseLike<Row[]>

/** Reads pages of one combination of filters, of which only it matters here which are given. */
function pageReader<Row, Filters extends string>(
  spec: KeysetSpec<Row, Filters>,
  given: readonly Filters[],
  times: ChangeFilters,
  hasCursor: boolean,
): PageReader<Row> {
  const isOwn = ofTenant(spec)
  const filter = (name: Filters) => spec.filters[name](sql`${sql.placeholder(name)}`)
  const afterCursor = hasCursor ? lt(spec.key, sql.placeholder('after')) : undefined
  const conditions = [isOwn, spec.always, ...given.map(filter), afterCursor]

  if (times.since === undefined && times.until === undefined) {
    const query = prepared((db) => preparePage(spec, db, conditions))
    return (db, parameters) => query(db).execute(parameters)
  }

  const { changedAt, key, name, within = [], changedWithin = [] } = spec
  if (!changedAt) throw new Error(`the rows of ${name} do not tell when they changed`)
  const owner = [isOwn, ...[...within, ...changedWithin.filter((one) => given.includes(one))].map(filter)]
  const changes = changedRows({ key, changedAt, conditions, owner }, times)
  const queries = {
    list: prepared((db) => preparePage(spec, db, [...conditions, changes.condition(db, 'list')])),
    changes: prepared((db) => preparePage(spec, db, [...conditions, changes.condition(db, 'changes')])),
  }
  return async (db, parameters) => {
    // Both are prepared before one is chosen, so that a test of the query plans sees every query that a list can run.
    const ways = { list: queries.list(db), changes: queries.changes(db) }
    return ways[await changes.choose(db, parameters)].execute(parameters)
  }
}

function preparePage<Row>(
  spec: Pick<KeysetSpec<Row, string>, 'select' | 'key'>,
  db: Reader,
  conditions: (SQL | undefined)[],
) {
  const query = spec.select(db).$dynamic() as unknown as {
    where(c: SQL | undefined): {
      orderBy(o: SQL): { limit(l: SQL): { prepare(): { execute(p: Parameters): Promise<Row[]> } } }
    }
  }
  return query
    .where(and(...conditions))
    .orderBy(desc(spec.key))
    .limit(sql.placeholder('limit') as unknown as SQL)
    .prepare()
}
