import { invalid, rule } from '../../errors.ts'
import { deferred } from '../../lib/deferred.ts'
import { isBlank } from '../../lib/input/read.ts'
import { CSV_START, csvLine, withoutMarks } from '../../lib/text/csv.ts'
import { one, recogniseEncoding, textOf } from '../../lib/text/file-text.ts'
import type { TextChange } from './operations.ts'
import type { TextSheet } from './read.ts'

const papaparse = deferred(() => require('papaparse') as typeof import('papaparse'))

/** The largest file of texts, in bytes. */
export const MAX_TEXT_FILE = 4 * 1024 * 1024

const COLUMNS = ['key', 'base', 'text']
const DELIMITERS = [',', ';', '\t']

/** The texts of a form beside those of another language, as CSV (decisions §24): what is missing is empty. */
export function csvOfTexts({ texts }: TextSheet): string {
  return CSV_START + [COLUMNS, ...texts.map(({ key, base, text }) => [key, base, text ?? ''])].map(csvLine).join('')
}

/**
 * What a file of texts changes, for `changeTexts`: rows whose text is empty leave what is there, so that a file may be filled
 * in by and by. Throws `invalid_request` for a file that cannot be read.
 */
export async function changesInCsv(bytes: Uint8Array, place = 'file'): Promise<TextChange[]> {
  if (bytes.length > MAX_TEXT_FILE) throw invalid(place, rule('too_large', { size: MAX_TEXT_FILE }))
  let text = ''
  for await (const piece of textOf(one(bytes), await recogniseEncoding(bytes))) text += piece
  const options = { delimitersToGuess: DELIMITERS, skipEmptyLines: 'greedy' as const }
  const { data, errors } = papaparse().parse<string[]>(text, options)
  const broken = errors.find(({ type }) => type === 'Quotes')
  if (broken) throw invalid(`${place}: row ${(broken.row ?? 0) + 1}`, rule('quotes'))
  const [head = [], ...rows] = data
  const columns = head.map((name) => name.trim().toLowerCase())
  const [key, base, translation] = COLUMNS.map((name) => columns.indexOf(name)) as [number, number, number]
  if (key < 0 || translation < 0) throw invalid(place, rule('texts_columns'))
  return rows.map((cells, index) => ({
    key: withoutMarks(cells[key] ?? '').trim(),
    base: base < 0 ? null : withoutMarks(cells[base] ?? ''),
    text: isBlank(cells[translation] ?? '') ? null : withoutMarks(cells[translation] ?? ''),
    place: `${place}: row ${index + 2}`,
  }))
}
