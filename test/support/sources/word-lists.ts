import { describe, expect, test } from 'bun:test'
import type { Plural } from '../../../src/words/sentences.ts'

const all = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pl', 'pt', 'sv', 'da', 'ja', 'ar', 'he']

type List = Readonly<Record<string, string | Plural>>

const placesIn = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, place]) => place as string).sort()
const formsOf = (sentence: string | Plural): [string, string][] =>
  typeof sentence === 'string' ? [['other', sentence]] : (Object.entries(sentence) as [string, string][])

/**
 * The rules for lists of sentences in every language that we speak, or those of `languages`. `alike` names, by language, the words that are the
 * same in English, and no sentence that somebody forgot.
 */
export function describeWordLists(
  lists: Readonly<Record<string, List>>,
  alike: Readonly<Record<string, string[]>>,
  languages: readonly string[] = all,
): void {
  const english = lists.en as List
  const keys = Object.keys(english)

  test('there is a list for each language', () => {
    expect(Object.keys(lists).sort()).toEqual(languages.toSorted())
  })

  test('no English word has a blank before its ellipsis', () => {
    const sentences = keys.flatMap((key) => formsOf(english[key] as string).map(([, text]) => text))
    expect(sentences.filter((text) => text.includes(' …'))).toEqual([])
  })

  describe.each(languages)('the words of %s', (language) => {
    const words = lists[language] as List

    test('are whole, in the order of the English ones', () => {
      expect(Object.keys(words)).toEqual(keys)
      for (const key of keys) expect([key, typeof words[key]]).toEqual([key, typeof english[key]])
    })

    test('hold the same places, but for a count that a form says in a word', () => {
      for (const key of keys) {
        const { other: expected = '' } = Object.fromEntries(formsOf(english[key] as string))
        for (const [category, text] of formsOf(words[key] as string)) {
          const places = placesIn(text)
          if (category !== 'other' && !places.includes('count')) places.push('count')
          expect([key, category, places.sort()]).toEqual([key, category, placesIn(expected)])
        }
      }
    })

    test('have a form for each plural category that whole numbers take, and no other', () => {
      const rules = new Intl.PluralRules(language)
      const counts = Array.from({ length: 1001 }, (_, count) => rules.select(count))
      const categories = [...new Set([...counts, 'other'])].sort()
      for (const key of keys) {
        const sentence = words[key] as string | Plural
        if (typeof sentence !== 'string') expect([key, Object.keys(sentence).sort()]).toEqual([key, categories])
      }
    })

    test('hold words alone: nothing blank, no code, no stray space', () => {
      for (const key of keys)
        for (const [, text] of formsOf(words[key] as string)) {
          expect([key, text]).toEqual([key, text.trim()])
          expect(text).not.toBe('')
          expect(text.replace(/\{[a-z]+\}/gi, '1')).not.toMatch(/[<>&{}$\\|]|\s\s/)
        }
    })

    test('end as the English ones do: a sentence is one, a label is none', () => {
      const end = (text: string) => /[.。]$/.test(text)
      for (const key of keys)
        for (const [, text] of formsOf(words[key] as string))
          expect([key, text, end(text)]).toEqual([key, text, end(formsOf(english[key] as string)[0]?.[1] ?? '')])
    })

    if (language === 'en') return
    test('have nothing of the English ones left', () => {
      const left = keys.filter((key) => JSON.stringify(words[key]) === JSON.stringify(english[key]))
      expect(left.sort()).toEqual((alike[language] as string[]).sort())
      if (!/ja|ar|he/.test(language)) return
      for (const key of keys)
        for (const [, text] of formsOf(words[key] as string)) {
          const latin = text.replace(/\{\w+\}|JavaScript|example\.com|Enter|Shift/g, '').match(/[a-z]+/i)
          expect([key, latin]).toEqual([key, null])
        }
    })
  })
}
