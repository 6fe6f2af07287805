import { and, asc, count, eq, gt, gte, isNotNull, isNull, lt, type SQL, sql } from 'drizzle-orm'
import { named, ofTenant, prepared, type Reader } from '../db/index.ts'
import { promiseOutcomes, ticketClosings, ticketFigures, ticketResponses, ticketTags } from '../db/schema.ts'
import { firstIdAt } from '../lib/ids.ts'
import { formatTime } from '../lib/time.ts'
import { inOrder } from './statistics.ts'

/** Tickets that are read in one go: between two of those others are served. */
const STEP = 4_000

/** A ticket as reports count it. Times are in milliseconds, since 1970 or from when it was opened. */
export interface CountedRow {
  readonly ticketId: string
  readonly openedAt: number
  readonly assigneeId: string | null
  readonly firstAnswerTime: number | null
  readonly firstAnswerWorkingTime: number | null
  readonly closeTime: number | null
  readonly closeWorkingTime: number | null
  readonly answers: string | null
}

/** All that a report is counted from: what has happened since the beginning of the earlier of its periods. */
export interface Counts {
  readonly tickets: readonly CountedRow[]
  readonly closings: readonly {
    readonly ticketId: string
    readonly closedAt: number
    readonly reopenedAt: number | null
  }[]
  readonly ratings: readonly { readonly at: number; readonly percentage: number; readonly assigneeId: string | null }[]
  readonly promises: readonly { readonly at: number; readonly isKept: boolean }[]
  readonly tags: readonly { readonly ticketId: string; readonly tagId: string }[]
  /** When tickets were opened, or open again, and when they were closed, from the earliest on. */
  readonly began: Float64Array
  readonly ended: Float64Array
  /** Tickets that are open now. */
  readonly openNow: number
  /** Now. */
  readonly at: number
}

/** Reads the counts of the tickets that meet `condition`. `since` and `at` are in milliseconds since 1970. */
export async function readCounts(
  db: Reader,
  tenantId: string,
  condition: SQL,
  since: number,
  at: number,
): Promise<Counts> {
  const tickets = await readTickets(db, condition, since)
  const closings = await readClosings(db, tenantId, condition, since, tickets)
  const ratings = await readRatings(db, tenantId, condition, since)
  const [open] = await db
    .select({ count: count() })
    .from(ticketFigures)
    .where(and(condition, isNull(ticketFigures.closedAt)))
  return {
    tickets,
    closings,
    ratings,
    promises: await readPromises(db, tenantId, condition, since),
    tags: await db
      .select(named({ ticketId: ticketTags.ticketId, tagId: ticketTags.tagId }))
      .from(ticketTags)
      .where(and(ofTenant(ticketTags, tenantId), gte(ticketTags.ticketId, firstIdAt(since)))),
    began: inOrder([
      ...tickets.map(({ openedAt }) => openedAt),
      ...closings.flatMap(({ reopenedAt }) => reopenedAt ?? []),
    ]),
    ended: inOrder(closings.map(({ closedAt }) => closedAt)),
    openNow: open?.count ?? 0,
    at,
  }
}

async function readTickets(db: Reader, condition: SQL, since: number): Promise<CountedRow[]> {
  const { ticketId, openedAt, assigneeId, answers } = ticketFigures
  const { firstAnswerTime, firstAnswerWorkingTime, closeTime, closeWorkingTime } = ticketFigures
  const times = { firstAnswerTime, firstAnswerWorkingTime, closeTime, closeWorkingTime }
  const read: CountedRow[] = []
  // Made once for all pages, and prepared: then rows cost no mapping.
  const page = prepared((reader) =>
    reader
      .select(named({ ticketId, openedAt, assigneeId, answers, ...times }))
      .from(ticketFigures)
      .where(and(condition, gt(ticketId, sql.placeholder('last'))))
      .orderBy(asc(ticketId))
      .limit(STEP)
      .prepare(),
  )(db)
  // Ids sort by when they were made, which is when the ticket was opened.
  for (let last = firstIdAt(since); ; ) {
    const rows = await page.execute({ last })
    read.push(...rows)
    if (rows.length < STEP) return read
    last = rows.at(-1)?.ticketId ?? last
    await new Promise(setImmediate)
  }
}

/**
 * When tickets were closed: the last time stands with their figures, and of those that are read here with the tickets
 * themselves. Earlier ones were all followed by a time in which the ticket was open again.
 */
async function readClosings(
  db: Reader,
  tenantId: string,
  condition: SQL,
  since: number,
  tickets: readonly CountedRow[],
): Promise<Counts['closings']> {
  const { ticketId, closedAt, reopenedAt } = ticketClosings
  const time = formatTime(since)
  const older = await db
    .select(named({ ticketId: ticketFigures.ticketId, closedAt: ticketFigures.closedAt }))
    .from(ticketFigures)
    .where(and(condition, lt(ticketFigures.ticketId, firstIdAt(since)), gte(ticketFigures.closedAt, time)))
  const undone = await db
    .select(named({ ticketId, closedAt, reopenedAt }))
    .from(ticketClosings)
    .innerJoin(
      ticketFigures,
      and(eq(ticketFigures.tenantId, ticketClosings.tenantId), eq(ticketFigures.ticketId, ticketId)),
    )
    .where(and(ofTenant(ticketClosings, tenantId), gte(reopenedAt, time), condition))
  return [
    ...tickets.flatMap(({ ticketId, openedAt, closeTime }) =>
      closeTime === null ? [] : { ticketId, closedAt: openedAt + closeTime, reopenedAt: null },
    ),
    ...older.map((row) => ({ ticketId: row.ticketId, closedAt: Date.parse(row.closedAt ?? ''), reopenedAt: null })),
    ...undone.map((row) => ({
      ticketId: row.ticketId,
      closedAt: Date.parse(row.closedAt),
      reopenedAt: Date.parse(row.reopenedAt ?? ''),
    })),
  ]
}

async function readRatings(db: Reader, tenantId: string, condition: SQL, since: number): Promise<Counts['ratings']> {
  const { ticketId, satisfaction, ratedAt } = ticketResponses
  const rows = await db
    .select({ satisfaction, ratedAt, assigneeId: ticketFigures.assigneeId })
    .from(ticketResponses)
    .innerJoin(
      ticketFigures,
      and(eq(ticketFigures.tenantId, ticketResponses.tenantId), eq(ticketFigures.ticketId, ticketId)),
    )
    .where(
      and(ofTenant(ticketResponses, tenantId), isNotNull(satisfaction), gte(ratedAt, formatTime(since)), condition),
    )
  return rows.map((row) => ({
    at: Date.parse(row.ratedAt ?? ''),
    percentage: (row.satisfaction ?? 0) / 10,
    assigneeId: row.assigneeId,
  }))
}

async function readPromises(db: Reader, tenantId: string, condition: SQL, since: number): Promise<Counts['promises']> {
  const { ticketId, decidedAt, kept } = promiseOutcomes
  const rows = await db
    .select({ decidedAt, kept })
    .from(promiseOutcomes)
    .innerJoin(
      ticketFigures,
      and(eq(ticketFigures.tenantId, promiseOutcomes.tenantId), eq(ticketFigures.ticketId, ticketId)),
    )
    .where(and(ofTenant(promiseOutcomes, tenantId), gte(decidedAt, formatTime(since)), condition))
  return rows.map((row) => ({ at: Date.parse(row.decidedAt), isKept: row.kept }))
}
