import { openCursor, sealCursor } from './cursor.ts'
import type { PageRequest } from './keyset.ts'

/* Lists of what is found by how it begins: ranges of indexes, one after the other, each in the order of its index. */

/** A row that was looked at, and whether it is one of the list. */
export interface LookedAt {
  readonly key: string
  readonly id: string
  readonly fits: boolean
}

/** The last row of a range that was looked at: `key` is null at its beginning. */
export type After = readonly [key: string | null, id: string]

/**
 * The next rows of a range behind one, `most` at most: those of the same key, by their ids, then those of later keys. SQLite
 * goes through an index on an expression from its beginning where both are asked as one, by a row value.
 */
export async function rowsBehind<Row>(
  [afterKey, afterId]: After,
  most: number,
  sameKey: (key: string, afterId: string, most: number) => PromiseLike<Row[]>,
  laterKeys: (afterKey: string | null, most: number) => PromiseLike<Row[]>,
): Promise<Row[]> {
  const same = afterKey === null ? [] : await sameKey(afterKey, afterId, most)
  return same.length < most ? [...same, ...(await laterKeys(afterKey, most - same.length))] : same
}

/** Rows looked at first, and from then on at once; and how many for one page at most, however few of them fit. */
const [FIRST, NEXT, MOST] = [200, 1000, 4000]

/**
 * The ids on a page: of `count` ranges, `look` reads the next rows behind one. A page may have fewer than its limit, or none, and
 * still be followed by others: where very many begin so, but few of them fit. Throws `invalid_request` for a cursor that is not
 * that of `owner`.
 */
export async function pageOfRanges(
  { cursor, limit }: PageRequest,
  owner: string,
  count: number,
  look: (range: number, after: After, most: number) => Promise<LookedAt[]>,
): Promise<{ ids: string[]; nextCursor: string | null }> {
  let [range, ...after]: Place = cursor === undefined ? [0, null, ''] : readPlace(openCursor(cursor, owner))
  const found: { id: string; place: Place }[] = []
  let left = MOST
  while (range < count && left > 0 && found.length <= limit) {
    const most = Math.min(left, left === MOST ? Math.max(FIRST, limit + 1) : NEXT)
    const rows = await look(range, after, most)
    for (const { key, id, fits } of rows) if (fits) found.push({ id, place: [range, key, id] })
    left -= rows.length
    const last = rows.at(-1)
    if (last) after = [last.key, last.id]
    if (rows.length < most) [range, after] = [range + 1, [null, '']]
  }
  const shown = found.slice(0, limit)
  const next: Place = found.length > limit ? (shown.at(-1)?.place as Place) : [range, ...after]
  const isEnd = found.length <= limit && range >= count
  return { ids: shown.map(({ id }) => id), nextCursor: isEnd ? null : sealPlace(next, owner) }
}

type Place = readonly [range: number, ...after: After]

const sealPlace = (place: Place, owner: string) =>
  sealCursor(Buffer.from(JSON.stringify(place)).toString('base64url'), owner)

function readPlace(key: string): Place {
  return JSON.parse(Buffer.from(key, 'base64url').toString())
}
