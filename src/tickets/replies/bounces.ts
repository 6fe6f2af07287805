import { and, eq, sql } from 'drizzle-orm'
import { audit } from '../../audit/record.ts'
import type { Caller } from '../../caller.ts'
import { named, ofTenant, prepared, type Reader, type Tx } from '../../db/index.ts'
import { messages } from '../../db/schema.ts'
import { oneLine } from '../../lib/text/one-line.ts'
import { moveTo, ticketToChange } from '../change.ts'
import { opensTicket } from '../incoming/receiving.ts'
import { forwardOf } from '../outgoing/forwarded.ts'
import { withMore } from './delivery-errors.ts'

const messagesOfMail = prepared((db) =>
  db
    .select(
      named({ id: messages.id, ticketId: messages.ticketId, error: messages.error, direction: messages.direction }),
    )
    .from(messages)
    .where(and(ofTenant(messages), eq(messages.mailId, sql.placeholder('mailId'))))
    .prepare(),
)

/** The message of ours that went out under a Message-ID, or null. */
export async function findSentMail(
  db: Reader,
  tenantId: string,
  mailId: string,
): Promise<{ id: string; ticketId: string; error: string | null } | null> {
  const found = await messagesOfMail(db).execute({ tenantId, mailId })
  return found.find(({ direction }) => direction === 'outbound') ?? null
}

/**
 * Notes on a message that was sent that it came back, in the remote server's words (`messages.error`, for the console),
 * and opens its ticket, with its event; a spam ticket stays spam. The message stays in the thread, as it was told of; a forward,
 * of which nobody was told, has failed.
 * Throws `not_found`.
 */
export async function noteBounce(
  tx: Tx,
  caller: Caller,
  message: { id: string; ticketId: string; error: string | null },
  words: string,
): Promise<void> {
  const said = oneLine(words)
  const isForward = (await forwardOf(tx, caller.tenantId, message.id)) !== null
  const error = message.error === null ? said : withMore(message.error, said)
  await tx
    .update(messages)
    .set({ error, errorSettledAt: null, ...(isForward && { state: 'failed' as const }) })
    .where(and(ofTenant(messages, caller.tenantId), eq(messages.id, message.id)))
  await audit(tx, caller, 'ticket.reply_failed', message.ticketId)
  const ticket = await ticketToChange(tx, caller, message.ticketId)
  if (opensTicket(ticket)) await moveTo(tx, caller, ticket, 'open', null)
}
