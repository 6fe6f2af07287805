import { and, eq, isNotNull, sql } from 'drizzle-orm'
import { isOneOf, ofTenant, prepared, type Reader, type Tx } from '../../db/index.ts'
import { endOfPage, oldRows, oldRowsBehind } from '../../db/lists/old-rows.ts'
import { receivedMails } from '../../db/schema.ts'
import type { FileName } from '../../files/names.ts'
import { formatTime } from '../../lib/time.ts'

/* Raw mails are kept for a while only (decisions §13, §22). `before` is in milliseconds since 1970. For `retention/`. */

/** Mails that are looked at in one query. */
const PAGE = 500

const byArrival = oldRows(receivedMails.receivedAt, receivedMails.id)

const kept = prepared((db) =>
  db
    .select({ id: receivedMails.id, at: receivedMails.receivedAt })
    .from(receivedMails)
    .where(and(ofTenant(receivedMails), isNotNull(receivedMails.keptIn), ...byArrival.conditions))
    .orderBy(...byArrival.order)
    .limit(PAGE)
    .prepare(),
)

/** Raw mails that came by then, some at a time, behind the last of those before. */
export async function oldRawMails(db: Reader, tenantId: string, before: number, after: string | null) {
  const found = await kept(db).execute({ tenantId, ...oldRowsBehind(before, after) })
  return { ids: found.map(({ id }) => id), next: endOfPage(found, PAGE) }
}

/**
 * Lets go of those of these raw mails that came by then. What became a message stays known by its ids, so that the same mail is
 * not taken again; of what became none, nothing is left. Returns their files, which the caller removes after the commit.
 */
export async function dropRawMails(
  tx: Tx,
  tenantId: string,
  before: number,
  ids: readonly string[],
): Promise<{ count: number; files: FileName[] }> {
  const { id, keptIn, messageId, receivedAt } = receivedMails
  const theseOf = (some: readonly string[]) =>
    and(ofTenant(receivedMails, tenantId), isOneOf(tx, id, JSON.stringify(some)))
  const found = await tx.select({ id, keptIn, messageId, receivedAt }).from(receivedMails).where(theseOf(ids))
  const time = formatTime(before)
  const old = found.filter((mail) => mail.keptIn !== null && mail.receivedAt <= time)
  const { messages = [], others = [] } = Object.groupBy(old, (mail) => (mail.messageId ? 'messages' : 'others'))
  await tx.delete(receivedMails).where(theseOf(others.map((mail) => mail.id)))
  await tx
    .update(receivedMails)
    .set(NOTHING_MORE)
    .where(theseOf(messages.map((mail) => mail.id)))
  const files = old.flatMap((mail) =>
    mail.keptIn === 'file' ? [{ kind: 'received_mails' as const, tenantId, id: mail.id }] : [],
  )
  return { count: old.length, files }
}

const NOTHING_MORE = {
  ...{ keptIn: null, content: null, fromAddress: null, subject: null, automaticFrom: null },
  ...{ authentication: null, envelope: null },
}

const keptFiles = prepared((db) =>
  db
    .select({ id: receivedMails.id })
    .from(receivedMails)
    .where(
      and(
        ofTenant(receivedMails),
        isOneOf(db, receivedMails.id, sql.placeholder('ids')),
        eq(receivedMails.keptIn, 'file'),
      ),
    )
    .prepare(),
)

/** Which of `ids` are raw mails of the tenant that are kept as files. */
export async function findKnownRawMails(
  db: Reader,
  tenantId: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await keptFiles(db).execute({ tenantId, ids: JSON.stringify(ids) })
  return new Set(rows.map(({ id }) => id))
}
