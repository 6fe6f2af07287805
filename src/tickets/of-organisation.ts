import type { Reader } from '../db/index.ts'
import type { Ticket } from './model.ts'
import { listTicketsOfContact } from './read.ts'

/** The newest tickets of some contacts, `limit` at most. By a seek for each: an organisation has no list of its own. */
export async function newestTicketsOf(
  db: Reader,
  tenantId: string,
  contactIds: readonly string[],
  limit: number,
): Promise<Ticket[]> {
  const found = await Promise.all(contactIds.map((id) => listTicketsOfContact(db, tenantId, id, { limit })))
  return found
    .flat()
    .sort((a, b) => (a.id < b.id ? 1 : -1))
    .slice(0, limit)
}
