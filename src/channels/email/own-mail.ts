import { and, eq, gt, sql } from 'drizzle-orm'
import { ofTenant, prepared, type Reader } from '../../db/index.ts'
import { receivedMails } from '../../db/schema.ts'
import { inboxesOf } from '../../inboxes/recipient.ts'
import { comparable } from '../../lib/input/comparable-email.ts'
import { normaliseEmail } from '../../lib/input/email.ts'
import { formatTime } from '../../lib/time.ts'
import { findSentMail } from '../../tickets/replies/bounces.ts'
import type { ParsedMail } from './parsed-mail.ts'

/** What programs of another frontdesk may send here within an hour, from one address (decisions §13). */
const MAX_EXCHANGED = 5
const HOUR = 60 * 60 * 1000

/** The Message-IDs of mails about responses that earlier versions sent; those of now prove that they are (system/naming.ts). */
const NOTIFICATION = /^<notification\.[0-9a-f-]{36}@/

/** Whether a mail of that Message-ID told somebody of a response, in an earlier version. */
export function isNotification(mailId: string): boolean {
  return NOTIFICATION.test(mailId)
}

/**
 * Whether the tenant sent the mail itself, from one of its inboxes. Some mail servers replace the Message-ID, hence the
 * header; it counts with one of our addresses alone, so that another tenant's mail is a stranger's. An inbox that writes
 * to itself is talking to nobody, unless answers go elsewhere: contact forms of a site send under its own address.
 */
export async function isFromUs(
  db: Reader,
  { tenantId, id }: { tenantId: string; id: string },
  mail: ParsedMail,
  ourId: string,
): Promise<boolean> {
  if (await findSentMail(db, tenantId, mail.mailId)) return true
  const { address } = mail.from
  const sender = await inboxesOf(db, address)
  if (sender?.tenantId !== tenantId) return false
  if (mail.isFromFrontdesk === ourId || isNotification(mail.mailId)) return true
  const isAnsweredElsewhere = mail.replyTo !== null && comparable(mail.replyTo.address) !== comparable(address)
  return sender.id === id && !isAnsweredElsewhere
}

/** The installation whose program sent the mail by itself, or null: nobody's, or people of a frontdesk wrote it. */
export function automaticFrom(mail: ParsedMail): string | null {
  return mail.isAutomatic ? mail.isFromFrontdesk : null
}

const exchanged = prepared((db) =>
  db
    .select({ id: receivedMails.id })
    .from(receivedMails)
    .where(
      and(
        ofTenant(receivedMails),
        eq(receivedMails.inboxId, sql.placeholder('inboxId')),
        eq(receivedMails.fromAddress, sql.placeholder('from')),
        gt(receivedMails.receivedAt, sql.placeholder('since')),
        sql`automatic_from IS NOT NULL`,
      ),
    )
    .limit(MAX_EXCHANGED)
    .prepare(),
)

/** Whether programs of two installations are writing to each other: nobody would end that. */
export async function isLoop(
  db: Reader,
  inbox: { tenantId: string; id: string },
  mail: ParsedMail,
  at: number,
): Promise<boolean> {
  if (automaticFrom(mail) === null) return false
  const { tenantId, id: inboxId } = inbox
  const from = normaliseEmail(mail.from.address)
  const before = await exchanged(db).execute({ tenantId, inboxId, from, since: formatTime(at - HOUR) })
  return before.length === MAX_EXCHANGED
}
