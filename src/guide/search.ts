import { type Excerpt, excerptOf } from '../assistant/excerpt.ts'
import { stopWordsOf } from '../assistant/stop-words.ts'
import type { SearchedWord } from '../db/index.ts'
import { wordsIn } from '../lib/text/words.ts'
import { type Chapter, chapters } from './chapters.ts'
import type { Section } from './sections.ts'

/** The longest question that is looked for, in characters. */
export const MAX_SEARCHED = 200
/** Sections that a search shows. */
const FOUND = 20
/** Words of so many letters are taken for the beginning of others. */
const BEGINNING = 3
/** What a word in the heading counts, and in the chapter's title, against one in the text. */
const IN_HEADING = 10
const IN_TITLE = 5
/** A word that comes often in a section counts so many times at most. */
const OFTEN = 4

/** A section that fits a question, with the place in it that fits best. */
export interface Found {
  readonly chapter: Chapter
  readonly section: Section
  readonly excerpt: Excerpt
}

/**
 * Sections that hold all of the question's words, the best first; where none does, those that hold some. The guide is
 * small: it is read through, which takes about a millisecond.
 */
export async function searchGuide(question: string): Promise<Found[]> {
  const words = await searchedWords(question)
  const hits = chapters.flatMap((chapter) =>
    chapter.sections.map((section) => ({ chapter, section, ...worth(chapter, section, words) })),
  )
  const most = Math.max(...hits.map(({ words }) => words))
  if (most === 0) return []
  return hits
    .filter(({ words }) => words === most)
    .sort((one, other) => other.score - one.score)
    .slice(0, FOUND)
    .map(({ chapter, section }) => ({ chapter, section, excerpt: excerptOf(section.blocks, words) }))
}

async function searchedWords(question: string): Promise<SearchedWord[]> {
  const asked = [...new Set([...wordsIn(question)].map(({ word }) => word))]
  const ordinary = await stopWordsOf('en')
  const telling = asked.filter((word) => !ordinary.has(word))
  return (telling.length > 0 ? telling : asked).map((word) => ({
    word,
    isBeginning: word.length >= BEGINNING,
    isInTitle: false,
    weight: 1,
  }))
}

/** How many of the words a section holds, and how well they fit. */
function worth({ title }: Chapter, section: Section, words: readonly SearchedWord[]) {
  const texts = wordsOf(section)
  const inTitle = [...wordsIn(title)].map(({ word }) => word)
  let [held, score] = [0, 0]
  for (const searched of words) {
    const times = texts.text.filter((word) => fits(searched, word)).length
    // Of two that hold it often, the one that holds little else.
    const share = times / (texts.text.length + 1)
    const value =
      Math.min(times, OFTEN) +
      share +
      (texts.heading.some((word) => fits(searched, word)) ? IN_HEADING : 0) +
      (inTitle.some((word) => fits(searched, word)) ? IN_TITLE : 0)
    if (value > 0) held += 1
    score += value
  }
  return { words: held, score }
}

function fits({ word, isBeginning }: SearchedWord, other: string): boolean {
  return isBeginning ? other.startsWith(word) : other === word
}

interface SectionWords {
  readonly heading: readonly string[]
  readonly text: readonly string[]
}

const known = new WeakMap<Section, SectionWords>()

/** Taken apart once, when the first search comes. */
function wordsOf(section: Section): SectionWords {
  const kept = known.get(section)
  if (kept) return kept
  const heading = [...wordsIn(section.title)].map(({ word }) => word)
  const text = section.blocks.flatMap((block) => [...wordsIn(block.text)].map(({ word }) => word))
  const made = { heading, text }
  known.set(section, made)
  return made
}
