import { and, eq, gte, sql } from 'drizzle-orm'
import { hasUnseenAlert, noteAlertsSeen } from '../../alerts/operations.ts'
import { isOneOf, named, ofTenant, prepared, type Reader, type Tx } from '../../db/index.ts'
import { ticketReads } from '../../db/schema.ts'
import type { InboxTicket } from '../inbox/rows.ts'

type OfPerson = { readonly tenantId: string; readonly userId: string }

const ofPerson = ({ tenantId, userId }: OfPerson) =>
  and(ofTenant(ticketReads, tenantId), eq(ticketReads.userId, userId))

const readsOfPerson = prepared((db) =>
  db
    .select(named({ ticketId: ticketReads.ticketId, readUntil: ticketReads.readUntil }))
    .from(ticketReads)
    .where(
      and(
        ofTenant(ticketReads),
        eq(ticketReads.userId, sql.placeholder('userId')),
        isOneOf(db, ticketReads.ticketId, sql.placeholder('ids')),
      ),
    )
    .prepare(),
)

/** Which of these tickets have a message that the person has not seen yet. What is closed or spam is no news. */
export async function unreadOf(
  db: Reader,
  person: OfPerson,
  tickets: readonly Pick<InboxTicket, 'id' | 'status' | 'lastMessageAt'>[],
): Promise<ReadonlySet<string>> {
  const current = tickets.filter(({ status }) => status === 'open' || status === 'pending')
  if (current.length === 0) return new Set()
  const ids = JSON.stringify(current.map(({ id }) => id))
  const { tenantId, userId } = person
  const rows = await readsOfPerson(db).execute({ tenantId, userId, ids })
  const readUntil = new Map(rows.map((row) => [row.ticketId, row.readUntil]))
  return new Set(
    current.filter(({ id, lastMessageAt }) => lastMessageAt > (readUntil.get(id) ?? '')).map(({ id }) => id),
  )
}

/** Whether the person has seen all of the ticket, whose newest message is of `lastMessageAt`, and all they were to be told of it. */
export async function hasRead(
  db: Reader,
  person: OfPerson,
  { id, lastMessageAt }: Pick<InboxTicket, 'id' | 'lastMessageAt'>,
): Promise<boolean> {
  const [row] = await db
    .select({ readUntil: ticketReads.readUntil })
    .from(ticketReads)
    .where(and(ofPerson(person), eq(ticketReads.ticketId, id)))
  if (row === undefined || row.readUntil < lastMessageAt) return false
  return !(await hasUnseenAlert(db, { ...person, ticketId: id }))
}

/**
 * What somebody writes makes nothing unread for themselves (decisions §20): whoever had read the ticket up to `before` has
 * read it up to `now`.
 */
export async function noteWritten(
  tx: Tx,
  person: OfPerson,
  ticketId: string,
  { before, now }: { before: string; now: string },
): Promise<void> {
  await tx
    .update(ticketReads)
    .set({ readUntil: now })
    .where(and(ofPerson(person), eq(ticketReads.ticketId, ticketId), gte(ticketReads.readUntil, before)))
}

/** Notes how far the person has read the ticket. No event or audit tells of it: nothing changes for anybody else. */
export async function noteRead(
  tx: Tx,
  { tenantId, userId }: OfPerson,
  { id, lastMessageAt }: Pick<InboxTicket, 'id' | 'lastMessageAt'>,
  at: number,
): Promise<void> {
  await tx
    .insert(ticketReads)
    .values({ tenantId, userId, ticketId: id, readUntil: lastMessageAt })
    .onConflictDoUpdate({
      target: [ticketReads.tenantId, ticketReads.userId, ticketReads.ticketId],
      set: { readUntil: lastMessageAt },
    })
  await noteAlertsSeen(tx, { tenantId, userId, ticketId: id }, at)
}

/** Has nobody read the ticket any more: something came that its newest message says nothing of. For the operations of this folder. */
export async function forgetRead(tx: Tx, tenantId: string, ticketId: string): Promise<void> {
  await tx.delete(ticketReads).where(and(ofTenant(ticketReads, tenantId), eq(ticketReads.ticketId, ticketId)))
}
