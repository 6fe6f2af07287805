import type { Motif } from '../../../../forms/templates/index.ts'
import { html, type Markup } from '../../../../lib/html/markup.ts'

/** What each motif looks like, in a band of 80 by 16. Colours are the classes' (`builder.css`). */
const drawings: { readonly [K in Motif]: Markup } = {
  scale: html`${[0, 1, 2, 3, 4, 5, 6, 7].map((at) => box(at * 10, 3, 8, 10, at === 6 ? 'chosen' : 'empty'))}`,
  stars: html`${[0, 1, 2, 3, 4].map((at) => star(at * 15, at < 4))}`,
  choices: html`${[0, 1].map((at) => html`<circle class="${at === 0 ? 'chosen' : 'empty'}" cx="4" cy="${4 + at * 9}" r="2.75"/>${line(11, 2.5 + at * 9, at === 0 ? 40 : 28)}`)}`,
  ticks: html`${[0, 1].map((at) => html`${box(1, 1 + at * 9, 6, 6, at === 0 ? 'chosen' : 'empty')}${line(11, 2.5 + at * 9, at === 0 ? 30 : 44)}`)}`,
  text: box(0, 0, 80, 16, 'empty'),
  fields: html`${box(0, 2, 38, 11, 'empty')}${box(42, 2, 38, 11, 'empty')}`,
  date: html`${box(0, 0, 20, 16, 'empty')}<path class="filled" d="M0 2a2 2 0 0 1 2-2h16a2 2 0 0 1 2 2v3H0z"/>${box(12, 9, 4, 4, 'chosen')}${line(26, 6.5, 34)}`,
  file: html`<rect class="empty dashed" x="0" y="0.5" width="80" height="15" rx="2"/><path class="drawn" d="M40 12V4.5m-3 3 3-3 3 3"/>`,
  sum: html`${line(0, 6.5, 30)}${box(52, 2, 28, 12, 'filled')}`,
  thumbs: html`${box(0, 1, 38, 14, 'chosen')}${box(42, 1, 38, 14, 'empty')}<path class="drawn on" d="m15 8 3 3 5-6"/>`,
  signature: html`<path class="drawn" d="M4 12c6-14 9-12 7-3s4 4 7-2 5-1 4 3 5 1 8-2 9-2 14 1"/><path class="thin" d="M0 15.5h80"/>`,
  matrix: html`${[0, 1].map((row) => html`${line(0, 2.5 + row * 9, 26)}${[0, 1, 2].map((at) => html`<circle class="${at === 2 - row ? 'chosen' : 'empty'}" cx="${42 + at * 16}" cy="${4 + row * 9}" r="2.75"/>`)}`)}`,
}

function box(x: number, y: number, width: number, height: number, kind: 'empty' | 'chosen' | 'filled'): Markup {
  return html`<rect class="${kind}" x="${x}" y="${y}" width="${width}" height="${height}" rx="2"/>`
}

function line(x: number, y: number, width: number): Markup {
  return html`<rect class="line" x="${x}" y="${y}" width="${width}" height="3" rx="1.5"/>`
}

function star(x: number, isGiven: boolean): Markup {
  return html`<path class="${isGiven ? 'filled' : 'empty'}" transform="translate(${x})" d="m6.5 2 1.6 3.6 3.9.4-2.9 2.6.8 3.9-3.4-2-3.4 2 .8-3.9L1 6l3.9-.4z"/>`
}

/** What a template looks like, for the eye: its first questions, on a page. */
export function templatePicture(motifs: readonly Motif[]): Markup {
  return html`<svg class="template-picture" viewBox="0 0 112 80" aria-hidden="true"><rect class="page" x="8" y="6" width="96" height="80" rx="5"/><rect class="title" x="16" y="14" width="44" height="5" rx="2.5"/>${motifs.map(
    (motif, index) => html`<g transform="translate(16 ${26 + index * 24})">${drawings[motif]}</g>`,
  )}</svg>`
}
