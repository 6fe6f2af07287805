import { and, eq, inArray, isNotNull, or, sql } from 'drizzle-orm'
import type { Caller } from '../../caller.ts'
import { isOneOf, ofTenant, prepared, type Reader, type Tx } from '../../db/index.ts'
import { forwards, messages } from '../../db/schema.ts'
import { comparable } from '../../lib/input/comparable-email.ts'
import { cut, oneLine } from '../../lib/text/one-line.ts'
import { changeTicket, moveTo, ticketToChange } from '../change.ts'
import { type IncomingMessage, inboundColumns } from '../incoming/message.ts'
import { opensTicket } from '../incoming/receiving.ts'
import { MAX_NAME, type Sender } from '../incoming/sender.ts'
import { ticketAfterMerges } from '../merging/merges.ts'
import type { Message } from '../model.ts'
import { contentOf, subjectOf } from '../thread/content.ts'
import { addMessage, getMessage } from '../thread/messages.ts'
import { forgetRead } from '../thread/read-marks.ts'

/**
 * Adds what came from outside the conversation, where one of its messages was forwarded to: internal as a note is, so that
 * neither customer nor programs see it, nobody who wrote it gets answers by themselves, and nobody becomes a contact by it
 * (decisions §20). Whoever works on the ticket has something to read, so it opens, unless a program wrote, and a spam ticket
 * stays spam. For the mail listener. Throws `not_found`.
 */
export async function receiveFromOutside(
  tx: Tx,
  caller: Caller,
  ticketId: string,
  input: IncomingMessage & Pick<Sender, 'email' | 'name'> & { subject?: string | null },
): Promise<Message> {
  const { tenantId } = caller
  const ticket = await ticketToChange(tx, caller, await ticketAfterMerges(tx, tenantId, ticketId))
  const id = await addMessage(tx, caller, {
    ...inboundColumns(input, 'email', null),
    ...(input.content ?? contentOf(input)),
    ticketId: ticket.id,
    state: 'outside',
    author: { type: 'contact', id: null, name: cut(oneLine(input.name ?? ''), MAX_NAME) || null },
    subject: subjectOf(input.subject ?? ''),
    from: input.email ?? null,
  })
  if (!input.isAutomatic) {
    if (opensTicket(ticket)) await moveTo(tx, caller, ticket, 'open', null)
    else await changeTicket(tx, caller, ticket, {})
    await forgetRead(tx, tenantId, ticket.id)
  }
  return getMessage(tx, tenantId, id)
}

/** What is internal of a thread's mails: what was forwarded, or is about to be, and what came of it. */
const isInternal = or(inArray(messages.state, ['forwarded', 'outside']), isNotNull(forwards.messageId))

const mailsById = prepared((db) =>
  db
    .select({
      mailId: messages.mailId,
      ticketId: messages.ticketId,
      isInternal: sql<unknown>`${isInternal}`.as('is_internal'),
    })
    .from(messages)
    .leftJoin(forwards, and(eq(forwards.tenantId, messages.tenantId), eq(forwards.messageId, messages.id)))
    .where(and(ofTenant(messages), isOneOf(db, messages.mailId, sql.placeholder('mailIds'))))
    .prepare(),
)

const internalOfTicket = prepared((db) =>
  db
    .select({
      direction: messages.direction,
      from: messages.fromAddress,
      to: messages.to,
      cc: messages.cc,
      bcc: messages.bcc,
    })
    .from(messages)
    .leftJoin(forwards, and(eq(forwards.tenantId, messages.tenantId), eq(forwards.messageId, messages.id)))
    .where(and(ofTenant(messages), eq(messages.ticketId, sql.placeholder('ticketId')), isInternal))
    .prepare(),
)

/**
 * The ticket of which a mail answers something that was forwarded, by the mails it refers to (oldest first), or null: the last
 * of them that we know is internal, and `sender` was among those who got or wrote such. For mail that does not come to a
 * `forwardAddress`.
 */
export async function ticketFromOutside(
  db: Reader,
  tenantId: string,
  references: readonly string[],
  sender: string,
): Promise<string | null> {
  const found = await mailsById(db).execute({ tenantId, mailIds: JSON.stringify(references) })
  const last = found.toSorted(
    (one, other) => references.indexOf(other.mailId as string) - references.indexOf(one.mailId as string),
  )[0]
  if (!last?.isInternal) return null
  const internal = await internalOfTicket(db).execute({ tenantId, ticketId: last.ticketId })
  const isKnown = internal.some(({ direction, from, to, cc, bcc }) =>
    [direction === 'inbound' ? from : null, ...to, ...cc, ...(bcc ?? [])].some(
      (address) => address !== null && comparable(address) === comparable(sender),
    ),
  )
  return isKnown ? last.ticketId : null
}
