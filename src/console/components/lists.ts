import { html, type Insert, type Markup } from '../../lib/html/markup.ts'
import type { View } from '../visit.ts'
import { emptyState } from './display.ts'

/** A column: `number` stands at the end of its cell, `actions` needs no heading to be seen. */
export interface Column {
  readonly label: string
  readonly kind?: 'number' | 'actions'
}

/** From so many columns on, a phone shows each row as a list of its own: side by side they would be a letter wide. */
const MANY_COLUMNS = 3

/**
 * A table with its caption. Cells are what `html` escapes or made; the first of a row is its heading. Without rows
 * `empty` stands in its place, and below it the `first` step to some. Columns that are to be compared with each other stay side by side where `isGrid` is set.
 */
export function table({
  caption,
  columns,
  rows,
  empty,
  first,
  hidesCaption = false,
  isGrid = false,
}: {
  caption: string
  columns: readonly Column[]
  rows: readonly (readonly Insert[])[]
  empty: Insert
  first?: Insert
  hidesCaption?: boolean
  isGrid?: boolean
}): Markup {
  if (rows.length === 0) return emptyState(empty, first)
  const id = `table-${caption.replace(/[^\p{L}\p{N}]+/gu, '-')}`
  const stacks = !isGrid && columns.length >= MANY_COLUMNS
  return html`<div class="scroll" role="group" tabindex="0" aria-labelledby="${id}"><table${stacks && html` class="stacks"`}>
<caption id="${id}"${hidesCaption && html` class="sr"`}>${caption}</caption>
<thead><tr>${columns.map(heading)}</tr></thead>
<tbody>${rows.map((cells) => html`<tr>${cells.map((cell, index) => cellOf(cell, index, columns[index], stacks))}</tr>`)}</tbody>
</table></div>`
}

function heading({ label, kind }: Column): Markup {
  return html`<th scope="col"${kind && html` class="${kind}"`}>${kind === 'actions' ? html`<span class="sr">${label}</span>` : label}</th>`
}

function cellOf(cell: Insert, index: number, column: Column | undefined, stacks: boolean): Markup {
  if (index === 0) return html`<th scope="row">${cell}</th>`
  const { kind, label } = column ?? {}
  return html`<td${kind && html` class="${kind}"`}${stacks && kind !== 'actions' && html` data-label="${label}"`}>${cell}</td>`
}

/** The address that a page has now, with parameters of its query changed: null takes one away. */
export function withQuery(url: URL, changes: Readonly<Record<string, string | null>>): string {
  const query = new URLSearchParams(url.searchParams)
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) query.delete(name)
    else query.set(name, value)
  }
  const text = query.toString()
  return url.pathname + (text === '' ? '' : `?${text}`)
}

/**
 * Links through a list that is read by cursor: on to older rows, and back to the newest. `labels` name them otherwise, of a
 * list that does not go from new to old.
 */
export function pager(
  view: View & { readonly url: URL },
  nextCursor: string | null,
  labels?: { readonly first: string; readonly next: string },
): Markup | false {
  const { say } = view.wording
  const isFirst = !view.url.searchParams.has('cursor')
  if (isFirst && nextCursor === null) return false
  return html`<nav class="pager" aria-label="${say('pages')}">${
    !isFirst &&
    html`<a class="secondary" href="${view.href(withQuery(view.url, { cursor: null }))}">${labels?.first ?? say('newest')}</a>`
  }${nextCursor !== null && html`<a class="secondary" rel="next" href="${view.href(withQuery(view.url, { cursor: nextCursor }))}">${labels?.next ?? say('older')}</a>`}</nav>`
}

/** Filters of a list, above it: a form that is a part of the address, so that a filtered list can be sent to somebody. */
export function filters(view: View & { readonly url: URL }, label: string, fields: Insert): Markup {
  const { say } = view.wording
  const { pathname, search } = view.url
  return html`<form method="get" role="search" aria-label="${label}" action="${view.href(pathname)}" class="filters">${fields}<div class="buttons"><button class="secondary">${say('apply')}</button>${
    search !== '' && html`<a class="quiet" href="${view.href(pathname)}">${say('clearFilters')}</a>`
  }</div></form>`
}

/** Views of one thing, each with an address of its own. */
export function tabs(
  view: View & { readonly url: URL },
  label: string,
  entries: readonly { readonly path: string; readonly text: Insert }[],
): Markup {
  const items = entries.map(
    ({ path, text }) =>
      html`<li><a href="${view.href(path)}"${view.url.pathname === path.split('?', 1)[0] && html` aria-current="page"`}>${text}</a></li>`,
  )
  return html`<nav class="tabs" aria-label="${label}"><ul>${items}</ul></nav>`
}
