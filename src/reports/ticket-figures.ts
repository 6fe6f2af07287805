import { and, asc, eq, getTableColumns, sql } from 'drizzle-orm'
import { calendarOfInbox } from '../calendars/read.ts'
import { workingTimeBetween } from '../calendars/working-time.ts'
import { isOneOf, named, ofTenant, prepared, type Tx } from '../db/index.ts'
import { formRequests, messages, ticketFigures, ticketMerges, tickets } from '../db/schema.ts'

type Figures = typeof ticketFigures.$inferSelect

/** Rows that are written at once: each has some 15 values, of which a statement takes so many. */
const ROWS = 50

const ticketsByIds = prepared((db) =>
  db
    .select(
      named({
        id: tickets.id,
        status: tickets.status,
        inboxId: tickets.inboxId,
        teamId: tickets.teamId,
        assigneeId: tickets.assigneeId,
        closedAt: tickets.closedAt,
        createdAt: tickets.createdAt,
        messageCount: tickets.messageCount,
        intoId: sql<string | null>`${ticketMerges.intoId}`,
      }),
    )
    .from(tickets)
    .leftJoin(ticketMerges, and(eq(ticketMerges.tenantId, tickets.tenantId), eq(ticketMerges.ticketId, tickets.id)))
    .where(and(ofTenant(tickets), isOneOf(db, tickets.id, sql.placeholder('ids'))))
    .prepare(),
)

type CountedTicket = Awaited<ReturnType<ReturnType<typeof ticketsByIds>['execute']>>[number]

const figuresByIds = prepared((db) =>
  db
    .select()
    .from(ticketFigures)
    .where(and(ofTenant(ticketFigures), isOneOf(db, ticketFigures.ticketId, sql.placeholder('ids'))))
    .prepare(),
)

/** Makes the figures of some tickets anew, from them and their messages. */
export async function writeFigures(tx: Tx, tenantId: string, ticketIds: readonly string[]): Promise<void> {
  if (ticketIds.length === 0) return
  const ids = JSON.stringify(ticketIds)
  const before = new Map((await figuresByIds(tx).execute({ tenantId, ids })).map((row) => [row.ticketId, row]))
  const said = await readSaid(tx, tenantId, ids)
  const rows: Figures[] = []
  for (const ticket of await ticketsByIds(tx).execute({ tenantId, ids })) {
    const { firstAnsweredAt = null, answers = null } = said.get(ticket.id) ?? {}
    rows.push({
      tenantId,
      ticketId: ticket.id,
      isCounted: ticket.status !== 'spam' && ticket.messageCount > 0 && ticket.intoId === null,
      openedAt: Date.parse(ticket.createdAt),
      inboxId: ticket.inboxId,
      teamId: ticket.teamId,
      assigneeId: ticket.assigneeId,
      ...(await timesOf(tx, tenantId, ticket, firstAnsweredAt, before.get(ticket.id))),
      answers,
    })
  }
  for (let at = 0; at < rows.length; at += ROWS) await replaceRows(tx, rows.slice(at, at + ROWS))
}

async function replaceRows(tx: Tx, rows: readonly Figures[]): Promise<void> {
  const { tenantId, ticketId, ...columns } = getTableColumns(ticketFigures)
  const set = Object.fromEntries(
    Object.entries(columns).map(([name, column]) => [name, sql.raw(`excluded."${column.name}"`)]),
  )
  await tx
    .insert(ticketFigures)
    .values([...rows])
    .onConflictDoUpdate({ target: [tenantId, ticketId], set })
}

/** What people said in a ticket, as far as it is counted. */
interface Said {
  readonly firstAnsweredAt: string | null
  readonly answers: string | null
}

const publicMessages = prepared((db) =>
  db
    .select(
      named({
        ticketId: messages.ticketId,
        id: messages.id,
        direction: messages.direction,
        source: messages.source,
        authorType: messages.authorType,
        authorId: messages.authorId,
        isAutomatic: messages.isAutomatic,
        createdAt: messages.createdAt,
        formId: sql<string | null>`${formRequests.formId}`,
      }),
    )
    .from(messages)
    .leftJoin(formRequests, and(eq(formRequests.tenantId, messages.tenantId), eq(formRequests.messageId, messages.id)))
    .where(
      and(ofTenant(messages), isOneOf(db, messages.ticketId, sql.placeholder('ids')), eq(messages.state, 'public')),
    )
    .orderBy(asc(messages.ticketId), asc(messages.id))
    .prepare(),
)

/**
 * Answers are what people wrote to the customer: not what the service sent by itself, and no form that was sent. The first
 * one answers a customer who has written: of a conversation that we began there is none.
 */
async function readSaid(tx: Tx, tenantId: string, ids: string): Promise<Map<string, Said>> {
  const all = Map.groupBy(await publicMessages(tx).execute({ tenantId, ids }), ({ ticketId }) => ticketId)
  const said = new Map<string, Said>()
  for (const [ticketId, own] of all) {
    const answers = own.filter(
      ({ direction, isAutomatic, source, formId }) =>
        // Before messages said whether they are automatic, their source did.
        direction === 'outbound' && !isAutomatic && source !== 'email' && formId === null,
    )
    const counts: Record<string, number> = {}
    for (const { authorType, authorId } of answers) {
      if (authorType === 'agent' && authorId !== null) counts[authorId] = (counts[authorId] ?? 0) + 1
    }
    said.set(ticketId, {
      firstAnsweredAt: own[0]?.direction === 'inbound' ? (answers[0]?.createdAt ?? null) : null,
      answers: Object.keys(counts).length === 0 ? null : JSON.stringify(counts),
    })
  }
  return said
}

type Times = Pick<
  Figures,
  'firstAnsweredAt' | 'closedAt' | 'firstAnswerTime' | 'firstAnswerWorkingTime' | 'closeTime' | 'closeWorkingTime'
>

/** How long things took. What was decided before keeps its working time: hours that changed since rewrite no history. */
async function timesOf(
  tx: Tx,
  tenantId: string,
  { inboxId, createdAt, closedAt }: CountedTicket,
  firstAnsweredAt: string | null,
  before: Figures | undefined,
): Promise<Times> {
  const calendar = await calendarOfInbox(tx, tenantId, inboxId)
  const began = Date.parse(createdAt)
  const elapsed = (at: string | null) => (at === null ? null : Math.max(0, Date.parse(at) - began))
  const working = (at: string | null) => (at === null ? null : workingTimeBetween(calendar, began, Date.parse(at)))
  const isSameAnswer = before !== undefined && before.firstAnsweredAt === firstAnsweredAt
  const isSameClosing = before !== undefined && before.closedAt === closedAt
  return {
    firstAnsweredAt,
    closedAt,
    firstAnswerTime: elapsed(firstAnsweredAt),
    firstAnswerWorkingTime: isSameAnswer ? before.firstAnswerWorkingTime : working(firstAnsweredAt),
    closeTime: elapsed(closedAt),
    closeWorkingTime: isSameClosing ? before.closeWorkingTime : working(closedAt),
  }
}
