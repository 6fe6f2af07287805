import { and, desc, eq, exists, or, type SQL, sql } from 'drizzle-orm'
import { isOneOf, ofTenant, prepared, type Reader } from '../../db/index.ts'
import { inboxes, messages, receivedMails, tickets } from '../../db/schema.ts'
import { comparable } from '../../lib/input/comparable-email.ts'
import { ticketAfterMerges } from './merges.ts'

/** A ticket that has been closed for longer gets a new one instead (decisions §13), in milliseconds. */
const CLOSED_AT_MOST = 30 * 24 * 60 * 60 * 1000
/** Messages of a thread, the newest, that are asked who took part. */
const ASKED = 500

const ticketState = prepared((db) =>
  db
    .select({ id: tickets.id, closedAt: tickets.closedAt })
    .from(tickets)
    .where(and(ofTenant(tickets), eq(tickets.id, sql.placeholder('id'))))
    .prepare(),
)

/**
 * The ticket that what belongs to ticket `id` is added to at `at`, which is another once that was merged into it, or null
 * where a new one has to be opened.
 */
export async function ticketToJoin(db: Reader, tenantId: string, id: string, at: number): Promise<string | null> {
  const [ticket] = await ticketState(db).execute({ tenantId, id: await ticketAfterMerges(db, tenantId, id) })
  if (!ticket) return null
  const isOver = ticket.closedAt !== null && Date.parse(ticket.closedAt) < at - CLOSED_AT_MOST
  return isOver ? null : ticket.id
}

/** Whether the inbox took the mail, or sent it: people may have moved its ticket to another since. */
function wasSaidThere(db: Reader): SQL | undefined {
  const { emailAddress, id } = inboxes
  const here = sql.placeholder('inboxId')
  const taken = db
    .select({ one: sql`1` })
    .from(receivedMails)
    .where(
      and(
        eq(receivedMails.tenantId, messages.tenantId),
        eq(receivedMails.messageId, messages.id),
        eq(receivedMails.inboxId, here),
      ),
    )
  const address = db
    .select({ emailAddress })
    .from(inboxes)
    .where(and(ofTenant(inboxes), eq(id, here)))
  return or(exists(taken), and(eq(messages.direction, 'outbound'), sql`${messages.fromAddress} = (${address})`))
}

const mailsOfInbox = prepared((db) =>
  db
    .select({ mailId: messages.mailId, ticketId: messages.ticketId, requesterEmail: tickets.requesterEmail })
    .from(messages)
    // A mail's thread is that of the ticket it was written in: a merge may take it into another inbox's.
    .innerJoin(
      tickets,
      and(
        eq(tickets.tenantId, messages.tenantId),
        eq(tickets.id, sql`coalesce(${messages.writtenInId}, ${messages.ticketId})`),
      ),
    )
    .where(
      and(
        ofTenant(messages),
        or(eq(tickets.inboxId, sql.placeholder('inboxId')), wasSaidThere(db)),
        isOneOf(db, messages.mailId, sql.placeholder('mailIds')),
      ),
    )
    .prepare(),
)

/**
 * The ticket whose thread a mail to the inbox answers, by the mails it refers to (oldest first), or null: one of the inbox,
 * or one that was there when they were written. Whoever knows
 * a Message-ID can refer to it: `sender` has to have taken part in the thread, as its requester, or as the sender or a
 * recipient of an earlier message (decisions §13). Every mail is addressed to the inbox: one of ours (`isInbox`) takes
 * part as a requester alone.
 */
export async function ticketOfThread(
  db: Reader,
  { tenantId, id: inboxId }: { tenantId: string; id: string },
  references: readonly string[],
  { address, isInbox }: { address: string; isInbox: boolean },
): Promise<string | null> {
  const found = await mailsOfInbox(db).execute({ tenantId, inboxId, mailIds: JSON.stringify(references) })
  const newestFirst = found.toSorted(
    (a, b) => references.indexOf(b.mailId as string) - references.indexOf(a.mailId as string),
  )
  for (const [ticketId, mails] of Map.groupBy(newestFirst, (mail) => mail.ticketId)) {
    if (mails.some(({ requesterEmail }) => isSame(requesterEmail, address))) return ticketId
    if (!isInbox && (await tookPart(db, tenantId, ticketId, address))) return ticketId
  }
  return null
}

const addressesOfThread = prepared((db) =>
  db
    .select({
      direction: messages.direction,
      from: messages.fromAddress,
      to: messages.to,
      cc: messages.cc,
      bcc: messages.bcc,
    })
    .from(messages)
    .where(and(ofTenant(messages), eq(messages.ticketId, sql.placeholder('ticketId')), eq(messages.state, 'public')))
    .orderBy(desc(messages.id))
    .limit(ASKED)
    .prepare(),
)

async function tookPart(db: Reader, tenantId: string, ticketId: string, sender: string): Promise<boolean> {
  const thread = await addressesOfThread(db).execute({ tenantId, ticketId })
  return thread.some(({ direction, from, to, cc, bcc }) => {
    // What we send comes from the inbox's own address, which vouches for nobody.
    const addresses = direction === 'inbound' ? [from, ...to, ...cc] : [...to, ...cc, ...(bcc ?? [])]
    return addresses.some((address) => isSame(address, sender))
  })
}

function isSame(address: string | null, other: string): boolean {
  return address !== null && comparable(address) === comparable(other)
}
