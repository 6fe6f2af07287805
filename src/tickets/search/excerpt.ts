import { oneLine } from '../../lib/text/one-line.ts'
import { wordsIn } from '../../lib/text/words.ts'

/** A text of one line, and where the words looked for are in it: from, to (not included). */
export interface Highlighted {
  readonly text: string
  readonly marks: readonly (readonly [start: number, end: number])[]
}

/** The longest passage, in characters, and how much of it stands before the first word that was found. */
const LONGEST = 180
const LEAD = 50

/** Where the words are in a text: whole ones, and the last as the beginning of one. `words` are as `wordsIn` has them. */
export function foundPlaces(text: string, words: readonly string[]): [start: number, end: number][] {
  return [...placesIn(text, words)]
}

/** The part of a text in which the words first are, or its beginning. */
export function passageWith(text: string, words: readonly string[]): Highlighted {
  const first = placesIn(text, words).next().value?.[0] ?? 0
  const from = first <= LEAD ? 0 : beginningOfWord(text, first - LEAD)
  const to = from + LONGEST < text.length ? endOfWord(text, from + LONGEST) : text.length
  const line = `${from > 0 ? '… ' : ''}${oneLine(text.slice(from, to))}${to < text.length ? ' …' : ''}`
  return { text: line, marks: foundPlaces(line, words) }
}

function* placesIn(text: string, words: readonly string[]): Generator<[start: number, end: number], undefined> {
  const whole = new Set(words)
  const last = words.at(-1)
  for (const { word, start, end } of wordsIn(text)) {
    if (whole.has(word) || (last !== undefined && word.startsWith(last))) yield [start, end]
  }
}

/** Where the next word begins, unless that is far. */
function beginningOfWord(text: string, from: number): number {
  const space = text.slice(from, from + LEAD).search(/\s/)
  return wholeCharacter(text, space === -1 ? from : from + space + 1)
}

/** Where the last word ends that fits, unless it began long before. */
function endOfWord(text: string, to: number): number {
  const tail = text.slice(to - LEAD, to).search(/\s\S*$/)
  return wholeCharacter(text, tail === -1 ? to : to - LEAD + tail)
}

/** Never between the halves of one. */
function wholeCharacter(text: string, at: number): number {
  const code = text.charCodeAt(at)
  return code >= 0xdc00 && code <= 0xdfff ? at + 1 : at
}
