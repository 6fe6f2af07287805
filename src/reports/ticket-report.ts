import type { SQL } from 'drizzle-orm'
import { calendarOfTenant } from '../calendars/read.ts'
import type { Reader } from '../db/index.ts'
import { listTags } from '../tags/read.ts'
import { colleaguesById } from '../users/colleagues.ts'
import { type CountedRow, readCounts } from './counts.ts'
import { openAtDayEnds } from './open-tickets.ts'
import { type Days, hourAt, type Period, periodBefore, periodOf } from './period.ts'
import { conditionOf, type Scope } from './scope.ts'
import { inOrder, mean, median, p90 } from './statistics.ts'

/** How long something took, in minutes, of as many tickets; null of none. */
export interface Spans {
  readonly count: number
  readonly medianMinutes: number | null
  readonly p90Minutes: number | null
  readonly workingMedianMinutes: number | null
}

/** What a report says of the tickets of one period (decisions §19, §24). Satisfaction is in percent. */
export interface PeriodFigures {
  readonly period: Days
  readonly opened: number
  readonly closed: number
  /** Not closed yet at the end of each day. */
  readonly open: readonly { readonly date: string; readonly count: number }[]
  readonly firstAnswer: Spans
  readonly close: Spans
  readonly promises: { readonly kept: number; readonly broken: number }
  readonly satisfaction: { readonly count: number; readonly average: number | null }
  readonly byUser: readonly UserFigures[]
  readonly byTag: readonly { readonly tag: string; readonly opened: number }[]
  /** Hours in which any were opened, from Monday on. */
  readonly byHour: readonly { readonly weekday: Weekday; readonly hour: number; readonly opened: number }[]
}

export interface UserFigures {
  readonly user: { readonly id: string; readonly name: string }
  readonly handled: number
  readonly answers: number
  readonly medianMinutes: number | null
  readonly satisfaction: number | null
}

/** What happened on a day. */
export interface DayFigures {
  readonly date: string
  readonly opened: number
  readonly closed: number
  /** At its end; null of a day that has not begun. */
  readonly open: number | null
}

/** As `section 24` of the decisions has it. */
export interface TicketReport extends PeriodFigures {
  readonly before: PeriodFigures
}

/** A report with what pages show besides. */
export interface MeasuredTickets {
  readonly report: TicketReport
  readonly days: readonly DayFigures[]
  readonly period: Period
  /** What tickets meet that it is about. */
  readonly condition: SQL
}

export const reportWeekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
export type Weekday = (typeof reportWeekdays)[number]

/**
 * How a tenant's support did in a period, beside the one before. Figures of answering, closing, people, tags and hours are of
 * the tickets opened in it; `closed`, promises and satisfaction are what happened in it. `at` is now, in milliseconds since
 * 1970. The figures have to be up to date: `keepFigures`. Throws `invalid_request`.
 */
export async function measureTickets(
  db: Reader,
  tenantId: string,
  days: Days,
  scope: Scope,
  at: number,
): Promise<MeasuredTickets> {
  const { zone } = await calendarOfTenant(db, tenantId)
  const now = periodOf(days, zone)
  const before = periodBefore(now)
  const condition = await conditionOf(db, tenantId, scope)
  const counts = await readCounts(db, tenantId, condition, before.begins, at)
  const names = await namesOf(db, tenantId)
  const of = (period: Period) => figuresOf(counts, period, names)
  const report = { ...of(now), before: of(before) }
  return { report, days: byDay(counts, now, report.open), period: now, condition }
}

function byDay(counts: Counts, period: Period, open: PeriodFigures['open']): DayFigures[] {
  const opened = perDay(period, counts.tickets, ({ openedAt }) => openedAt)
  const closings = counts.closings.filter(({ reopenedAt }) => reopenedAt === null || reopenedAt >= period.ends)
  const closed = perDay(period, closings, ({ closedAt }) => closedAt)
  const atEnd = new Map(open.map(({ date, count }) => [date, count]))
  return period.dayEnds.map(({ date }, index) => ({
    date,
    opened: opened[index] ?? 0,
    closed: closed[index] ?? 0,
    open: atEnd.get(date) ?? null,
  }))
}

/** How many of `things` fall on each day. */
function perDay<T>({ begins, ends, dayEnds }: Period, things: readonly T[], at: (thing: T) => number): number[] {
  const counts = new Array<number>(dayEnds.length).fill(0)
  for (const thing of things) {
    const time = at(thing)
    if (time < begins || time >= ends) continue
    const day = dayAfter(dayEnds, time)
    counts[day] = (counts[day] ?? 0) + 1
  }
  return counts
}

/** The first day that ends after an instant. */
function dayAfter(dayEnds: Period['dayEnds'], time: number): number {
  let [low, high] = [0, dayEnds.length - 1]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((dayEnds[middle]?.at ?? 0) > time) high = middle
    else low = middle + 1
  }
  return low
}

interface Names {
  user(id: string): string
  tag(id: string): string
}

async function namesOf(db: Reader, tenantId: string): Promise<Names> {
  const people = await colleaguesById(db, tenantId)
  const tags = new Map((await listTags(db, tenantId)).map(({ id, name }) => [id, name]))
  return { user: (id) => people.get(id)?.name ?? id, tag: (id) => tags.get(id) ?? id }
}

