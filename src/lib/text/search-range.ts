/** After every text that begins with what stands before it. */
export const END = '\u{10ffff}'

/** Engines make small letters of A to Z alone: a name that begins with another is looked for both ways. */
export function spellings(text: string): string[] {
  const small = text.toLowerCase()
  const [first = ''] = small
  const capital = (first.toUpperCase() + small.slice(first.length)).replace(/[A-Z]/g, (letter) => letter.toLowerCase())
  return [...new Set([small, capital])]
}
