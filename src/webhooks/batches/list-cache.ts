import { and, eq, sql } from 'drizzle-orm'
import { ofTenant, prepared, type Reader } from '../../db/index.ts'
import { webhookLists } from '../../db/schema.ts'

/** Bytes of lists that are remembered. */
const CAPACITY = 8 * 1024 * 1024

const listByNumber = prepared((db) =>
  db
    .select({ list: webhookLists.list })
    .from(webhookLists)
    .where(and(ofTenant(webhookLists), eq(webhookLists.number, sql.placeholder('number'))))
    .prepare(),
)

/**
 * The ends of bodies, as bytes. Subscriptions of a tenant that collect the same events have theirs in common and are
 * sent to together, so the last few are worth keeping. A list never changes once it is committed. One that could not be
 * read is not kept: the next attempt reads it again.
 */
export class ListCache {
  readonly #lists = new Map<number, Promise<Buffer>>()
  #size = 0

  /** The list, which `db` must read from what is committed. */
  read(db: Reader, tenantId: string, number: number): Promise<Buffer> {
    const known = this.#lists.get(number)
    if (known) return known
    const list = this.#load(db, tenantId, number)
    this.#lists.set(number, list)
    list.catch(() => {
      if (this.#lists.get(number) === list) this.#lists.delete(number)
    })
    return list
  }

  async #load(db: Reader, tenantId: string, number: number): Promise<Buffer> {
    const [row] = await listByNumber(db).execute({ tenantId, number })
    if (!row) throw new Error(`the list of events ${number} is missing`)
    const list = Buffer.from(row.list)
    this.#size += list.length
    if (this.#size > CAPACITY) {
      this.#lists.clear()
      this.#size = 0
    }
    return list
  }
}
