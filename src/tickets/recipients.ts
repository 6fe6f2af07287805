import { and, desc, eq, isNull, ne, or, sql } from 'drizzle-orm'
import type { Caller } from '../caller.ts'
import { inboxesOf } from '../channels/email/recipient.ts'
import { ofTenant, prepared, type Reader, type Tx } from '../db/index.ts'
import { messages } from '../db/schema.ts'
import { invalid, rule } from '../errors.ts'
import { isEmail, normaliseEmail } from '../lib/email.ts'
import type { TicketRow } from './read.ts'

/** People who get a copy of a reply. */
const MAX_COPIES = 50
/** Messages of the thread, the newest, among which its readers are looked for. */
const ASKED = 50

/**
 * Who gets a copy of a reply beside the requester: those whom its author names, else, of an agent's mail, those who got
 * one of the thread's newest. Never an inbox of anybody's here, which would take it for new mail. Throws
 * `invalid_request` for a bad address, too many, and copies of what is no mail.
 */
export async function copiesOf(
  tx: Tx,
  caller: Caller,
  ticket: TicketRow,
  named: readonly string[] | undefined,
): Promise<string[]> {
  if (ticket.channel !== 'email') {
    if (named?.length) throw invalid('cc', rule('only_mail_has_copies'))
    return []
  }
  const isByAgent = caller.author.type === 'agent'
  const wanted = named ? named.map(checkAddress) : isByAgent ? await copiesOfThread(tx, caller.tenantId, ticket) : []
  if (named && wanted.length > MAX_COPIES) throw invalid('cc', rule('too_many_addresses', { most: MAX_COPIES }))
  const known = new Set([normaliseEmail(ticket.requesterEmail ?? '')])
  const copies: string[] = []
  for (const address of wanted) {
    const normalised = normaliseEmail(address)
    if (copies.length === MAX_COPIES || known.has(normalised)) continue
    known.add(normalised)
    if (!(await inboxesOf(tx, address))) copies.push(address)
  }
  return copies
}

function checkAddress(text: string, index: number): string {
  const address = text.trim()
  if (!isEmail(address)) throw invalid(`cc[${index}]`, rule('email_length'))
  return address
}

const newestOfThread = prepared((db) =>
  db
    .select({
      direction: messages.direction,
      authorId: messages.authorId,
      from: messages.fromAddress,
      cc: messages.cc,
    })
    .from(messages)
    .where(
      and(
        ofTenant(messages),
        eq(messages.ticketId, sql.placeholder('ticketId')),
        eq(messages.state, 'public'),
        isNull(messages.writtenInId),
        or(eq(messages.direction, 'inbound'), ne(messages.authorType, 'api')),
      ),
    )
    .orderBy(desc(messages.id))
    .limit(ASKED)
    .prepare(),
)

/**
 * Who got a copy of the newest mail that the requester or an agent wrote, and so gets one of an agent's answer unless its
 * writer says otherwise. What a merge brought is left out: the other conversation had readers of its own. So is what
 * anybody else wrote, who could otherwise name themselves. Nobody for what is no mail.
 */
export async function copiesOfThread(
  db: Reader,
  tenantId: string,
  ticket: Pick<TicketRow, 'id' | 'channel' | 'requesterEmail' | 'contactId'>,
): Promise<string[]> {
  if (ticket.channel !== 'email') return []
  const thread = await newestOfThread(db).execute({ tenantId, ticketId: ticket.id })
  const requester = normaliseEmail(ticket.requesterEmail ?? '')
  const newest = thread.find(
    ({ direction, authorId, from }) =>
      direction === 'outbound' ||
      // Answers may go to another address than the one they write from.
      (authorId !== null && authorId === ticket.contactId) ||
      normaliseEmail(from ?? '') === requester,
  )
  return newest?.cc.filter(isEmail) ?? []
}
