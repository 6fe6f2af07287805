import { html, type Insert, type Markup } from '../../../lib/html/markup.ts'
import { table } from '../../components/lists.ts'
import type { View } from '../../visit.ts'

/*
 * Charts, drawn by the server: bars stretch with their place, and no number stands in a picture alone. They stand in, or
 * above, a table that says the same.
 */

export interface Bar {
  label: Insert
  count: number
}

/** A share of the whole, as a locale writes it. */
export function percent({ wording }: View, part: number, whole: number): string {
  return formatOf(wording.locale).format(whole === 0 ? 0 : part / whole)
}

const formats = new Map<string, Intl.NumberFormat>()

function formatOf(locale: string): Intl.NumberFormat {
  const known = formats.get(locale)
  if (known) return known
  const made = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0 })
  formats.set(locale, made)
  return made
}

/** A line of a length from 0 to 1. */
export function bar(length: number): Markup {
  const width = Math.round(Math.min(1, Math.max(0, length)) * 1000) / 10
  return html`<svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true"><rect class="rail" width="100" height="10"/><rect width="${width}" height="10"/></svg>`
}

/** What a table is called: not as the part of the page that it stands in. */
export function figures({ wording }: View, name: string): string {
  return wording.say('resultsFigures', { name })
}

/** Bars that are the rows of a table. `whole` is what shares are of. */
export function barTable(
  view: View,
  { caption, heading, bars, whole }: { caption: string; heading: string; bars: readonly Bar[]; whole: number },
): Markup {
  const { say, write } = view.wording
  return table({
    caption: figures(view, caption),
    hidesCaption: true,
    isGrid: true,
    columns: [{ label: heading }, { label: say('resultsShare') }, { label: say('resultsAnswers'), kind: 'number' }],
    rows: bars.map(({ label, count }) => [
      label,
      html`<span class="share">${bar(whole === 0 ? 0 : count / whole)}<span>${percent(view, count, whole)}</span></span>`,
      write(count),
    ]),
    empty: say('resultsNone'),
  })
}

/** Columns side by side, with what is below them and a table to open. */
export function columnChart(
  view: View,
  { caption, heading, bars, axis }: { caption: string; heading: string; bars: readonly Bar[]; axis: 'all' | 'ends' },
): Markup {
  const { say, write } = view.wording
  const most = Math.max(1, ...bars.map(({ count }) => count))
  const gap = bars.length > 40 ? 1 : 2
  const columns = bars.map(({ count }, index) => {
    const height = count === 0 ? 0 : Math.max(1.5, Math.round((count / most) * 1000) / 10)
    return html`<rect x="${index * 10 + gap / 2}" y="${100 - height}" width="${10 - gap}" height="${height}"/>`
  })
  const labels = axis === 'all' ? bars : bars.length > 1 ? [bars[0], bars[bars.length - 1]] : bars
  return html`<figure class="chart"><p class="most" aria-hidden="true">${write(most)}</p>
<svg class="columns" viewBox="0 0 ${bars.length * 10} 100" preserveAspectRatio="none" role="img" aria-label="${caption}">${columns}</svg>
<div class="axis ${axis}" aria-hidden="true">${labels.map((entry) => html`<span>${entry?.label}</span>`)}</div>
<details><summary class="quiet">${say('resultsTable')}</summary>${table({
    caption: figures(view, caption),
    hidesCaption: true,
    columns: [{ label: heading }, { label: say('resultsAnswers'), kind: 'number' }],
    rows: bars.map(({ label, count }) => [label, write(count)]),
    empty: say('resultsNone'),
  })}</details></figure>`
}

/** Parts of a whole in one line: each has a class of its own, which gives it a colour. */
export function partsBar(parts: readonly { kind: string; count: number }[], label: string): Markup {
  const whole = Math.max(
    1,
    parts.reduce((sum, { count }) => sum + count, 0),
  )
  let x = 0
  const shapes = parts.map(({ kind, count }) => {
    const width = (count / whole) * 100
    const shape = html`<rect class="${kind}" x="${x}" width="${width}" height="10"/>`
    x += width
    return shape
  })
  return html`<svg class="parts" viewBox="0 0 100 10" preserveAspectRatio="none" role="img" aria-label="${label}">${shapes}</svg>`
}

/** How strong a cell of a heat map is coloured, 0 to 5. */
export function heat(part: number, most: number): number {
  return most === 0 || part === 0 ? 0 : Math.max(1, Math.round((part / most) * 5))
}
