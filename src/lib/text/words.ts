/** What a word is made of, as the text index sees it: letters, digits and the marks on them. */
const WORDS = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu

/** A word where it stands in a text. */
export interface PlacedWord {
  /** As `fold` has it. */
  readonly word: string
  readonly start: number
  readonly end: number
}

/** The words of a text, in its order. */
export function* wordsIn(text: string): Generator<PlacedWord> {
  for (const { 0: word, index } of text.matchAll(WORDS)) {
    yield { word: fold(word), start: index, end: index + word.length }
  }
}

/** Whether every word of `query` is the beginning of a word of `text`, whatever its capitals and accents. */
export function beginsWords(text: string, query: string): boolean {
  const words = [...wordsIn(text)].map(({ word }) => word)
  return wordsIn(query).every(({ word: wanted }) => words.some((word) => word.startsWith(wanted)))
}

/** A word as the text index compares it: without capitals and accents. */
function fold(word: string): string {
  if (/^[a-z0-9]+$/i.test(word)) return word.toLowerCase()
  return word
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
}
