import { and, eq, ne, sql } from 'drizzle-orm'
import { isOneOf, ofTenant, prepared, type Reader } from '../../db/index.ts'
import { receivedMails } from '../../db/schema.ts'
import type { Deps } from '../../deps.ts'
import { notFound } from '../../errors.ts'
import { isUuid } from '../../lib/ids.ts'
import { keptFor } from '../../tenants/retention.ts'
import { openRaw } from './raw-mail.ts'

/* The mails that messages came as, in the form in which they came (decisions §13). For agents. */

/** The mail that a message came as. */
export interface KeptMail {
  /** Bytes. */
  readonly size: number
  /** Whether its bytes are there still. */
  readonly isKept: boolean
  /** When they go, in milliseconds since 1970; null where they stay for good, or are gone. */
  readonly keptUntil: number | null
  /** Whether it brings parts that the message has not (decisions §13). */
  readonly holdsMore: boolean
}

const mailsOfMessages = prepared((db) =>
  db
    .select({
      messageId: receivedMails.messageId,
      size: receivedMails.size,
      keptIn: receivedMails.keptIn,
      receivedAt: receivedMails.receivedAt,
      holdsMore: receivedMails.holdsMore,
    })
    .from(receivedMails)
    .where(
      and(
        ofTenant(receivedMails),
        isOneOf(db, receivedMails.messageId, sql.placeholder('messageIds')),
        // That one names the message that came back, which is ours.
        ne(receivedMails.outcome, 'bounce'),
      ),
    )
    .prepare(),
)

/** The mails that messages came as, by the messages' ids: those that came otherwise have none. */
export async function findKeptMails(
  db: Reader,
  tenantId: string,
  messageIds: readonly string[],
): Promise<ReadonlyMap<string, KeptMail>> {
  if (messageIds.length === 0) return new Map()
  const rows = await mailsOfMessages(db).execute({ tenantId, messageIds: JSON.stringify(messageIds) })
  const kept = await keptFor(db, tenantId, 'raw_mails')
  const endOf = (receivedAt: string) => (kept === null ? null : Date.parse(receivedAt) + kept)
  return new Map(
    rows.map(({ messageId, size, keptIn, receivedAt, holdsMore }) => [
      messageId as string,
      { size, holdsMore, isKept: keptIn !== null, keptUntil: keptIn === null ? null : endOf(receivedAt) },
    ]),
  )
}

const mailOfMessage = prepared((db) =>
  db
    .select({
      tenantId: receivedMails.tenantId,
      id: receivedMails.id,
      size: receivedMails.size,
      keptIn: receivedMails.keptIn,
      content: receivedMails.content,
    })
    .from(receivedMails)
    .where(
      and(
        ofTenant(receivedMails),
        eq(receivedMails.messageId, sql.placeholder('messageId')),
        ne(receivedMails.outcome, 'bounce'),
      ),
    )
    .prepare(),
)

/**
 * The mail that a message came as, to the byte; `content` is null once it is gone (`tenants/retention.ts`). Throws
 * `not_found` for a message that came otherwise, and another tenant's; `unavailable`.
 */
export async function openKeptMail(
  { database, files }: Pick<Deps, 'database' | 'files'>,
  tenantId: string,
  messageId: string,
) {
  const id = messageId.toLowerCase()
  const [row] = isUuid(id) ? await mailOfMessage(database.db).execute({ tenantId, messageId: id }) : []
  if (!row) throw notFound('mail')
  return { size: row.size, content: await openRaw(files, row) }
}
