import type { TestTenant } from '../app.ts'
import type { TestForm } from '../forms/collecting.ts'
import type { PastTicket } from './history.ts'

const MINUTE = 60_000
const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']

/** A ticket as the API tells of it, and what was rated. */
export interface TalliedTicket {
  readonly id: string
  readonly openedAt: number
  readonly statuses: PastTicket['statuses']
  readonly inboxId: string
  readonly channel: string
  readonly priority: 'normal' | 'high'
  readonly tags: readonly string[]
  readonly assignee: { readonly id: string; readonly name: string } | null
  readonly teamId: string | null
  /** When people wrote to the customer, and who: no rule, and no form to fill in. */
  readonly answers: readonly { readonly at: number; readonly by: string }[]
  readonly rating: { readonly at: number; readonly percentage: number } | null
}

/** Minutes in which somebody works, counted one by one from an instant on. */
export class WorkingMinutes {
  readonly #before: number[] = [0]

  constructor(
    private readonly from: number,
    to: number,
    zone: string,
  ) {
    for (let at = from; at < to; at += MINUTE) {
      const { dayOfWeek, hour } = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone)
      const isWorked = dayOfWeek <= 5 && hour >= 9 && hour < 17
      this.#before.push((this.#before.at(-1) as number) + (isWorked ? 1 : 0))
    }
  }

  between = (from: number, to: number) => this.#until(to) - this.#until(from)

  /** The first instant by which so many minutes were worked. */
  after(from: number, minutes: number): number {
    const wanted = this.#until(from) + minutes
    return this.from + this.#before.findIndex((count) => count >= wanted) * MINUTE
  }

  #until = (at: number) => this.#before[(at - this.from) / MINUTE] as number
}

/** Reads all that is to be counted: spam, and what was merged or deleted, is not. */
export async function readTallied(
  tenant: TestTenant,
  form: TestForm,
  past: readonly PastTicket[],
): Promise<TalliedTicket[]> {
  const responses = (await tenant.get(`/v1/forms/${form.id}/responses?limit=100`)).body
  if (responses.nextCursor !== null) throw new Error('more than one page of responses')
  const tallied: TalliedTicket[] = []
  for (const { id, statuses } of past) {
    const { status, body } = await tenant.get(`/v1/tickets/${id}`)
    if (status === 404 || body.status === 'spam' || body.messageCount === 0) continue
    // biome-ignore lint/suspicious/noExplicitAny: as the API answers
    const rated = responses.items.find(({ contactId }: any) => contactId === body.contactId)
    tallied.push({
      ...{ id, statuses, openedAt: Date.parse(body.createdAt) },
      ...{ inboxId: body.teamInboxId, channel: body.channel, priority: body.priority, tags: body.tags },
      ...{ assignee: body.assignee, teamId: body.team?.id ?? null },
      // biome-ignore lint/suspicious/noExplicitAny: as the API answers
      answers: body.messages.flatMap(({ direction, author, text, createdAt }: any) =>
        direction === 'outbound' && author.type === 'agent' && !text.includes(form.launchCode)
          ? { at: Date.parse(createdAt), by: author.id }
          : [],
      ),
      rating: rated ? { at: Date.parse(rated.submittedAt), percentage: rated.answers[0].value * 10 } : null,
    })
  }
  return tallied
}

/** What was promised, in minutes of work: of a ticket's beginning, and of closing it each time it was opened. */
export type Promised = Readonly<Record<'normal' | 'high', { readonly firstAnswer: number; readonly close: number }>>

/** What it is counted by. */
interface Terms {
  readonly zone: string
  readonly now: number
  readonly working: WorkingMinutes
  readonly promised: Promised
  readonly people: readonly { readonly userId: string; readonly email: string }[]
}

interface Days {
  readonly from: string
  readonly to: string
}

