import type { SearchedWord } from '../db/index.ts'
import { wordsIn } from '../lib/text/words.ts'
import type { Block } from './plain.ts'

/** The longest excerpt, in characters. */
const LONGEST = 300
/** Sentences of a paragraph that are looked at. */
const SENTENCES = 500

/** The place in an article that answers best, as plain text. */
export interface Excerpt {
  readonly text: string
  /** Where words of the question are in it: from, to (not included). */
  readonly marks: readonly (readonly [start: number, end: number])[]
}

/** A sentence of a block, by what it is worth to who asks. */
interface Sentence {
  readonly text: string
  /** What the words of the question in it weigh together, those of the heading above it at half. */
  readonly words: ReadonlyMap<SearchedWord, number>
}

/** Whole sentences of one block that hold most of the words, as many as fit. The beginning where there is no word. */
export function excerptOf(blocks: readonly Block[], words: readonly SearchedWord[]): Excerpt {
  let best = { text: '', score: -1 }
  let heading = new Map<SearchedWord, number>()
  for (const block of blocks) {
    if (block.isHeading) {
      heading = weigh(block.text, words, 0.5)
      continue
    }
    const sentences = sentencesOf(block.text).map((text) => ({ text, words: weigh(text, words, 1) }))
    for (let from = 0; from < sentences.length; from += 1) {
      const passage = passageFrom(sentences, from, heading)
      if (passage.score > best.score) best = passage
      if (passage.isRest) break
    }
  }
  const text = cut(best.text === '' ? (blocks[0]?.text ?? '') : best.text)
  return { text, marks: marksIn(text, words) }
}

function passageFrom(sentences: readonly Sentence[], from: number, heading: ReadonlyMap<SearchedWord, number>) {
  const found = new Map(heading)
  let text = ''
  let at = from
  for (; at < sentences.length; at += 1) {
    const next = sentences[at] as Sentence
    if (text !== '' && text.length + 1 + next.text.length > LONGEST) break
    text = text === '' ? next.text : `${text} ${next.text}`
    for (const [word, weight] of next.words) found.set(word, Math.max(weight, found.get(word) ?? 0))
  }
  let score = 0
  for (const weight of found.values()) score += weight
  return { text, score, isRest: at === sentences.length }
}

/** What each word of the question that is in the text weighs. */
function weigh(text: string, words: readonly SearchedWord[], share: number): Map<SearchedWord, number> {
  const found = new Map<SearchedWord, number>()
  for (const { word } of wordsIn(text)) {
    const used = words.find((candidate) => isMeant(candidate, word))
    if (used) found.set(used, used.weight * share)
  }
  return found
}

function isMeant({ word, isBeginning }: SearchedWord, other: string): boolean {
  return isBeginning ? other.startsWith(word) : other === word
}

/** Where the words are in a text. */
function marksIn(text: string, words: readonly SearchedWord[]): [number, number][] {
  return [...wordsIn(text)]
    .filter(({ word }) => words.some((used) => isMeant(used, word)))
    .map(({ start, end }) => [start, end])
}

function sentencesOf(text: string): string[] {
  return text.split(/(?<=[.!?…][)"'”’»]?)\s+(?=\S)|(?<=[。！？])/, SENTENCES).filter(Boolean)
}

/** At most so many characters, ended at a word. */
function cut(text: string): string {
  if (text.length <= LONGEST) return text
  const short = text.slice(0, LONGEST - 1)
  const end = Math.max(short.lastIndexOf(' '), LONGEST - 60)
  return `${short
    .slice(0, end)
    .toWellFormed()
    .replace(/[\s,;:–-]+$/, '')}…`
}
