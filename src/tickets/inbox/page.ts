import { type Reader, remembered } from '../../db/index.ts'
import { inboxes, messages, tickets, ticketTags, users } from '../../db/schema.ts'
import { type RowFacts, rowFactsOf } from './last-words.ts'
import { type InboxFilters, type InboxPage, listInbox } from './list.ts'

/** First pages that are remembered at once: of those who are at it, most look at the same few. */
const CAPACITY = 200

/** A page of the list with what its rows say besides, the same for everybody who may see it. */
export interface PageWithFacts extends InboxPage {
  readonly facts: ReadonlyMap<string, RowFacts>
}

/**
 * A page of the tenant's tickets, as `listInbox` has it. The first is read once, whoever looks at it, until a ticket is
 * written: fifty agents ask for it together when anything happens. Throws `invalid_request` for a foreign cursor.
 */
export async function readInboxPage(
  db: Reader,
  tenantId: string,
  page: { cursor: string | undefined; limit: number },
  filters: InboxFilters,
): Promise<PageWithFacts> {
  if (page.cursor !== undefined) return readPage(db, tenantId, page, filters)
  return firstPage(db, JSON.stringify([tenantId, page.limit, filters]))
}

const firstPage = remembered(
  [tickets, messages, ticketTags, inboxes, users],
  (db, key) => {
    const [tenantId, limit, filters]: [string, number, InboxFilters] = JSON.parse(key)
    return readPage(db, tenantId, { cursor: undefined, limit }, filters)
  },
  CAPACITY,
)

async function readPage(
  db: Reader,
  tenantId: string,
  page: { cursor: string | undefined; limit: number },
  filters: InboxFilters,
): Promise<PageWithFacts> {
  const found = await listInbox(db, tenantId, page, filters)
  return { ...found, facts: await rowFactsOf(db, tenantId, found.items) }
}