/** Counts by hand what a report says of a period: one ticket after the other, and every instant anew. */
export function tally(
  tickets: readonly TalliedTicket[],
  { from, to }: Days,
  { zone, now, working, promised, people }: Terms,
) {
  const startOf = (day: Temporal.PlainDate) => day.toZonedDateTime({ timeZone: zone }).epochMilliseconds
  const days: Temporal.PlainDate[] = []
  for (let day = Temporal.PlainDate.from(from); Temporal.PlainDate.compare(day, to) <= 0; day = day.add({ days: 1 })) {
    days.push(day)
  }
  const [begins, ends] = [
    startOf(days[0] as Temporal.PlainDate),
    startOf((days.at(-1) as Temporal.PlainDate).add({ days: 1 })),
  ]
  const isIn = (at: number) => begins <= at && at < ends
  /** The status right before an instant; undefined before its beginning. */
  const statusBefore = ({ statuses }: TalliedTicket, time: number) => statuses.filter(({ at }) => at < time).at(-1)
  const opened = tickets.filter(({ openedAt }) => isIn(openedAt))
  const rated = tickets.filter(({ rating }) => rating && isIn(rating.at))
  const outcomes = tickets.flatMap((ticket) => outcomesOf(ticket, now, working, promised)).filter(({ at }) => isIn(at))
  const answersBy = (id: string) => opened.flatMap(({ answers }) => answers.filter(({ by }) => by === id)).length
  const closedAt = ({ statuses }: TalliedTicket) => {
    const last = statuses.at(-1)
    return last?.status === 'closed' ? last.at : null
  }
  const firstAnswers = (of: readonly TalliedTicket[]) =>
    of.flatMap(({ openedAt, answers: [first] }) => (first ? { from: openedAt, to: first.at } : []))
  const closings = opened.flatMap((ticket) => {
    const to = closedAt(ticket)
    return to === null ? [] : { from: ticket.openedAt, to }
  })
  return {
    period: { from, to },
    opened: opened.length,
    closed: tickets.filter((ticket) => {
      const before = statusBefore(ticket, Math.min(ends, now + 1))
      return before?.status === 'closed' && isIn(before.at)
    }).length,
    open: days
      .filter((day) => startOf(day) <= now)
      .map((day) => ({
        date: day.toString(),
        count: tickets.filter((ticket) => statusBefore(ticket, startOf(day.add({ days: 1 })))?.status === 'open')
          .length,
      })),
    firstAnswer: spansOf(firstAnswers(opened), working),
    close: spansOf(closings, working),
    promises: {
      kept: outcomes.filter(({ kept }) => kept).length,
      broken: outcomes.filter(({ kept }) => !kept).length,
    },
    satisfaction: { count: rated.length, average: averageOf(rated) },
    byUser: people
      .map(({ userId: id, email: name }) => {
        const own = opened.filter(({ assignee }) => assignee?.id === id)
        return {
          user: { id, name },
          handled: own.length,
          answers: answersBy(id),
          medianMinutes: spansOf(firstAnswers(own), working).medianMinutes,
          satisfaction: averageOf(rated.filter(({ assignee }) => assignee?.id === id)),
        }
      })
      .filter(({ handled, answers, satisfaction }) => handled + answers > 0 || satisfaction !== null)
      .sort((a, b) => b.handled - a.handled || a.user.name.localeCompare(b.user.name)),
    byTag: [...new Set(opened.flatMap(({ tags }) => tags))]
      .map((tag) => ({ tag, opened: opened.filter(({ tags }) => tags.includes(tag)).length }))
      .sort((a, b) => b.opened - a.opened || a.tag.localeCompare(b.tag)),
    byHour: hoursOf(opened, zone),
  }
}

/** What was decided, and when: a first answer once, closing each time the ticket was opened. */
function outcomesOf(
  { openedAt, priority, answers: [answer], statuses }: TalliedTicket,
  now: number,
  working: WorkingMinutes,
  promised: Promised,
): { at: number; kept: boolean }[] {
  const decide = (began: number, minutes: number, done: number | undefined) => {
    const due = working.after(began, minutes)
    if (done !== undefined && done <= due) return [{ at: done, kept: true }]
    return due < now ? [{ at: due, kept: false }] : []
  }
  const { firstAnswer, close } = promised[priority]
  return [
    ...decide(openedAt, firstAnswer, answer?.at),
    ...statuses.flatMap(({ at, status }, index) =>
      status === 'open' ? decide(at, close, statuses[index + 1]?.at) : [],
    ),
  ]
}

function spansOf(spans: readonly { from: number; to: number }[], working: WorkingMinutes) {
  const elapsed = spans.map(({ from, to }) => (to - from) / MINUTE)
  const nineTenths = elapsed.filter(
    (value) => elapsed.filter((other) => other <= value).length * 10 >= elapsed.length * 9,
  )
  return {
    count: spans.length,
    medianMinutes: middleOf(elapsed),
    p90Minutes: nineTenths.length === 0 ? null : Math.min(...nineTenths),
    workingMedianMinutes: middleOf(spans.map(({ from, to }) => working.between(from, to))),
  }
}

function middleOf(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b)
  while (sorted.length > 2) {
    sorted.shift()
    sorted.pop()
  }
  return sorted.length === 0 ? null : sorted.reduce((sum, value) => sum + value) / sorted.length
}

function averageOf(rated: readonly TalliedTicket[]): number | null {
  const values = rated.map(({ rating }) => rating?.percentage ?? 0)
  return values.length === 0 ? null : Number((values.reduce((sum, value) => sum + value) / values.length).toFixed(1))
}

function hoursOf(opened: readonly TalliedTicket[], zone: string) {
  const clocks = opened.map(({ openedAt }) => Temporal.Instant.fromEpochMilliseconds(openedAt).toZonedDateTimeISO(zone))
  return WEEKDAYS.flatMap((weekday, index) =>
    Array.from({ length: 24 }, (_, hour) => ({
      weekday,
      hour,
      opened: clocks.filter((clock) => clock.dayOfWeek === index + 1 && clock.hour === hour).length,
    })),
  ).filter((slot) => slot.opened > 0)
}
