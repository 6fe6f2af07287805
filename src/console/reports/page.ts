import { listInboxes } from '../../inboxes/operations.ts'
import { channels } from '../../kinds/inboxes.ts'
import { html, type Insert, type Markup } from '../../lib/html/markup.ts'
import { type Rating, ratingsIn } from '../../reports/ratings.ts'
import type { TicketReport } from '../../reports/ticket-report.ts'
import { tagsToChoose } from '../../tags/read.ts'
import { knownTeams } from '../../teams/read.ts'
import { countChanged } from '../../tickets/changed.ts'
import { NONE } from '../../tickets/read.ts'
import { listColleagues } from '../../users/colleagues.ts'
import { badge, card, emptyState, pageHead, time } from '../components/display.ts'
import { field, select } from '../components/forms.ts'
import { filters, table } from '../components/lists.ts'
import { bar } from '../forms/results/charts.ts'
import { channelWords } from '../inbox/labels.ts'
import type { PageContent, Visit } from '../visit.ts'
import { type Asked, askedBy, measured, REPORTS, reportPath } from './asked.ts'
import { askingOffer } from './asking-offer.ts'
import { daysChart, daysTable } from './days-chart.ts'
import { hoursChart, hoursTable } from './hours.ts'
import { presets } from './presets.ts'
import { share, span } from './spans.ts'
import { tiles } from './tiles.ts'

/** Tickets that may not be counted yet before the page says so: a job counts them a moment after they change. */
const BEHIND = 500

/** Comments that the page shows: all of them are in the file. */
const COMMENTS = 12

/** How support does: few big figures, what happened day by day, and tables of who, what and when. */
export async function reportPage(visit: Visit): Promise<PageContent> {
  const { db, principal } = visit
  const { say } = visit.wording
  const asked = await askedBy(visit)
  const { report, days, period, condition } = await measured(visit, asked)
  const ratings = await ratingsIn(db, principal.tenantId, condition, period, COMMENTS)
  const isBehind = (await countChanged(db, principal.tenantId, BEHIND)) === BEHIND
  const isEmpty = report.opened === 0 && report.closed === 0 && report.satisfaction.count === 0
  return {
    title: say('reportsTitle'),
    body: html`<div class="report">${pageHead(say('reportsTitle'), html`<a class="secondary" href="${visit.href(reportPath(asked, `${REPORTS}/tickets`))}">${say('reportAllTickets')}</a>`)}
${presets(visit, asked)}
${await narrowing(visit, asked)}
${isBehind && html`<p class="note">${say('reportBehind')}</p>`}
${
  isEmpty
    ? emptyState(say('reportNothing'))
    : html`${tiles(visit, report)}
${card(say('reportDays'), [daysChart(visit, days), beneath(visit, asked, 'days', daysTable(visit, days))])}
${byAgent(visit, asked, report)}
${comments(visit, asked, ratings, report.satisfaction.count)}
<div class="columns">${byTag(visit, asked, report)}
${card(say('reportHours'), [hoursChart(visit, report.byHour), beneath(visit, asked, 'hours', hoursTable(visit, report.byHour))])}</div>`
}
${await askingOffer(visit, report.satisfaction.count)}
<p class="help">${say('reportExplained')}</p></div>`,
  }
}

async function narrowing(visit: Visit, { days, scope }: Asked): Promise<Markup> {
  const { db, principal, wording } = visit
  const { say } = wording
  const { tenantId } = principal
  const [inboxes, teams, people, tags] = await Promise.all([
    listInboxes(db, tenantId),
    knownTeams(db, tenantId),
    listColleagues(db, tenantId),
    tagsToChoose(db, tenantId),
  ])
  const named = (records: readonly { readonly id: string; readonly name: string }[]) =>
    records.map(({ id, name }) => [id, name] as const)
  const choose = (
    name: keyof typeof scope,
    label: string,
    any: string,
    options: readonly (readonly [value: string, text: string])[],
  ) => options.length > 0 && select(visit, { name, label, value: scope[name] ?? '', options: [['', any], ...options] })
  const used = channels.filter((channel) => inboxes.some((inbox) => inbox.channel === channel))
  return filters(visit, say('reportNarrow'), [
    field(visit, { name: 'from', label: say('reportFrom'), type: 'date', value: days.from, required: true }),
    field(visit, { name: 'to', label: say('reportTo'), type: 'date', value: days.to, required: true }),
    inboxes.length > 1 && choose('inbox', say('ticketInbox'), say('anyInbox'), named(inboxes)),
    used.length > 1 &&
      choose(
        'channel',
        say('inboxChannel'),
        say('anyChannel'),
        used.map((channel) => [channel, say(channelWords[channel])] as const),
      ),
    teams.length > 0 && choose('team', say('ticketTeam'), say('anyTeam'), [...named(teams), [NONE, say('noTeam')]]),
    choose('user', say('ticketAssignee'), say('assignedToAnybody'), [
      ...people.map(({ userId, name }) => [userId, name] as const),
      [NONE, say('assignedToNobody')],
    ]),
    choose(
      'tag',
      say('ticketTag'),
      say('anyTag'),
      tags.map(({ name }) => [name, name] as const),
    ),
  ])
}

