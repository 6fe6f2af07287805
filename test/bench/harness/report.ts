/** A line of the report. */
export function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

/** A row of a table: a wide first column, then numbers. */
export function row(name: string, ...cells: string[]): void {
  print(name.padEnd(44) + cells.map((cell) => cell.padStart(12)).join(''))
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}

/** The value that a `share` of all lies below. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length * share)] as number
}
