import { and, desc, eq, gte, isNotNull, lt, type SQL } from 'drizzle-orm'
import type { Reader } from '../db/index.ts'
import { ticketFigures, ticketResponses, tickets } from '../db/schema.ts'
import { firstIdAt } from '../lib/ids.ts'
import { formatTime } from '../lib/time.ts'
import { referenceOf } from '../tickets/read.ts'
import type { Period } from './period.ts'

/** A ticket that figures of a report are made of. Times are in minutes. */
export interface ReportedTicket {
  readonly id: string
  readonly reference: string
  readonly subject: string
  readonly status: 'open' | 'pending' | 'closed' | 'spam'
  readonly assigneeId: string | null
  readonly openedAt: string
  readonly firstAnswerMinutes: number | null
  readonly closeMinutes: number | null
  /** In percent. */
  readonly satisfaction: number | null
}

/** A page of the tickets opened in a period that meet `condition`, newest first: those before the id `before`. */
export async function ticketsOf(
  db: Reader,
  condition: SQL,
  { begins, ends }: Period,
  { before, most }: { before: string | null; most: number },
): Promise<ReportedTicket[]> {
  const { ticketId } = ticketFigures
  const rows = await db
    .select({
      id: ticketId,
      number: tickets.sequentialNumber,
      subject: tickets.subject,
      status: tickets.status,
      assigneeId: ticketFigures.assigneeId,
      openedAt: ticketFigures.openedAt,
      firstAnswerTime: ticketFigures.firstAnswerTime,
      closeTime: ticketFigures.closeTime,
      satisfaction: ticketResponses.satisfaction,
    })
    .from(ticketFigures)
    .innerJoin(tickets, and(eq(tickets.tenantId, ticketFigures.tenantId), eq(tickets.id, ticketId)))
    .leftJoin(
      ticketResponses,
      and(
        eq(ticketResponses.tenantId, ticketFigures.tenantId),
        eq(ticketResponses.ticketId, ticketId),
        isNotNull(ticketResponses.satisfaction),
      ),
    )
    .where(and(condition, gte(ticketId, firstIdAt(begins)), lt(ticketId, before ?? firstIdAt(ends))))
    .orderBy(desc(ticketId))
    .limit(most)
  return rows.map(({ number, openedAt, firstAnswerTime, closeTime, satisfaction, ...row }) => ({
    ...row,
    openedAt: formatTime(openedAt),
    reference: referenceOf(number),
    firstAnswerMinutes: firstAnswerTime === null ? null : firstAnswerTime / 60_000,
    closeMinutes: closeTime === null ? null : closeTime / 60_000,
    satisfaction: satisfaction === null ? null : satisfaction / 10,
  }))
}