type Counts = Awaited<ReturnType<typeof readCounts>>

const isIn = ({ begins, ends }: Period, at: number) => at >= begins && at < ends

function figuresOf(counts: Counts, period: Period, names: Names): PeriodFigures {
  const tickets = counts.tickets.filter(({ openedAt }) => isIn(period, openedAt))
  const ratings = counts.ratings.filter(({ at }) => isIn(period, at))
  const promises = counts.promises.filter(({ at }) => isIn(period, at))
  const kept = promises.filter((promise) => promise.isKept).length
  const average = mean(ratings.map(({ percentage }) => percentage))
  return {
    period: { from: period.from, to: period.to },
    opened: tickets.length,
    closed: closedIn(counts, period),
    open: openAtDayEnds(counts, period),
    firstAnswer: spansOf(tickets, 'firstAnswerTime', 'firstAnswerWorkingTime'),
    close: spansOf(tickets, 'closeTime', 'closeWorkingTime'),
    promises: { kept, broken: promises.length - kept },
    satisfaction: { count: ratings.length, average: average && oneDecimal(average) },
    byUser: byUser(tickets, ratings, names),
    byTag: byTag(counts, tickets, names),
    byHour: byHour(tickets, period),
  }
}

/** Tickets that were closed in the period and still were at its end. */
function closedIn({ closings }: Counts, period: Period): number {
  const closed = closings.filter(
    ({ closedAt, reopenedAt }) => isIn(period, closedAt) && (reopenedAt === null || reopenedAt >= period.ends),
  )
  return new Set(closed.map(({ ticketId }) => ticketId)).size
}

function spansOf(
  tickets: readonly CountedRow[],
  elapsed: 'firstAnswerTime' | 'closeTime',
  working: 'firstAnswerWorkingTime' | 'closeWorkingTime',
): Spans {
  const times = valuesOf(tickets, elapsed)
  return {
    count: times.length,
    medianMinutes: minutes(median(times)),
    p90Minutes: minutes(p90(times)),
    workingMedianMinutes: minutes(median(valuesOf(tickets, working))),
  }
}

const valuesOf = (
  tickets: readonly CountedRow[],
  name: 'firstAnswerTime' | 'closeTime' | 'firstAnswerWorkingTime' | 'closeWorkingTime',
): Float64Array => inOrder(tickets.map((ticket) => ticket[name]).filter((time) => time !== null))

const minutes = (ms: number | null) => (ms === null ? null : ms / 60_000)

const oneDecimal = (value: number) => Math.round(value * 10) / 10

function byUser(tickets: readonly CountedRow[], ratings: Counts['ratings'], names: Names): UserFigures[] {
  const handled = Map.groupBy(tickets, ({ assigneeId }) => assigneeId)
  const rated = Map.groupBy(ratings, ({ assigneeId }) => assigneeId)
  const answers = new Map<string, number>()
  for (const ticket of tickets) {
    if (ticket.answers === null) continue
    for (const [id, count] of Object.entries(JSON.parse(ticket.answers) as Record<string, number>)) {
      answers.set(id, (answers.get(id) ?? 0) + count)
    }
  }
  const ids = new Set([...handled.keys(), ...rated.keys(), ...answers.keys()])
  ids.delete(null)
  return [...(ids as Set<string>)]
    .map((id) => {
      const own = handled.get(id) ?? []
      const average = mean((rated.get(id) ?? []).map(({ percentage }) => percentage))
      return {
        user: { id, name: names.user(id) },
        handled: own.length,
        answers: answers.get(id) ?? 0,
        medianMinutes: minutes(median(valuesOf(own, 'firstAnswerTime'))),
        satisfaction: average && oneDecimal(average),
      }
    })
    .sort((one, other) => other.handled - one.handled || one.user.name.localeCompare(other.user.name))
}

function byTag({ tags }: Counts, tickets: readonly CountedRow[], names: Names): PeriodFigures['byTag'] {
  if (tags.length === 0) return []
  const own = new Set(tickets.map(({ ticketId }) => ticketId))
  const opened = new Map<string, number>()
  for (const { ticketId, tagId } of tags) if (own.has(ticketId)) opened.set(tagId, (opened.get(tagId) ?? 0) + 1)
  return [...opened]
    .map(([id, count]) => ({ tag: names.tag(id), opened: count }))
    .sort((one, other) => other.opened - one.opened || one.tag.localeCompare(other.tag))
}

function byHour(tickets: readonly CountedRow[], { zone }: Period): PeriodFigures['byHour'] {
  const opened = new Array<number>(7 * 24).fill(0)
  for (const { openedAt } of tickets) {
    const { weekday, hour } = hourAt(openedAt, zone)
    const slot = weekday * 24 + hour
    opened[slot] = (opened[slot] ?? 0) + 1
  }
  return opened.flatMap((count, slot) =>
    count === 0 ? [] : { weekday: reportWeekdays[Math.floor(slot / 24)] as Weekday, hour: slot % 24, opened: count },
  )
}
