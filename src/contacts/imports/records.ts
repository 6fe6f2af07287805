import { type Delimiter, delimiters } from '../../kinds/contact-imports.ts'
import { deferred } from '../../lib/deferred.ts'

const papaparse = deferred(() => require('papaparse') as typeof import('papaparse'))

/** Lines that are taken apart at a time, and that a record may have at most. */
const WINDOW = 100
const FEW = 4
/** The longest line, in characters. */
const MAX_LINE = 64 * 1024
/** What is kept of one that is longer. */
const SHOWN = 1000

/** A record of a CSV file. */
export interface CsvRecord {
  /** Its first line, counted from 1, and how many lines it has. */
  readonly line: number
  readonly lines: number
  readonly cells: readonly string[]
  /** As it stands in the file. */
  readonly content: string
  /** What keeps it from being read; then it has no cells, and is one line. */
  readonly problem: 'quotes' | 'length' | null
}

/**
 * The records of a CSV file, some at a time. A quote that is never closed, or closed in the middle of a cell, costs its
 * own line and no other: the next begins a new record.
 */
export async function* recordsOf(text: AsyncIterable<string>, delimiter: Delimiter): AsyncGenerator<CsvRecord[]> {
  const buffer: string[] = []
  let line = 1
  // Where lines are broken few are looked at together: each costs what those behind it do.
  let size = WINDOW
  const take = (isEnd: boolean): CsvRecord[] => {
    const isAll = size >= buffer.length
    const { records, used } = recordsIn(buffer.slice(0, size), line, delimiter, isEnd && isAll)
    if (used === 0 && !isAll) {
      size *= 2
      return take(isEnd)
    }
    buffer.splice(0, used)
    line += used
    size = records[0]?.problem ? FEW : Math.min(2 * WINDOW, 2 * size)
    return records
  }
  for await (const lines of linesOf(text)) {
    for (let start = 0; start < lines.length; start += WINDOW) {
      buffer.push(...lines.slice(start, start + WINDOW))
      while (buffer.length >= WINDOW) {
        const records = take(false)
        if (records.length === 0) break
        yield records
      }
    }
  }
  while (buffer.length > 0) yield take(true)
}

/** Whole lines, without their ends; one that is too long is cut off. */
async function* linesOf(text: AsyncIterable<string>): AsyncGenerator<string[]> {
  let rest = ''
  for await (const piece of text) {
    const lines = (rest + piece).split('\n')
    rest = lines.pop() as string
    if (rest.length > 2 * MAX_LINE) rest = rest.slice(0, 2 * MAX_LINE)
    yield lines
  }
  if (rest !== '') yield [rest]
}

interface Taken {
  readonly records: CsvRecord[]
  /** Lines that they are made of. */
  readonly used: number
}

/** The records that `lines`, of which the first is number `first`, begin with: at least one, unless more lines tell. */
function recordsIn(lines: readonly string[], first: number, delimiter: Delimiter, isEnd: boolean): Taken {
  const tooLong = lines.findIndex((text) => text.length > MAX_LINE)
  if (tooLong === 0) return broken(lines, first, 'length')
  const known = tooLong < 0 ? lines : lines.slice(0, tooLong)
  const { data, errors } = papaparse().parse<string[]>(known.join('\n'), { delimiter, newline: '\n' })
  // Nothing is made of an empty line that stands alone.
  const rows = data.length === 0 ? [['']] : data
  const wrong = errors.find(({ type }) => type === 'Quotes')?.row ?? rows.length
  const isOpen = errors.every(({ type, code }) => type !== 'Quotes' || code === 'MissingQuotes')
  const records: CsvRecord[] = []
  let used = 0
  for (const cells of rows.slice(0, wrong)) {
    const count = cells.reduce((sum, cell) => sum + breaksIn(cell), 1)
    const content = known.slice(used, used + count).join('\n')
    records.push({ line: first + used, lines: count, cells, content, problem: null })
    used += count
  }
  if (used > 0) return { records, used }
  // It may go on below the lines that are there.
  const mayGoOn = isOpen && !isEnd && tooLong < 0 && known.length < 2 * WINDOW
  return mayGoOn ? { records: [], used: 0 } : broken(lines, first, 'quotes')
}

function breaksIn(cell: string): number {
  let breaks = 0
  for (let at = cell.indexOf('\n'); at >= 0; at = cell.indexOf('\n', at + 1)) breaks += 1
  return breaks
}

function broken([text = '']: readonly string[], line: number, problem: 'quotes' | 'length'): Taken {
  const content = problem === 'length' ? `${text.slice(0, SHOWN)}…` : text
  return { records: [{ line, lines: 1, cells: [], content, problem }], used: 1 }
}

/** Lines that tell what stands between the cells. */
const ASKED = 30

/** What stands between the cells, as the first lines have it: by it most of them have as many as each other. */
export function recogniseDelimiter(text: string): Delimiter {
  const lines = text
    .split('\n', ASKED)
    .map((line) => line.slice(0, MAX_LINE))
    .filter((line) => line.trim() !== '')
  const found = delimiters.map((delimiter) => {
    const counts = lines.map(
      (line) => papaparse().parse<string[]>(line, { delimiter, newline: '\n' }).data[0]?.length ?? 1,
    )
    const alike = [...Map.groupBy(counts, (count) => count)].filter(([count]) => count > 1)
    const [count, those] = alike.sort(([a, ofA], [b, ofB]) => ofB.length - ofA.length || b - a)[0] ?? [1, []]
    return { delimiter, count, lines: those.length }
  })
  const best = found.sort((a, b) => b.lines - a.lines || b.count - a.count)[0]
  return best?.delimiter ?? ','
}
