import type { Reader } from '../../db/index.ts'
import type { FormRecord } from '../../forms/operations.ts'
import { CSV_START, csvLine } from '../../lib/text/csv.ts'
import { showResponse } from '../operations.ts'
import { askedOf, type Selection, scanResponses } from './scan.ts'
import type { Cell, ResponseTable } from './table.ts'

/** A table of responses as CSV, a few hundred lines at a time. For spreadsheets, in which no cell runs as a formula. */
export async function* csvOf({ titles, lines }: ResponseTable): AsyncGenerator<string> {
  yield `${CSV_START}${csvLine(titles)}`
  for await (const some of lines) yield some.map((cells) => csvLine(cells.map(textOf))).join('')
}

function textOf(cell: Cell): string {
  return typeof cell === 'object' ? cell.text : String(cell)
}

/** The responses to a form as a JSON array, newest first, each as the API shows it. */
export async function* jsonOf(
  db: Reader,
  tenantId: string,
  form: FormRecord,
  selection: Selection,
): AsyncGenerator<string> {
  const asked = await askedOf(db, tenantId, form)
  let separator = '[\n'
  for await (const chunk of scanResponses(db, tenantId, form.id, selection)) {
    const items = chunk.map((row) => JSON.stringify(showResponse(row, asked.pagesOf(row.revision), form.language)))
    yield separator + items.join(',\n')
    separator = ',\n'
  }
  yield separator === '[\n' ? '[]\n' : '\n]\n'
}
