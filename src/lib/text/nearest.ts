/**
 * The candidate that shares the most with `text`, for “did you mean …?”: the characters both have in the same order,
 * as a part of all they have, so that a name of which half was left out is still found. There must be a candidate.
 */
export function nearest(text: string, candidates: readonly string[]): string {
  const similarity = (candidate: string) => shared(text, candidate) / (text.length + candidate.length)
  return candidates.reduce((best, candidate) => (similarity(candidate) > similarity(best) ? candidate : best))
}

/** The length of the longest common subsequence, one row of the table at a time. */
function shared(a: string, b: string): number {
  let row = new Array<number>(b.length + 1).fill(0)
  for (const character of a) {
    const above = row
    row = [0]
    for (let i = 0; i < b.length; i++) {
      const longer = Math.max(above[i + 1] as number, row[i] as number)
      row.push(character === b[i] ? (above[i] as number) + 1 : longer)
    }
  }
  return row[b.length] as number
}
