import { and, desc, eq, gte, isNotNull, lt, type SQL } from 'drizzle-orm'
import { ofTenant, type Reader } from '../db/index.ts'
import { responses, ticketFigures, ticketResponses, tickets } from '../db/schema.ts'
import { formatTime } from '../lib/time.ts'
import { commentIn } from '../responses/comments.ts'
import { referenceOf } from '../tickets/read.ts'
import type { Period } from './period.ts'

/** How content a ticket's customer was, and what they said. */
export interface Rating {
  readonly ticketId: string
  readonly reference: string
  readonly subject: string
  readonly customer: string | null
  readonly assigneeId: string | null
  readonly at: string
  readonly percentage: number
  readonly comment: string
}

/** The newest ratings that were given in a period, of tickets that meet `condition`, `most` at most. */
export async function ratingsIn(
  db: Reader,
  tenantId: string,
  condition: SQL,
  { begins, ends }: Period,
  most: number,
): Promise<Rating[]> {
  const { ratedAt, satisfaction, responseId, ticketId } = ticketResponses
  const rows = await db
    .select({
      ticketId,
      responseId,
      ratedAt,
      satisfaction,
      formId: responses.formId,
      number: tickets.sequentialNumber,
      subject: tickets.subject,
      name: tickets.requesterName,
      email: tickets.requesterEmail,
      assigneeId: ticketFigures.assigneeId,
    })
    .from(ticketResponses)
    .innerJoin(
      ticketFigures,
      and(eq(ticketFigures.tenantId, ticketResponses.tenantId), eq(ticketFigures.ticketId, ticketId)),
    )
    .innerJoin(tickets, and(eq(tickets.tenantId, ticketResponses.tenantId), eq(tickets.id, ticketId)))
    .innerJoin(responses, and(eq(responses.tenantId, ticketResponses.tenantId), eq(responses.id, responseId)))
    .where(
      and(
        ofTenant(ticketResponses, tenantId),
        isNotNull(satisfaction),
        gte(ratedAt, formatTime(begins)),
        lt(ratedAt, formatTime(ends)),
        condition,
      ),
    )
    .orderBy(desc(ratedAt))
    .limit(most)
  const read: Rating[] = []
  for (const row of rows) {
    read.push({
      ticketId: row.ticketId,
      reference: referenceOf(row.number),
      subject: row.subject,
      customer: row.name ?? row.email,
      assigneeId: row.assigneeId,
      at: row.ratedAt ?? '',
      percentage: (row.satisfaction ?? 0) / 10,
      comment: await commentIn(db, tenantId, row.formId, row.responseId),
    })
  }
  return read
}
