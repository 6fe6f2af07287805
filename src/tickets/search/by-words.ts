import { messageSearch, type Reader } from '../../db/index.ts'
import { openCursor, sealCursor } from '../../db/lists/cursor.ts'
import { wordsIn } from '../../lib/text/words.ts'
import { type Fitting, type Looked, lookThrough, type Position, START } from './hits.ts'

/** More words than that are not looked for. */
const MAX_WORDS = 16

/** What a search of tickets is asked with besides its text. */
interface Asked<T> {
  /** Whose cursors are its own. */
  readonly owner: (words: readonly string[]) => string
  readonly fitting: Fitting<T>
  /** The ticket of a number, if there is one that may be shown. */
  readonly ofNumber: (number: number) => Promise<readonly T[]>
}

/**
 * A page of the tickets with a message that holds every word of `text`, as `searchInbox` says; with the words, and the newest
 * message found of each. Throws `invalid_request` for a foreign cursor.
 */
export async function findByWords<T extends { readonly id: string }>(
  db: Reader,
  tenantId: string,
  text: string,
  page: { cursor: string | undefined; limit: number },
  { owner: ownerOf, fitting, ofNumber }: Asked<T>,
): Promise<{ found: readonly T[]; words: string[]; newest: Looked<T>['newest']; nextCursor: string | null }> {
  const places = [...wordsIn(text)].slice(0, MAX_WORDS)
  const words = places.map(({ word }) => word)
  const owner = ownerOf(words)
  const position = page.cursor === undefined ? null : readPosition(openCursor(page.cursor, owner))
  const reference = referenceIn(text)
  const referred = reference === null ? [] : await ofNumber(reference.number)
  // The engine has its own way with accents.
  const spelled = places.map(({ start, end }) => text.slice(start, end))
  const isReference = referred.length > 0 && reference?.isWhole === true
  const search = isReference ? null : messageSearch(db, tenantId, spelled)
  const { found, newest, next }: Looked<T> =
    search === null
      ? { found: [], newest: new Map(), next: null }
      : await lookThrough(db, tenantId, search, position ?? START, page.limit, fitting, referred)
  return {
    found: position === null ? [...referred, ...found] : found,
    words,
    newest,
    nextCursor: next && sealCursor(`${next.before}.${next.after}`, owner),
  }
}

function readPosition(key: string): Position {
  const [before, after] = key.split('.')
  return { before: Number(before), after: Number(after) }
}

/** The number in a text that is a ticket's reference; with its `T-` it can be nothing else. */
function referenceIn(text: string): { number: number; isWhole: boolean } | null {
  const [, letter, digits] = /^(t-)?(\d{1,9})$/i.exec(text.trim()) ?? []
  return digits === undefined ? null : { number: Number(digits), isWhole: letter !== undefined }
}
