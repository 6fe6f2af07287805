type Row = object

/** Prints a record, or a list of them, for people; with `json` as JSON for programs. */
export function print(record: Row | readonly Row[], { json }: { json?: boolean }): void {
  if (json) say(JSON.stringify(record, null, 2))
  else if (Array.isArray(record)) printTable(record)
  else printFields(record)
}

/** One line for people. */
export function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

/** One line about what is not as it should be though the command did its work. */
export function warn(line: string): void {
  process.stderr.write(`frontdesk: ${line}\n`)
}

function printFields(record: Row): void {
  const entries = Object.entries(record)
  const width = Math.max(...entries.map(([name]) => name.length))
  for (const [name, value] of entries) say(`${name.padEnd(width)}  ${display(value)}`)
}

function printTable(rows: readonly Row[]): void {
  const [first] = rows
  const names = Object.keys(first ?? { none: null })
  const lines = [names, ...rows.map((row) => names.map((name) => display((row as Record<string, unknown>)[name])))]
  const widths = names.map((_, column) => Math.max(...lines.map((line) => (line[column] as string).length)))
  for (const line of lines)
    say(
      line
        .map((cell, column) => cell.padEnd(widths[column] as number))
        .join('  ')
        .trimEnd(),
    )
}

/**
 * A value as a cell or a part of a line: a record in a list by its name, or as JSON where it has none. Control characters are
 * left out: a name could otherwise command the terminal.
 */
export function display(value: unknown): string {
  if (value === null || value === undefined) return '-'
  const text = Array.isArray(value) ? value.map((item) => item?.name ?? textOf(item)).join(',') : textOf(value)
  return text.replace(/\p{Cc}+/gu, ' ')
}

const textOf = (value: unknown): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value)
