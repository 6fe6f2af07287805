import { notFound } from '../../errors.ts'
import { CSV_START, csvLine } from '../../lib/text/csv.ts'
import { ratingsIn } from '../../reports/ratings.ts'
import type { MeasuredTickets } from '../../reports/ticket-report.ts'
import { ticketsOf } from '../../reports/tickets-of.ts'
import { colleaguesById } from '../../users/colleagues.ts'
import type { Visit } from '../visit.ts'
import { askedBy, measured } from './asked.ts'

type Row = readonly (string | number | null)[]

/** Rows of a file at most: ten thousand tickets are read in a second. */
const MOST = 10_000
/** Tickets that are read at once. */
const STEP = 500

/** The tables of a report, by the names of their files: what stands on top, and the rows. Times are in minutes. */
const tables: Readonly<Record<string, (visit: Visit, measured: MeasuredTickets) => Promise<Row[]> | Row[]>> = {
  days: (_, { days }) => [
    ['date', 'opened', 'closed', 'open'],
    ...days.map(({ date, opened, closed, open }) => [date, opened, closed, open]),
  ],
  agents: (_, { report }) => [
    ['user', 'handled', 'answers', 'medianMinutes', 'satisfaction'],
    ...report.byUser.map(({ user, ...row }) => [
      user.name,
      row.handled,
      row.answers,
      rounded(row.medianMinutes),
      row.satisfaction,
    ]),
  ],
  tags: (_, { report }) => [['tag', 'opened'], ...report.byTag.map(({ tag, opened }) => [tag, opened])],
  hours: (_, { report }) => [
    ['weekday', 'hour', 'opened'],
    ...report.byHour.map(({ weekday, hour, opened }) => [weekday, hour, opened]),
  ],
  ratings: async ({ db, principal }, { condition, period }) => [
    ['ticket', 'subject', 'ratedAt', 'satisfaction', 'comment'],
    ...(await ratingsIn(db, principal.tenantId, condition, period, MOST)).map((rating) => [
      rating.reference,
      rating.subject,
      rating.at,
      rating.percentage,
      rating.comment,
    ]),
  ],
  tickets: async ({ db, principal }, { condition, period }) => {
    const people = await colleaguesById(db, principal.tenantId)
    const rows: Row[] = [
      ['ticket', 'subject', 'status', 'assignee', 'openedAt', 'firstAnswerMinutes', 'closeMinutes', 'satisfaction'],
    ]
    for (let before: string | null = null; rows.length <= MOST; ) {
      const some = await ticketsOf(db, condition, period, { before, most: STEP })
      for (const { assigneeId, ...ticket } of some) {
        const assignee = people.get(assigneeId ?? '')?.name ?? ''
        const times = [rounded(ticket.firstAnswerMinutes), rounded(ticket.closeMinutes)]
        rows.push([
          ticket.reference,
          ticket.subject,
          ticket.status,
          assignee,
          ticket.openedAt,
          ...times,
          ticket.satisfaction,
        ])
      }
      before = some.at(-1)?.id ?? null
      if (some.length < STEP) break
      await new Promise(setImmediate)
    }
    return rows
  },
}

export const exportedTables = Object.keys(tables)

/** A table of a report as a file. Throws `not_found` for a name that none has. */
export async function exportTable(visit: Visit, name: string): Promise<Response> {
  const rowsOf = tables[name]
  if (!rowsOf) throw notFound('page')
  const asked = await askedBy(visit)
  const rows = await rowsOf(visit, await measured(visit, asked))
  const { from, to } = asked.days
  const text = CSV_START + rows.map((row) => csvLine(row.map((value) => String(value ?? '')))).join('')
  return new Response(text, {
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${name}-${from}-${to}.csv"`,
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
      'cache-control': 'no-store',
    },
  })
}

const rounded = (minutes: number | null) => (minutes === null ? null : Math.round(minutes * 100) / 100)
