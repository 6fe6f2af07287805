import { html, type Markup } from '../../../../lib/html/markup.ts'
import type { MapBox, MapRow } from './map-rows.ts'

/*
 * The lines of a map, drawn beside its rows. Rows are as high as `map.css` makes them, of which the numbers here are the
 * same in pixels at the usual size of text: a drawing is stretched to the height of its rows.
 */

const ROW = 56
const WARNED = 80
const GAP = 40
/** The width of the drawing at each side. */
const LEFT = 56
const RIGHT = 96
/** Lines that go far go far out, up to here. */
const LANES = 5

interface Placed {
  readonly row: MapRow
  /** The middle of its height. */
  readonly y: number
}

export interface MapDrawing {
  /** The way from box to box, and around those that may be passed over. */
  readonly ways: Markup
  /** From each question to what depends on it. */
  readonly links: Markup
}

/** How high a row is. */
const heightOf = ({ warning }: MapRow) => (warning === undefined ? ROW : WARNED)

export function drawMap(boxes: readonly MapBox[]): MapDrawing {
  const placed = new Map<string, Placed>()
  const edges: { top: number; bottom: number; box: MapBox }[] = []
  let y = 0
  for (const box of boxes) {
    const top = y
    for (const row of [box.head, ...box.rows]) {
      placed.set(row.key, { row, y: y + heightOf(row) / 2 })
      y += heightOf(row)
    }
    edges.push({ top, bottom: y, box })
    y += GAP
  }
  const height = Math.max(1, y - GAP)
  return { ways: waysOf(edges, height), links: linksOf(placed, height) }
}

function waysOf(edges: readonly { top: number; bottom: number; box: MapBox }[], height: number): Markup {
  const arrows = edges.slice(1).map(({ top }) => {
    const [from, to] = [top - GAP + 4, top - 4]
    return html`<path class="way" d="M40 ${from}V${to}M36 ${to - 5}L40 ${to}L44 ${to - 5}"/>`
  })
  const around = edges.flatMap(({ top, bottom, box }, index) => {
    if (box.kind !== 'page' || box.head.when === null) return []
    const [from, to] = [index === 0 ? top : top - GAP / 2, bottom + GAP / 2]
    return html`<path class="around" d="M40 ${from}H20Q8 ${from} 8 ${from + 12}V${to - 12}Q8 ${to} 20 ${to}H36M31 ${to - 4}L36 ${to}L31 ${to + 4}"/>`
  })
  return drawing('map-ways', LEFT, height, [...arrows, ...around])
}

function linksOf(placed: ReadonlyMap<string, Placed>, height: number): Markup {
  const lines = [...placed.values()].flatMap(({ row, y }) =>
    row.from.flatMap((key) => {
      const from = placed.get(key)
      return from ? [{ from: from.y, to: y }] : []
    }),
  )
  const longest = Math.max(ROW, ...lines.map(({ from, to }) => Math.abs(to - from)))
  const drawn = lines
    .sort((one, other) => Math.abs(one.to - one.from) - Math.abs(other.to - other.from))
    .map(({ from, to }, index) => {
      const lane = Math.abs(to - from) / longest
      const x = 18 + Math.round(lane * (RIGHT - 30)) - (index % LANES)
      return html`<path class="link link-${index % 3}" d="M3 ${from}C${x} ${from} ${x} ${to} 8 ${to}M14 ${to - 5}L8 ${to}L14 ${to + 5}"/><circle class="link-${index % 3}" cx="3" cy="${from}" r="3"/>`
    })
  return drawing('map-links', RIGHT, height, drawn)
}

/** What the words of the rows say, too: nothing to be read out. */
function drawing(name: string, width: number, height: number, shapes: readonly Markup[]): Markup {
  return html`<svg class="${name}" viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" aria-hidden="true" focusable="false">${shapes}</svg>`
}
