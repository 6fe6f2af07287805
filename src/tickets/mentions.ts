import type { Caller } from '../caller.ts'
import type { Tx } from '../db/index.ts'
import { mentions } from '../db/schema.ts'
import { oneLine } from '../lib/text/one-line.ts'
import { activePeople } from '../users/colleagues.ts'

/** Marks of one text that are looked at: who writes more names nobody. */
const MOST_MARKS = 200

/**
 * Whom a text names by `@` and their whole name, in whatever case: the longest name that stands there, and neither a part of
 * a word nor of an address. Those of the same name are all named.
 */
export function mentionedIn(text: string, people: readonly { readonly id: string; readonly name: string }[]): string[] {
  const line = oneLine(text).normalize()
  const named = Map.groupBy(people, ({ name }) => comparable(oneLine(name)))
  const lengths = [...new Set([...named.keys()].map(({ length }) => length))].sort((one, other) => other - one)
  const found = new Set<string>()
  for (const { index } of [...line.matchAll(MARK)].slice(0, MOST_MARKS)) {
    const start = index + 1
    for (const length of lengths) {
      const same = named.get(comparable(line.slice(start, start + length)))
      if (!same || GOES_ON.test(line.slice(start + length))) continue
      for (const { id } of same) found.add(id)
      break
    }
  }
  return [...found]
}

const MARK = /(?<![\p{L}\p{N}_.+-])@/gu
const GOES_ON = /^[\p{L}\p{M}\p{N}_]/u

const comparable = (name: string) => name.normalize().toLowerCase()

/** Keeps whom a note names (decisions §20), and returns them. */
export async function noteMentions(tx: Tx, { tenantId }: Caller, messageId: string, text: string): Promise<string[]> {
  if (!text.includes('@')) return []
  const userIds = mentionedIn(text, [...(await activePeople(tx, tenantId)).values()])
  if (userIds.length > 0) await tx.insert(mentions).values(userIds.map((userId) => ({ tenantId, messageId, userId })))
  return userIds
}
