import { html, type Insert, type Markup } from '../../lib/html/markup.ts'
import type { PeriodFigures, TicketReport } from '../../reports/ticket-report.ts'
import type { View } from '../visit.ts'
import { share, span } from './spans.ts'

/** One of the few figures that answer how things are. */
interface Tile {
  readonly label: string
  readonly value: string
  readonly now: number | null
  readonly before: number | null
  /** Whether more of it is good news; null: neither is. */
  readonly isMoreBetter: boolean | null
  /** In percent: what it differs by is said in points, since a percentage of a percentage says little. */
  readonly isShare?: true
  readonly more: Insert
}

/** What says in ten seconds how things are: big figures, each beside how it was in the period before. */
export function tiles(view: View, report: TicketReport): Markup {
  return html`<ul class="tiles">${tilesOf(view, report).map((tile) => tileOf(view, tile))}</ul>`
}

function tilesOf(view: View, report: TicketReport): Tile[] {
  const { say, write } = view.wording
  const { before, firstAnswer, close, satisfaction, opened, closed, promises } = report
  const openNow = report.open.at(-1)?.count
  const kept = keptShare(report)
  const spans = ({ p90Minutes, workingMedianMinutes }: PeriodFigures['close']) =>
    p90Minutes !== null &&
    html`<span>${say('reportWorking', { time: span(view, workingMedianMinutes) })}</span> <span>${say('reportP90', { time: span(view, p90Minutes) })}</span>`
  return [
    {
      label: say('reportFirstAnswer'),
      value: span(view, firstAnswer.medianMinutes),
      now: firstAnswer.medianMinutes,
      before: before.firstAnswer.medianMinutes,
      isMoreBetter: false,
      more: spans(firstAnswer),
    },
    {
      label: say('reportClose'),
      value: span(view, close.medianMinutes),
      now: close.medianMinutes,
      before: before.close.medianMinutes,
      isMoreBetter: false,
      more: spans(close),
    },
    {
      label: say('reportSatisfaction'),
      value: share(view, satisfaction.average),
      now: satisfaction.average,
      before: before.satisfaction.average,
      isMoreBetter: true,
      isShare: true,
      more: satisfaction.count > 0 && html`<span>${say('reportRatings', { count: satisfaction.count })}</span>`,
    },
    ...(kept === null && keptShare(before) === null
      ? []
      : [
          {
            label: say('reportPromises'),
            value: share(view, kept),
            now: kept,
            before: keptShare(before),
            isMoreBetter: true,
            isShare: true as const,
            more: promises.broken > 0 && html`<span>${say('reportBroken', { count: promises.broken })}</span>`,
          },
        ]),
    {
      label: say('reportOpened'),
      value: write(opened),
      now: opened,
      before: before.opened,
      isMoreBetter: null,
      more: html`<span>${say('reportClosedCount', { count: closed })}</span> ${openNow !== undefined && html`<span>${say('reportOpenCount', { count: openNow })}</span>`}`,
    },
  ]
}

/** In percent; null where nothing was promised. */
export function keptShare({ promises: { kept, broken } }: Pick<PeriodFigures, 'promises'>): number | null {
  return kept + broken === 0 ? null : (kept / (kept + broken)) * 100
}

function tileOf(view: View, tile: Tile): Markup {
  return html`<li class="tile"><h2>${tile.label}</h2><p class="big">${tile.value}</p>${change(view, tile)}<p class="more">${tile.more}</p></li>`
}

/** How it has changed. The colour repeats what the words say. */
function change(view: View, { now, before, isMoreBetter, isShare }: Tile): Markup {
  const { say } = view.wording
  if (now === null || before === null) return html`<p class="change">${say('reportNothingBefore')}</p>`
  const difference = isShare ? now - before : before === 0 ? (now === 0 ? 0 : null) : ((now - before) / before) * 100
  if (difference === null) return html`<p class="change">${say('reportNothingBefore')}</p>`
  if (Math.abs(difference) < 0.5) return html`<p class="change">${say('reportSame')}</p>`
  const isMore = difference > 0
  const tone = isMoreBetter === null ? '' : isMore === isMoreBetter ? ' good' : ' bad'
  const text = isShare
    ? say(isMore ? 'reportPointsMore' : 'reportPointsLess', { count: Math.round(Math.abs(difference)) })
    : say(isMore ? 'reportMore' : 'reportLess', { share: share(view, Math.abs(difference)) })
  return html`<p class="change${tone}"><span aria-hidden="true">${isMore ? '▲' : '▼'}</span> ${text}</p>`
}
