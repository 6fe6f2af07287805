import { getTableName } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Reader } from './dialect.ts'

/** Values remembered at once, for each use. */
const CAPACITY = 10_000

interface Memory<T> {
  version: number
  values: Map<string, T>
  /** What is being looked for, by its key. */
  loading: Map<string, Promise<T>>
}

/** Names of the tables whose commits other processes have to hear of at once. */
export const announcedTables = new Set<string>()

/** Has other processes hear at once of commits that wrote one of these tables, whose names it returns. */
export function announced(tables: readonly SQLiteTable[]): string[] {
  const names = tables.map(getTableName)
  for (const name of names) announcedTables.add(name)
  return names
}

/**
 * Remembers what `load` finds under a key for as long as none of `tables`, which must be all that it reads, is written:
 * right after a commit that wrote one it is read again, so what is remembered is never stale. For small things that
 * nearly every request needs. Nothing found (null) is not remembered, so asking for what does not exist fills no
 * memory. A transaction remembers too, until it writes one of the tables itself. Whoever asks for the same meanwhile waits
 * for what is being looked for. At most `capacity` values are remembered at once.
 */
export function remembered<T>(
  tables: readonly SQLiteTable[],
  load: (db: Reader, key: string) => Promise<T>,
  capacity = CAPACITY,
): (db: Reader, key: string) => Promise<T> {
  const names = announced(tables)
  const memories = new WeakMap<Reader, Memory<T>>()
  return async (db, key) => {
    const version = db.version?.(names)
    if (version === undefined) return load(db, key)
    const memory = memoryAt(memories, db, version)
    const known = memory.values.get(key)
    if (known !== undefined) return known
    const { loading, values } = memory
    const sought = loading.get(key)
    if (sought) return sought
    const found = load(db, key)
    loading.set(key, found)
    try {
      const value = await found
      if (value !== null && values.size < capacity) values.set(key, value)
      return value
    } finally {
      loading.delete(key)
    }
  }
}

function memoryAt<T>(memories: WeakMap<Reader, Memory<T>>, db: Reader, version: number): Memory<T> {
  let memory = memories.get(db)
  // What is still being looked for at an earlier version is put where nobody looks any more.
  if (memory?.version !== version) {
    memory = { version, values: new Map(), loading: new Map() }
    memories.set(db, memory)
  }
  return memory
}

/** When something has to be done, in milliseconds since 1970; null where nothing has. */
type Due = number | null

/** How often everything had to be asked anew. */
let rounds = 0

/** Has everything asked anew that is asked once it was written: what others wrote within the last second is heard of, too. */
export function askAnew(): void {
  rounds += 1
}

/**
 * As `ask`, whose answer holds for as long as it lies ahead and none of `tables`, which must be all that it reads, is
 * written: here, or elsewhere, which may be noticed a second later. What a trigger writes counts as what it follows from.
 * For the scheduler, which looks after every commit.
 */
export function askedOnceWritten(
  tables: readonly SQLiteTable[],
  ask: (db: Reader, now: number) => Promise<Due>,
): (db: Reader, now: number) => Promise<Due> {
  const names = tables.map(getTableName)
  const answers = new WeakMap<Reader, { version: number | undefined; round: number; due: Due }>()
  return async (db, now) => {
    const version = db.version?.(names)
    const last = answers.get(db)
    const round = rounds
    const holds = version !== undefined && last?.version === version && last.round === round
    if (holds && (last.due === null || last.due > now)) return last.due
    const due = await ask(db, now)
    answers.set(db, { version, round, due })
    return due
  }
}
