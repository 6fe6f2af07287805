import { eq } from 'drizzle-orm'
import type { Database, Reader, Tx } from '../db/index.ts'
import { noteOnce } from '../db/installation-values.ts'
import { installation } from '../db/schema.ts'

const known = new WeakMap<Database, Promise<string>>()

/**
 * The id of this installation: the mark of its data (decisions §11), and what its mails carry as `X-Frontdesk`, so that it
 * knows them when they come back. Made at first need.
 */
export function installationId(database: Database): Promise<string> {
  let id = known.get(database)
  if (id === undefined) {
    id = database.transaction((tx) => takeId(tx, crypto.randomUUID()))
    id.catch(() => known.delete(database))
    known.set(database, id)
  }
  return id
}

/** Makes an id the installation's, unless it has one already. Returns the one that it has. */
export async function takeId(tx: Tx, id: string): Promise<string> {
  await noteOnce(tx, 'id', id)
  const found = await findId(tx)
  if (found === null) throw new Error('a row that was just written is gone')
  return found
}

/** The id that the database has, or null where none was needed yet. */
export async function findId(db: Reader): Promise<string | null> {
  const [row] = await db.select().from(installation).where(eq(installation.name, 'id'))
  return row?.value ?? null
}
