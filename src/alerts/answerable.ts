import { and, eq, sql } from 'drizzle-orm'
import { ofTenant, prepared, type Reader } from '../db/index.ts'
import { alerts } from '../db/schema.ts'
import { ANSWERED_WITHIN } from './expiry.ts'

/** An alert whose mail can be answered: whose it is, and about which ticket. */
export interface AnswerableAlert {
  readonly userId: string
  readonly ticketId: string
}

const answerable = {
  userId: alerts.userId,
  ticketId: alerts.ticketId,
  createdAt: alerts.createdAt,
}

const alertByNumber = prepared((db) =>
  db
    .select(answerable)
    .from(alerts)
    .where(and(ofTenant(alerts), eq(alerts.number, sql.placeholder('number'))))
    .prepare(),
)

/** The alert of this number, for as long as a mail about it can be answered; or null. */
export async function findAnswerable(
  db: Reader,
  tenantId: string,
  number: number,
  now: number,
): Promise<AnswerableAlert | null> {
  return current(await alertByNumber(db).execute({ tenantId, number }), now)
}

const alertById = prepared((db) =>
  db
    .select(answerable)
    .from(alerts)
    .where(and(ofTenant(alerts), eq(alerts.id, sql.placeholder('id'))))
    .prepare(),
)

/** As `findAnswerable`, by the id that the mail's Message-ID holds. */
export async function findAnswerableById(
  db: Reader,
  tenantId: string,
  id: string,
  now: number,
): Promise<AnswerableAlert | null> {
  return current(await alertById(db).execute({ tenantId, id }), now)
}

function current([alert]: (AnswerableAlert & { createdAt: string })[], now: number): AnswerableAlert | null {
  return alert && Date.parse(alert.createdAt) + ANSWERED_WITHIN > now ? alert : null
}
