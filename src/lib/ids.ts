/** A UUID is 8-4-4-4-12 hex digits; case does not matter on the way in. */
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** What ids of one time have in common, and the place of the newest among them. */
interface Stretch {
  readonly start: string
  last: number
}

/** Of the times that ids were made of lately, in the order of their last use. */
const stretches = new Map<number, Stretch>()
/** How many of them are known. */
const KNOWN = 1000
let latest: Stretch | undefined
/** The places of a time that leave an id most of its chance: the last of the 4096 leads to 2^26 more, for which it has less. */
const PLACES = 4095

/**
 * A new version 7 UUID (decisions §1). Its first 48 bits are `at` in milliseconds, so ids made later sort later:
 * lists are ordered by id and need no second column. Those that a process makes of one time sort as they were made, whatever
 * other requests make meanwhile, which Bun's own do not.
 */
export function newId(at: number): string {
  const random = crypto.randomUUID()
  const stretch = stretchOf(at, random)
  stretch.last++
  if (stretch.last < PLACES) return `${stretch.start}${hex(stretch.last)}${random.slice(18)}`
  const further = stretch.last - PLACES
  return `${stretch.start}fff-${(0x8000 | (further >> 12)).toString(16)}-${hex(further & 0xfff)}${random.slice(27)}`
}

/** Twelve bits. */
function hex(number: number): string {
  return number.toString(16).padStart(3, '0')
}

/** A time of which nobody has asked for ids lately begins by chance, low enough for many to come. */
function stretchOf(at: number, random: string): Stretch {
  const known = stretches.get(at)
  if (known && known === latest) return known
  const stretch = known ?? { start: `${startOf(at)}-7`, last: Number.parseInt(random.slice(0, 2), 16) }
  if (known) stretches.delete(at)
  else if (stretches.size === KNOWN) stretches.delete(stretches.keys().next().value as number)
  stretches.set(at, stretch)
  latest = stretch
  return stretch
}

/** When `newId` made an id, in milliseconds since 1970. */
export function timeOfId(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)
}

/** The lowest id that `newId` can make at `at` or later: what was made in a time is a stretch of ids. */
export function firstIdAt(at: number): string {
  return `${startOf(Math.min(Math.max(at, 0), 2 ** 48 - 1))}-0000-0000-000000000000`
}

/** The 48 bits of a time, as they stand in an id. */
function startOf(at: number): string {
  const hex = at.toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}`
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
