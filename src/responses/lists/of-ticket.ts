import { and, desc, eq, sql } from 'drizzle-orm'
import { isOneOf, named, ofTenant, prepared, type Reader } from '../../db/index.ts'
import { forms, responses, ticketResponses } from '../../db/schema.ts'
import { formRecordOf } from '../../forms/operations.ts'
import { mergedTickets } from '../../tickets/merging/merges.ts'
import { type ReadableResponse, readableResponse } from '../readable.ts'
import { listedColumns, ofForm } from './of-contact.ts'

/** The newest that are shown with a ticket. */
const MOST = 10

/** What a ticket's customer answered in a form that they were sent. */
export interface ResponseOfTicket {
  readonly id: string
  readonly formTitle: string
  readonly status: 'partial' | 'complete'
  /** When it was completed, else begun. */
  readonly at: string
  /** In percent, of the one response that rates the ticket. */
  readonly satisfaction: number | null
  readonly answers: ReadableResponse['answers']
}

const newestOf = prepared((db) =>
  db
    .select(
      named({
        ...listedColumns,
        trashedAt: forms.trashedAt,
        submittedAt: responses.submittedAt,
        satisfaction: ticketResponses.satisfaction,
      }),
    )
    .from(ticketResponses)
    .innerJoin(
      responses,
      and(eq(responses.tenantId, ticketResponses.tenantId), eq(responses.id, ticketResponses.responseId)),
    )
    .leftJoin(forms, ofForm)
    .where(and(ofTenant(ticketResponses), isOneOf(db, ticketResponses.ticketId, sql.placeholder('ticketIds'))))
    .orderBy(desc(responses.id))
    .limit(MOST)
    .prepare(),
)

/** What the customer of a ticket, and of those that were merged into it, answered in forms they were sent: the newest, oldest first. */
export async function responsesOfTicket(db: Reader, tenantId: string, ticketId: string): Promise<ResponseOfTicket[]> {
  const ticketIds = JSON.stringify(await mergedTickets(db, tenantId, ticketId))
  const rows = (await newestOf(db).execute({ tenantId, ticketIds })).reverse()
  return Promise.all(
    rows.map(async ({ formId, trashedAt, startedAt, submittedAt, satisfaction, ...row }) => ({
      ...row,
      at: submittedAt ?? startedAt,
      satisfaction: satisfaction === null ? null : satisfaction / 10,
      // With its form in the trash, a response is as if gone but for what it said of the ticket.
      answers: trashedAt === null ? await answersIn(db, tenantId, formId, row.id) : [],
    })),
  )
}

async function answersIn(db: Reader, tenantId: string, formId: string, id: string) {
  return (await readableResponse(db, tenantId, await formRecordOf(db, tenantId, formId), id)).answers
}
