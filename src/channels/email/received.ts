import { and, eq, sql } from 'drizzle-orm'
import { named, ofTenant, prepared, preparedWrite, type Reader, type Tx } from '../../db/index.ts'
import { messages, receivedMails } from '../../db/schema.ts'
import { MAX_EMAIL, normaliseEmail } from '../../lib/input/email.ts'
import { subjectOf } from '../../tickets/thread/content.ts'
import type { IncomingMail } from './incoming-mail.ts'
import type { RawColumns } from './raw-mail.ts'

/* The rows of received mails. For the operations of this folder. */

export type ReceivedRow = typeof receivedMails.$inferSelect

/** Bytes of a Message-ID that is compared as it is. */
const MAX_MAIL_ID = 900

/** What is told of a mail that was taken before. */
export interface Taken {
  id: string
  outcome: ReceivedRow['outcome']
  messageId: string | null
  ticketId: string | null
}

const takenMail = prepared((db) =>
  db
    .select(
      named({
        id: receivedMails.id,
        outcome: receivedMails.outcome,
        messageId: receivedMails.messageId,
        // Of the message: it may have been moved since.
        ticketId: sql<string | null>`${messages.ticketId}`,
      }),
    )
    .from(receivedMails)
    .leftJoin(messages, and(eq(messages.tenantId, receivedMails.tenantId), eq(messages.id, receivedMails.messageId)))
    .where(
      and(
        ofTenant(receivedMails),
        eq(receivedMails.inboxId, sql.placeholder('inboxId')),
        eq(receivedMails.mailId, sql.placeholder('mailId')),
      ),
    )
    .prepare(),
)

/** What became of the mail of this id in this inbox, or null when it has not been taken yet. */
export async function findTaken(
  db: Reader,
  { tenantId, inboxId, mailId }: Pick<ReceivedRow, 'tenantId' | 'inboxId' | 'mailId'>,
): Promise<Taken | null> {
  const [taken] = await takenMail(db).execute({ tenantId, inboxId, mailId })
  return taken ?? null
}

/** Whether it was understood: what lies in quarantine makes way for a copy that is. */
export function isDone({ outcome }: Taken): boolean {
  return outcome !== 'quarantined'
}

/** What a mail's row says whatever became of it. */
export function columnsOf(
  row: RawColumns & Pick<ReceivedRow, 'tenantId' | 'id' | 'receivedAt'>,
  { inbox, envelope }: Pick<IncomingMail, 'inbox' | 'envelope'>,
  read: { mailId: string; from: string | null; subject: string | null },
): ReceivedRow {
  const { tenantId, id, size, sha256, keptIn, content, receivedAt } = row
  return {
    ...{ tenantId, id, size, sha256, keptIn, content, receivedAt, envelope },
    inboxId: inbox.id,
    mailId: comparableId(read.mailId),
    fromAddress: read.from === null ? null : normaliseEmail(read.from).slice(0, MAX_EMAIL),
    subject: read.subject === null ? null : subjectOf(read.subject),
    outcome: 'ignored',
    reason: null,
    messageId: null,
    automaticFrom: null,
    authentication: null,
    holdsMore: false,
  }
}

/** Some are too long for an index: of those a hash is compared. */
function comparableId(mailId: string): string {
  if (Buffer.byteLength(mailId) <= MAX_MAIL_ID) return mailId
  return `<${new Bun.CryptoHasher('sha256').update(mailId).digest('hex')}@long>`
}

const insert = preparedWrite((tx) =>
  tx
    .insert(receivedMails)
    .values({
      tenantId: sql.placeholder('tenantId'),
      id: sql.placeholder('id'),
      inboxId: sql.placeholder('inboxId'),
      mailId: sql.placeholder('mailId'),
      outcome: sql.placeholder('outcome'),
      reason: sql.placeholder('reason'),
      messageId: sql.placeholder('messageId'),
      fromAddress: sql.placeholder('fromAddress'),
      subject: sql.placeholder('subject'),
      automaticFrom: sql.placeholder('automaticFrom'),
      authentication: sql.placeholder('authentication'),
      holdsMore: sql.placeholder('holdsMore'),
      envelope: sql.placeholder('envelope'),
      size: sql.placeholder('size'),
      sha256: sql.placeholder('sha256'),
      keptIn: sql.placeholder('keptIn'),
      content: sql.placeholder('content'),
      receivedAt: sql.placeholder('receivedAt'),
    })
    .prepare(),
)

/** Adds the row of a mail. */
export async function addReceived(tx: Tx, row: ReceivedRow): Promise<void> {
  await insert(tx).execute(row)
}

/** Removes a row in quarantine. Returns whether it was there. */
export async function removeQuarantined(
  tx: Tx,
  { tenantId, id }: Pick<ReceivedRow, 'tenantId' | 'id'>,
): Promise<boolean> {
  const isThis = and(ofTenant(receivedMails, tenantId), eq(receivedMails.id, id))
  const removed = await tx
    .delete(receivedMails)
    .where(and(isThis, eq(receivedMails.outcome, 'quarantined')))
    .returning({ id: receivedMails.id })
  return removed.length > 0
}
