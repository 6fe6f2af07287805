/** A line of a CSV file, as RFC 4180 has it, in which no cell runs as a formula. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(cell).join(',')}\r\n`
}

/** Spreadsheets take a file for UTF-8 that begins so. */
export const CSV_START = '\ufeff'

/** What makes a formula of the text behind it, in full width too. */
const STARTS = '=+\\-@＝＋－＠'
/** What may stand before it: importers drop spaces and quotes; a mark is marked again, so that it can be told from ours. */
const PASSED_OVER = `[['"\\s\\p{C}]--[\\t\\r\\n]]*`
/** Where a cell begins for those who separate by semicolons or tabs, or take each line by itself: quotes keep none of them together. */
const BEGINS = '(?:^|(?<=[;\\t\\r\\n]))'
/** What a mark goes before. Of a line break it is no part. */
const RUNS = `(?=${PASSED_OVER}[${STARTS}]|'*(?:\\t|\\r(?!\\n)))`

/** Most texts are none of these, which costs less to see. */
const MAY_RUN = new RegExp(`^['"\\s\\p{C}${STARTS}]|[;\\t\\r\\n]`, 'v')
const UNMARKED = new RegExp(`${BEGINS}${RUNS}`, 'gv')
const MARKED = new RegExp(`${BEGINS}'${RUNS}`, 'gv')
const NUMBER = /^-\d+(\.\d+)?(e[+-]\d+)?$/

/**
 * What a stranger typed must not run in the spreadsheet of whoever opens it: a `'` goes before whatever begins a formula.
 * A cell that is a number stays one.
 */
function withMarks(text: string): string {
  return MAY_RUN.test(text) && !NUMBER.test(text) ? text.replace(UNMARKED, "'") : text
}

/** The text of a cell of such a file: without the marks, which stood in no text before. For reading files back in. */
export function withoutMarks(text: string): string {
  return text.replace(MARKED, '')
}

function cell(text: string): string {
  const safe = withMarks(text)
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
