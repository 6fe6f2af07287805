import { and, asc, isNotNull, lte, sql } from 'drizzle-orm'
import type { Caller } from '../caller.ts'
import { jobCaller } from '../caller.ts'
import { askedOnceWritten, named, prepared, type Tx } from '../db/index.ts'
import { tickets } from '../db/schema.ts'
import { invalid, rule } from '../errors.ts'
import { formatTime, parseTime } from '../lib/time.ts'
import { moveTo, ticketToChange } from './change.ts'
import { ticketToWorkOn } from './merging/merges.ts'
import type { Ticket } from './model.ts'
import { ticketOf } from './read.ts'

/** Tickets woken in one transaction: other writers wait no longer than that takes. */
const WAKE_LIMIT = 200

/**
 * Moves a ticket to a status; any may follow any other (decisions §8). Without `snoozedUntil` a snooze ends. The same
 * status with the same snooze changes and fires nothing. Throws `invalid_request` unless `snoozedUntil` lies ahead,
 * `not_found`, `unprocessable` for a ticket that was merged into another.
 */
export async function setStatus(
  tx: Tx,
  caller: Caller,
  id: string,
  input: { status: Ticket['status']; snoozedUntil?: string | null | undefined },
): Promise<Ticket> {
  const snoozedUntil = checkSnooze(input.snoozedUntil ?? null, caller.at)
  const ticket = await ticketToWorkOn(tx, caller, id)
  const isSame = ticket.status === input.status && ticket.snoozedUntil === snoozedUntil
  return ticketOf(tx, caller.tenantId, isSame ? ticket : await moveTo(tx, caller, ticket, input.status, snoozedUntil))
}

function checkSnooze(text: string | null, at: number): string | null {
  if (text === null) return null
  const time = parseTime(text)
  if (time === null) throw invalid('snoozedUntil', rule('date_time_offset'))
  if (time <= formatTime(at)) throw invalid('snoozedUntil', rule('future'))
  return time
}

const dueTickets = prepared((db) =>
  db
    .select({ tenantId: tickets.tenantId, id: tickets.id })
    .from(tickets)
    .where(lte(tickets.snoozedUntil, sql.placeholder('now')))
    .orderBy(asc(tickets.snoozedUntil))
    .limit(WAKE_LIMIT)
    .prepare(),
)

/**
 * Opens tickets, of all tenants, whose snooze is over, and tells of it (decisions §8). For the scheduler. At most 200
 * at a time: `nextSnoozeEnd` says whether there are more. Returns how many.
 */
export async function wakeSnoozedTickets(tx: Tx, now: number): Promise<number> {
  const due = await dueTickets(tx).execute({ now: formatTime(now) })
  for (const { tenantId, id } of due) {
    await ticketToChange(tx, jobCaller(tenantId, now), id)
  }
  return due.length
}

const earliestSnooze = prepared((db) =>
  db
    .select(named({ snoozedUntil: tickets.snoozedUntil }))
    .from(tickets)
    .where(and(isNotNull(tickets.snoozedUntil)))
    .orderBy(asc(tickets.snoozedUntil))
    .limit(1)
    .prepare(),
)

/** When the next snooze ends, in milliseconds since 1970, or null when no ticket is snoozed. For the scheduler. */
export const nextSnoozeEnd = askedOnceWritten([tickets], async (db) => {
  const [row] = await earliestSnooze(db).execute()
  return row?.snoozedUntil ? Date.parse(row.snoozedUntil) : null
})
