import { Readable } from 'node:stream'
import type { Cell, ResponseTable } from './table.ts'

/*
 * Workbooks as Excel and others read them (ECMA-376): a ZIP of a few XML files, of which the sheets are made while they
 * are sent. Text is text there, so no cell runs as a formula.
 */

/** What a sheet can hold, its heading included. */
const MAX_LINES = 1_048_576
/** UTF-16 units that a cell can hold. */
const MAX_TEXT = 32_767
const DAY = 86_400_000
/** 1970 in days as spreadsheets count them; they have days before March 1900 wrong. */
const EPOCH = 25_569
const FIRST_DAY = Date.UTC(1900, 2, 1)

/** Places in `STYLES`. */
const HEADING = 1
const DATE_TIME = 2
const DATE = 3
/** Stays text when somebody edits its cell. */
const QUOTED = 4

/** A table of responses as a workbook; `name` is that of its sheet. What exceeds a sheet goes on in another. */
export async function* xlsxOf(table: ResponseTable, name: string, maxLines = MAX_LINES): AsyncGenerator<Uint8Array> {
  const { ZipFile } = await import('yazl')
  const zip = new ZipFile()
  const parts = new Sheets(table, maxLines)
  const write = async () => {
    for (let number = 1; parts.isMore; number++) {
      const sheet = Readable.from(parts.next(), { objectMode: false })
      const written = Promise.withResolvers<void>()
      sheet.on('end', () => written.resolve()).on('error', written.reject)
      zip.addReadStream(sheet, `xl/worksheets/sheet${number}.xml`)
      await written.promise
    }
    for (const [path, text] of filesOf(name, parts.count)) zip.addBuffer(Buffer.from(XML + text), path)
    zip.end()
  }
  const output = zip.outputStream as Readable
  const fail = (error: Error) => output.destroy(error)
  zip.on('error', fail)
  write().catch(fail)
  try {
    for await (const bytes of output) yield bytes as Uint8Array
  } finally {
    await table.lines.return(undefined)
  }
}

/** The lines of a table, cut into sheets. */
class Sheets {
  /** Those that were begun. */
  count = 0
  isMore = true
  /** Lines that were read and not yet written. */
  #left: Cell[][] = []

  constructor(
    private readonly table: ResponseTable,
    private readonly maxLines: number,
  ) {}

  /** The XML of the next sheet. */
  async *next(): AsyncGenerator<Buffer> {
    this.count += 1
    const { titles } = this.table
    yield Buffer.from(
      `${XML}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols><col min="1" max="${titles.length}" width="22" customWidth="1"/></cols><sheetData>${lineXml(titles, HEADING)}`,
    )
    for (let room = this.maxLines - 1; room > 0 && (await this.#fill()); ) {
      const lines = this.#left.slice(0, room)
      this.#left = this.#left.slice(room)
      room -= lines.length
      yield Buffer.from(lines.map((cells) => lineXml(cells)).join(''))
    }
    this.isMore = await this.#fill()
    yield Buffer.from('</sheetData></worksheet>')
  }

  /** Whether there are lines that have not been written. */
  async #fill(): Promise<boolean> {
    while (this.#left.length === 0) {
      const { value, done } = await this.table.lines.next()
      if (done) return false
      this.#left = value
    }
    return true
  }
}

function lineXml(cells: readonly Cell[], style?: number): string {
  return `<row>${cells.map((cell) => cellXml(cell, style)).join('')}</row>`
}

function cellXml(cell: Cell, style?: number): string {
  // Cells follow each other without naming their places: an empty one keeps its own.
  if (cell === '') return '<c/>'
  if (typeof cell === 'number') return `<c><v>${cell}</v></c>`
  if (typeof cell === 'object') {
    if (cell.ms < FIRST_DAY) return cellXml(cell.text)
    return `<c s="${cell.hasTime ? DATE_TIME : DATE}"><v>${cell.ms / DAY + EPOCH}</v></c>`
  }
  const chosen = style ?? (/^\s*[=+\-@]/.test(cell) ? QUOTED : undefined)
  return `<c t="inlineStr"${chosen === undefined ? '' : ` s="${chosen}"`}><is><t xml:space="preserve">${textXml(cell)}</t></is></c>`
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: those that XML cannot hold
const UNWRITABLE = /[\0-\x08\x0b-\x1f\ufffe\uffff]|_x[\da-f]{4}_/gi

/** What XML cannot hold is written as `_x000B_` (ECMA-376 part 1, 22.9.2.19), and so is what would be taken for that. */
function textXml(text: string): string {
  const short = text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT - 1)}…`
  const writable = short
    .toWellFormed()
    .replace(UNWRITABLE, (found) =>
      found.length > 1 ? `_x005F${found}` : `_x${found.charCodeAt(0).toString(16).padStart(4, '0').toUpperCase()}_`,
    )
  return Bun.escapeHTML(writable)
}

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

const STYLES = `<styleSheet xmlns="${MAIN}"><numFmts count="2"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm"/><numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="5"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="49" fontId="1" fillId="0" borderId="0" xfId="0" quotePrefix="1" applyFont="1"/><xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="165" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" quotePrefix="1" applyNumberFormat="1"/></cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`

/** What stands around the sheets, by path. */
function filesOf(name: string, sheets: number): [path: string, text: string][] {
  const numbers = Array.from({ length: sheets }, (_, index) => index + 1)
  const relation = (id: number, type: string, target: string) =>
    `<Relationship Id="rId${id}" Type="${OFFICE}/${type}" Target="${target}"/>`
  const override = (path: string, type: string) => `<Override PartName="/${path}" ContentType="${TYPE}.${type}+xml"/>`
  return [
    [
      '[Content_Types].xml',
      `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${override('xl/workbook.xml', 'sheet.main')}${override('xl/styles.xml', 'styles')}${numbers.map((number) => override(`xl/worksheets/sheet${number}.xml`, 'worksheet')).join('')}</Types>`,
    ],
    [
      '_rels/.rels',
      `<Relationships xmlns="${PACKAGE}/relationships">${relation(1, 'officeDocument', 'xl/workbook.xml')}</Relationships>`,
    ],
    [
      'xl/workbook.xml',
      `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>${numbers.map((number) => `<sheet name="${sheetName(name, number)}" sheetId="${number}" r:id="rId${number}"/>`).join('')}</sheets></workbook>`,
    ],
    [
      'xl/_rels/workbook.xml.rels',
      `<Relationships xmlns="${PACKAGE}/relationships">${numbers.map((number) => relation(number, 'worksheet', `worksheets/sheet${number}.xml`)).join('')}${relation(sheets + 1, 'styles', 'styles.xml')}</Relationships>`,
    ],
    ['xl/styles.xml', STYLES],
  ]
}

/** At most 31 characters, without those that a sheet's name cannot have. */
function sheetName(name: string, number: number): string {
  const end = number === 1 ? '' : ` ${number}`
  const plain = name
    .replace(/[^\p{L}\p{N}_-]+/gu, ' ')
    .slice(0, 31 - end.length)
    .toWellFormed()
    .trim()
  return `${plain}${end}`
}
