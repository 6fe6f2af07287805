/** A UUID is 8-4-4-4-12 hex digits; case does not matter on the way in. */
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** The newest id of each of the times that ids were made of lately. */
const newest = new Map<number, string>()
/** Of how many times that is known. */
const KNOWN = 1000

/**
 * A new version 7 UUID (decisions §1). Its first 48 bits are `at` in milliseconds, so ids made later sort later:
 * lists are ordered by id and need no second column. Those that a process makes of one time sort as they were made, though
 * Bun begins anew, by chance, once it was asked for one of another time, as by another request.
 */
export function newId(at: number): string {
  let id = Bun.randomUUIDv7('hex', at)
  const before = newest.get(at)
  if (before === undefined) {
    if (newest.size === KNOWN) newest.delete(newest.keys().next().value as number)
  } else if (id <= before) {
    id = behind(before, id)
  }
  newest.set(at, id)
  return id
}

/** An id at the next place behind `before`, of the 4096 that a millisecond has, with the random bits of `id`. */
function behind(before: string, id: string): string {
  const place = Number.parseInt(before.slice(15, 18), 16) + 1
  if (place === 4096) return Bun.randomUUIDv7('hex', timeOfId(before) + 1)
  return before.slice(0, 15) + place.toString(16).padStart(3, '0') + id.slice(18)
}

/** When `newId` made an id, in milliseconds since 1970. */
export function timeOfId(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)
}

/** The lowest id that `newId` can make at `at` or later: what was made in a time is a stretch of ids. */
export function firstIdAt(at: number): string {
  const hex = Math.min(Math.max(at, 0), 2 ** 48 - 1)
    .toString(16)
    .padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`
}

/** Whether `text` has the form of a UUID. */
export function isUuid(text: string): boolean {
  return UUID.test(text)
}

const LETTERS_AND_DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** `length` random letters and digits, all 62 equally likely: for codes that people meet in addresses. */
export function randomCode(length: number): string {
  let code = ''
  while (code.length < length) {
    for (const byte of crypto.getRandomValues(new Uint8Array(2 * length))) {
      // 248 is 4 × 62: a byte above it would make the first letters likelier.
      if (byte < 248 && code.length < length) code += LETTERS_AND_DIGITS[byte % 62]
    }
  }
  return code
}

/** The rows of these ids in their order, whatever order they were read in; without those that are not there. */
export function inOrderOf<Row extends { readonly id: string }>(ids: readonly string[], rows: readonly Row[]): Row[] {
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}
