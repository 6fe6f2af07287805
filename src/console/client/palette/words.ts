/** Without capitals and accents, as the server compares words. */
const folded = (text: string) =>
  text
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()

const wordsIn = (text: string) => folded(text).match(/[\p{L}\p{N}]+/gu) ?? []

/** Whether every word of `query` is the beginning of a word of `text`. */
export function beginsWords(text: string, query: string): boolean {
  const words = wordsIn(text)
  return wordsIn(query).every((wanted) => words.some((word) => word.startsWith(wanted)))
}