/** The figures of a chart, to open below it, and the file of them. */
function beneath(visit: Visit, asked: Asked, name: string, figures: Markup): Markup {
  return html`<details class="figures"><summary class="quiet">${visit.wording.say('resultsTable')}</summary>${figures}</details>${csv(visit, asked, name)}`
}

function csv(visit: Visit, asked: Asked, name: string): Markup {
  return html`<p class="csv"><a href="${visit.href(reportPath(asked, `${REPORTS}/${name}.csv`))}" download>${visit.wording.say('reportCsv')}</a></p>`
}

function byAgent(visit: Visit, asked: Asked, { byUser }: TicketReport): Markup | false {
  if (byUser.length === 0) return false
  const { say, write } = visit.wording
  return card(say('reportAgents'), [
    table({
      caption: say('reportAgents'),
      hidesCaption: true,
      columns: [
        { label: say('ticketAssignee') },
        { label: say('reportHandled'), kind: 'number' },
        { label: say('reportAnswers'), kind: 'number' },
        { label: say('reportFirstAnswer'), kind: 'number' },
        { label: say('reportSatisfaction'), kind: 'number' },
      ],
      rows: byUser.map(({ user, handled, answers, medianMinutes, satisfaction }) => [
        html`<a href="${visit.href(reportPath(asked, `${REPORTS}/tickets`, { user: user.id }))}">${user.name}</a>`,
        write(handled),
        write(answers),
        span(visit, medianMinutes),
        share(visit, satisfaction),
      ]),
      empty: say('reportNothing'),
    }),
    csv(visit, asked, 'agents'),
  ])
}

function byTag(visit: Visit, asked: Asked, { byTag, opened }: TicketReport): Markup | false {
  if (byTag.length === 0) return false
  const { say, write } = visit.wording
  return card(say('reportTags'), [
    table({
      caption: say('reportTags'),
      hidesCaption: true,
      isGrid: true,
      columns: [
        { label: say('ticketTag') },
        { label: say('reportShare') },
        { label: say('reportOpened'), kind: 'number' },
      ],
      rows: byTag.map(({ tag, opened: count }) => [
        html`<a href="${visit.href(reportPath(asked, `${REPORTS}/tickets`, { tag }))}" dir="auto">${tag}</a>`,
        html`<span class="share">${bar(count / opened)}<span>${share(visit, (count / opened) * 100)}</span></span>`,
        write(count),
      ]),
      empty: say('reportNothing'),
    }),
    csv(visit, asked, 'tags'),
  ])
}

function comments(visit: Visit, asked: Asked, ratings: readonly Rating[], count: number): Markup | false {
  if (count === 0) return false
  const { say } = visit.wording
  const said = ratings.filter(({ comment }) => comment !== '')
  const quote = ({ ticketId, reference, customer, at, percentage, comment }: Rating): Insert =>
    html`<li>${badge(share(visit, percentage), percentage >= 80 ? 'good' : percentage > 50 ? 'neutral' : 'bad')}<blockquote dir="auto">${comment}</blockquote><p class="facts"><a href="${visit.href(`/console/tickets/${ticketId}`)}">${reference}</a>${customer !== null && html`<span dir="auto">${customer}</span>`}${time(visit, at, 'date')}</p></li>`
  return card(say('reportComments'), [
    said.length === 0
      ? html`<p class="help">${say('reportNoComments')}</p>`
      : html`<ul class="comments">${said.map(quote)}</ul>`,
    csv(visit, asked, 'ratings'),
  ])
}
