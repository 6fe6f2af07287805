import { and, eq, ne } from 'drizzle-orm'
import { ofTenant, type Tx } from '../db/index.ts'
import { messages } from '../db/schema.ts'
import type { PromiseKind } from '../kinds/promises.ts'
import { formatTime } from '../lib/time.ts'
import { lastOutcome, withdrawOutcome } from './outcomes.ts'
import { isOver, type PromisedTicket } from './ticket.ts'

/** When a clock began, and since when it is known that its promise was not kept. */
export interface Beginning {
  readonly kind: PromiseKind
  readonly startedAt: string
  readonly brokenAt: string | null
}

/** Within which closing a ticket is undone by opening it, in milliseconds: later, it is closed and opened again. */
const UNDO = 60_000

/** The clock of an answer: of the first from the ticket's beginning, of each later one since the customer waits. */
export async function beginAnswer(
  tx: Tx,
  tenantId: string,
  before: PromisedTicket | null,
  ticket: PromisedTicket,
  since: string,
): Promise<Beginning> {
  // Of a new ticket nothing is answered yet, and nothing decided.
  if (before === null) return { kind: 'firstAnswer', startedAt: ticket.createdAt, brokenAt: null }
  const kind = (await isAnswered(tx, tenantId, ticket.id)) ? 'nextAnswer' : 'firstAnswer'
  const startedAt = kind === 'firstAnswer' ? ticket.createdAt : since
  const outcome = await lastOutcome(tx, tenantId, ticket.id, kind, startedAt)
  // It was answered, and the answer was taken back or never arrived.
  if (outcome?.kept) await withdrawOutcome(tx, outcome)
  return { kind, startedAt, brokenAt: outcome && !outcome.kept ? outcome.decidedAt : null }
}

/** The clock of closing: from the ticket's beginning, and once it was closed, since it has been opened again. */
export async function beginClosing(
  tx: Tx,
  tenantId: string,
  before: PromisedTicket | null,
  ticket: PromisedTicket,
  at: number,
): Promise<Beginning> {
  const kind = 'close'
  const last = before === null ? undefined : await lastOutcome(tx, tenantId, ticket.id, kind)
  if (before !== null && isOver(before)) {
    if (!last?.kept || Date.parse(last.decidedAt) < at - UNDO)
      return { kind, startedAt: formatTime(at), brokenAt: null }
    await withdrawOutcome(tx, last)
    return { kind, startedAt: last.startedAt, brokenAt: null }
  }
  if (!last) return { kind, startedAt: ticket.createdAt, brokenAt: null }
  return last.kept
    ? { kind, startedAt: last.decidedAt, brokenAt: null }
    : { kind, startedAt: last.startedAt, brokenAt: last.decidedAt }
}

/** Whether anybody has answered the customer: what went out by itself, as mail and from neither console nor program, does not count. */
async function isAnswered(tx: Tx, tenantId: string, ticketId: string): Promise<boolean> {
  const [answer] = await tx
    .select({ id: messages.id })
    .from(messages)
    .where(
      and(
        ofTenant(messages, tenantId),
        eq(messages.ticketId, ticketId),
        eq(messages.state, 'public'),
        eq(messages.direction, 'outbound'),
        ne(messages.source, 'email'),
      ),
    )
    .limit(1)
  return answer !== undefined
}
