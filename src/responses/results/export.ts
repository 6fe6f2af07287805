import type { Reader } from '../../db/index.ts'
import type { FormRecord } from '../../forms/operations.ts'
import { showResponse } from '../operations.ts'
import { askedOf, type Selection, scanResponses } from './scan.ts'
import type { Cell, ResponseTable } from './table.ts'

/** A table of responses as CSV, a few hundred lines at a time. For spreadsheets, in which no cell runs as a formula. */
export async function* csvOf({ titles, lines }: ResponseTable): AsyncGenerator<string> {
  // Spreadsheets take a file for UTF-8 that begins so.
  yield `\ufeff${line(titles)}`
  for await (const some of lines) yield some.map((cells) => line(cells.map(textOf))).join('')
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
    const items = chunk.map((row) => JSON.stringify(showResponse(row, asked.pagesOf(row.revision))))
    yield separator + items.join(',\n')
    separator = ',\n'
  }
  yield separator === '[\n' ? '[]\n' : '\n]\n'
}

/** RFC 4180. */
function line(cells: readonly string[]): string {
  return `${cells.map(cell).join(',')}\r\n`
}

/** What a stranger typed must not run in the spreadsheet of whoever opens it; a number is a number. */
function cell(text: string): string {
  const safe = /^\s*[=+\-@]/.test(text) && !/^-\d+(\.\d+)?$/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** Sends text or bytes as they are made, as fast as they are taken. */
export function streamOf(parts: AsyncGenerator<string | Uint8Array>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await parts.next()
      if (done) controller.close()
      else controller.enqueue(typeof value === 'string' ? encoder.encode(value) : value)
    },
    async cancel() {
      await parts.return(undefined)
    },
  })
}
