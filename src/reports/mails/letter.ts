import { and, asc, count, eq, lt, type SQL } from 'drizzle-orm'
import { calendarOfTenant } from '../../calendars/read.ts'
import { ofTenant, type Reader } from '../../db/index.ts'
import { tickets } from '../../db/schema.ts'
import { html } from '../../lib/html/markup.ts'
import { formatted } from '../../lib/language/formats.ts'
import { formatTime } from '../../lib/time.ts'
import { referenceOf } from '../../tickets/read.ts'
import { dayAt } from '../period.ts'
import { measureTickets, type PeriodFigures } from '../ticket-report.ts'
import type { ReportMail } from './subscriptions.ts'
import { reportWordsOf } from './words.ts'

/** Tickets that a mail lists. */
const LISTED = 50

/** What a mail says. */
export interface Letter {
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** For whom a letter is written, and how. */
export interface Reading {
  readonly tenantId: string
  /** BCP 47. */
  readonly language: string
  readonly baseUrl: string
  /** Now, in milliseconds since 1970. */
  readonly at: number
}

type Narrowed = Pick<ReportMail, 'kind' | 'inboxId' | 'teamId'>

/** What is to be mailed now; null where there is nothing to say. */
export function letterOf(db: Reader, mail: Narrowed, reading: Reading): Promise<Letter | null> {
  return mail.kind === 'week' ? weekLetter(db, mail, reading) : overdueLetter(db, mail, reading)
}

/** The last week that is over, Monday to Sunday. */
async function weekLetter(db: Reader, { inboxId, teamId }: Narrowed, reading: Reading): Promise<Letter> {
  const { tenantId, language, baseUrl, at } = reading
  const { zone } = await calendarOfTenant(db, tenantId)
  const today = Temporal.PlainDate.from(dayAt(at, zone))
  const monday = today.subtract({ days: today.dayOfWeek + 6 })
  const days = { from: monday.toString(), to: monday.add({ days: 6 }).toString() }
  const scope = { inbox: inboxId ?? undefined, team: teamId ?? undefined }
  const { report } = await measureTickets(db, tenantId, days, scope, at)
  const words = reportWordsOf(language)
  const [now, before] = [valuesOf(report, language), valuesOf(report.before, language)]
  const names = Object.keys(words.figures) as (keyof typeof words.figures)[]
  const rows = names
    .filter((name) => now[name] !== '–' || before[name] !== '–')
    .map((name) => ({ label: words.figures[name], value: now[name], before: words.before(before[name]) }))
  const query = new URLSearchParams({ ...days, ...(inboxId && { inbox: inboxId }), ...(teamId && { team: teamId }) })
  const link = `${baseUrl}/console/reports?${query}`
  const date = (day: string) => dateFormat(language).format(new Date(`${day}T00:00:00Z`))
  const intro = words.week(date(days.from), date(days.to))
  return {
    subject: words.weekSubject(report.opened, now.opened),
    text: [
      intro,
      rows.map((row) => `${row.label}: ${row.value} (${row.before})`).join('\n'),
      `${words.open}: ${link}`,
      `-- \n${words.why}\n`,
    ].join('\n\n'),
    html: html`<p>${intro}</p>
<table cellpadding="6">${rows.map((row) => html`<tr><td>${row.label}</td><td><strong>${row.value}</strong></td><td><small>${row.before}</small></td></tr>\n`)}</table>
<p><a href="${link}">${words.open}</a></p>
<p><small>${words.why}</small></p>`.text,
  }
}

function valuesOf(figures: PeriodFigures, language: string) {
  const number = (value: number) => formatted(language, {}, value)
  const percent = (value: number | null) =>
    value === null ? '–' : formatted(language, { style: 'percent', maximumFractionDigits: 0 }, value / 100)
  const { kept, broken } = figures.promises
  return {
    opened: number(figures.opened),
    closed: number(figures.closed),
    open: number(figures.open.at(-1)?.count ?? 0),
    firstAnswer: span(figures.firstAnswer.medianMinutes, language),
    close: span(figures.close.medianMinutes, language),
    satisfaction: percent(figures.satisfaction.average),
    promises: percent(kept + broken === 0 ? null : (kept / (kept + broken)) * 100),
  }
}

function span(minutes: number | null, language: string): string {
  if (minutes === null) return '–'
  const [value, unit] =
    minutes < 90 ? [minutes, 'minute'] : minutes < 2880 ? [minutes / 60, 'hour'] : [minutes / 1440, 'day']
  const digits = unit === 'minute' ? 0 : 1
  return formatted(
    language,
    { style: 'unit', unit, unitDisplay: 'long', maximumFractionDigits: digits } as Intl.NumberFormatOptions,
    value as number,
  )
}

async function overdueLetter(db: Reader, mail: Narrowed, reading: Reading): Promise<Letter | null> {
  const { tenantId, language, baseUrl, at } = reading
  const { zone } = await calendarOfTenant(db, tenantId)
  const overdue = and(
    ofTenant(tickets, tenantId),
    lt(tickets.dueAt, formatTime(at)),
    mail.inboxId === null ? undefined : eq(tickets.inboxId, mail.inboxId),
    mail.teamId === null ? undefined : eq(tickets.teamId, mail.teamId),
  ) as SQL
  const { id, sequentialNumber, subject, dueAt } = tickets
  const listed = await db
    .select({ id, sequentialNumber, subject, dueAt })
    .from(tickets)
    .where(overdue)
    .orderBy(asc(dueAt))
    .limit(LISTED)
  if (listed.length === 0) return null
  const [all] = await db.select({ count: count() }).from(tickets).where(overdue)
  const total = all?.count ?? listed.length
  const words = reportWordsOf(language)
  const time = new Intl.DateTimeFormat(language, { timeZone: zone, dateStyle: 'medium', timeStyle: 'short' })
  const rows = listed.map((ticket) => ({
    title: `${referenceOf(ticket.sequentialNumber)} ${ticket.subject}`,
    due: words.since(time.format(new Date(ticket.dueAt ?? at))),
    link: `${baseUrl}/console/tickets/${ticket.id}`,
  }))
  const more = total > listed.length ? words.more(total - listed.length) : null
  return {
    subject: words.overdueSubject(total),
    text: [
      words.overdue,
      rows.map(({ title, due, link }) => `${title}\n  ${due}\n  ${link}`).join('\n\n'),
      ...(more === null ? [] : [more]),
      `-- \n${words.why}\n`,
    ].join('\n\n'),
    html: html`<p>${words.overdue}</p>
<ul>
${rows.map(({ title, due, link }) => html`<li><a href="${link}">${title}</a> <small>${due}</small></li>\n`)}</ul>
${more && html`<p>${more}</p>\n`}<p><small>${words.why}</small></p>`.text,
  }
}

const dateFormat = (language: string) => new Intl.DateTimeFormat(language, { timeZone: 'UTC', dateStyle: 'medium' })
