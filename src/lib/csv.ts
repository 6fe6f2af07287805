/** A line of a CSV file, as RFC 4180 has it, in which no cell runs as a formula. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(cell).join(',')}\r\n`
}

/** Spreadsheets take a file for UTF-8 that begins so. */
export const CSV_START = '\ufeff'

/** What a stranger typed must not run in the spreadsheet of whoever opens it; a number is a number. */
function cell(text: string): string {
  const safe = /^\s*[=+\-@]/.test(text) && !/^-\d+(\.\d+)?$/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
