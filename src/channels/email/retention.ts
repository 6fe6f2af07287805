import { and, asc, eq, gt, isNotNull, lte, sql } from 'drizzle-orm'
import { isOneOf, ofTenant, prepared, type Reader, type Tx } from '../../db/index.ts'
import { receivedMails } from '../../db/schema.ts'
import type { Deps } from '../../deps.ts'
import { formatTime } from '../../lib/time.ts'
import { dropRaw } from './raw-mail.ts'
import type { ReceivedRow } from './received.ts'

/* Raw mails are kept for a while only (decisions §13). For the scheduler: of all tenants. */

/** How long raw mails are kept, in milliseconds. */
export const RAW_MAIL_KEPT = 30 * 24 * 60 * 60 * 1000
/** Rows changed in one transaction. */
const STEP = 200

const oldestKept = prepared((db) =>
  db
    .select({ at: receivedMails.receivedAt })
    .from(receivedMails)
    // The second condition holds for all, and has the engine seek the first instead of planning to read the index.
    .where(and(isNotNull(receivedMails.keptIn), gt(receivedMails.receivedAt, '')))
    .orderBy(asc(receivedMails.receivedAt))
    .limit(1)
    .prepare(),
)

/** When the next raw mail has been kept long enough, in milliseconds since 1970, or null. */
export async function nextRawMailExpiry(db: Reader): Promise<number | null> {
  const [first] = await oldestKept(db).execute()
  return first ? Date.parse(first.at) + RAW_MAIL_KEPT : null
}

/**
 * Lets go of raw mails that came 30 days ago. What became a message stays known by its ids, so that the same mail is not
 * taken again; of what became none, nothing is left. Says whether more may be left.
 */
export async function expireRawMails({
  database,
  files,
  clock,
  log,
}: Pick<Deps, 'database' | 'files' | 'clock' | 'log'>): Promise<boolean> {
  const before = clock.now() - RAW_MAIL_KEPT
  const expired = await database.transaction((tx) => forget(tx, before))
  if (expired.length > 0) log.info('raw mails of 30 days ago are deleted', { count: expired.length })
  for (const row of expired) await dropRaw(files, row)
  return expired.length === STEP
}

type Expired = Pick<ReceivedRow, 'tenantId' | 'id' | 'keptIn' | 'messageId'>

async function forget(tx: Tx, before: number): Promise<Expired[]> {
  const { tenantId, id, keptIn, messageId } = receivedMails
  const expired = await tx
    .select({ tenantId, id, keptIn, messageId })
    .from(receivedMails)
    .where(and(isNotNull(keptIn), lte(receivedMails.receivedAt, formatTime(before))))
    .orderBy(asc(receivedMails.receivedAt))
    .limit(STEP)
  for (const [owner, rows] of Map.groupBy(expired, (row) => row.tenantId)) {
    const idsOf = (some: readonly Expired[]) =>
      and(eq(tenantId, owner), isOneOf(tx, id, JSON.stringify(some.map((row) => row.id))))
    const { messages = [], others = [] } = Object.groupBy(rows, (row) => (row.messageId ? 'messages' : 'others'))
    await tx.delete(receivedMails).where(idsOf(others))
    await tx.update(receivedMails).set(NOTHING_MORE).where(idsOf(messages))
  }
  return expired
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
