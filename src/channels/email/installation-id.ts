import { eq } from 'drizzle-orm'
import type { Database, Tx } from '../../db/index.ts'
import { installation } from '../../db/schema.ts'

const known = new WeakMap<Database, Promise<string>>()

/** What the mails of this installation carry as `X-Frontdesk`, so that it knows them when they come back. Made at first need. */
export function installationId(database: Database): Promise<string> {
  let id = known.get(database)
  if (id === undefined) {
    id = database.transaction(findOrMake)
    id.catch(() => known.delete(database))
    known.set(database, id)
  }
  return id
}

async function findOrMake(tx: Tx): Promise<string> {
  await tx.insert(installation).values({ name: 'id', value: crypto.randomUUID() }).onConflictDoNothing()
  const [row] = await tx.select().from(installation).where(eq(installation.name, 'id'))
  if (!row) throw new Error('a row that was just written is gone')
  return row.value
}
