import { and, asc, eq, gt, sql } from 'drizzle-orm'
import { nextRecount, noteRecounted } from '../calendars/recounts.ts'
import { jobCaller } from '../caller.ts'
import { named, ofTenant, prepared, type Tx } from '../db/index.ts'
import { tickets } from '../db/schema.ts'
import { keepDue } from './due.ts'
import { ticketRowOf } from './read.ts'

/** Tickets of one transaction: some 15 ms of a processor. */
const STEP = 25

const ofStatus = (status: 'open' | 'pending') =>
  prepared((db) =>
    db
      .select(named({ id: tickets.id }))
      .from(tickets)
      .where(and(ofTenant(tickets), eq(tickets.status, status), gt(tickets.id, sql.placeholder('after'))))
      .orderBy(asc(tickets.id))
      .limit(STEP)
      .prepare(),
  )
const openTickets = ofStatus('open')
const pendingTickets = ofStatus('pending')

/**
 * Counts anew when something is due of tickets that are not closed, once a calendar or a promise of their tenant has changed: 25
 * of them, in the order of their ids. For the scheduler; `recountDue` says whether there are more.
 */
export async function recountDueTimes(tx: Tx, now: number): Promise<void> {
  const next = await nextRecount(tx)
  if (!next) return
  const { tenantId, after, findsAnew } = next
  const found = [
    ...(await openTickets(tx).execute({ tenantId, after })),
    ...(await pendingTickets(tx).execute({ tenantId, after })),
  ]
  const ids = found
    .map(({ id }) => id)
    .sort()
    .slice(0, STEP)
  for (const id of ids) {
    const ticket = await ticketRowOf(tx, tenantId, id)
    await keepDue(tx, jobCaller(tenantId, now), ticket, ticket, findsAnew ? 'promises' : 'calendar')
  }
  await noteRecounted(tx, tenantId, ids.length < STEP ? null : (ids.at(-1) ?? null))
}
