import { describe, expect, test } from 'bun:test'
import { helpWords, helpWordsOf } from '../../src/help/words/index.ts'
import { wordLists } from '../../src/hosted/words/index.ts'

const english = helpWords.en as NonNullable<typeof helpWords.en>
const keys = Object.keys(english) as (keyof typeof english)[]
const formsOf = (sentence: unknown) => (typeof sentence === 'string' ? { other: sentence } : (sentence as object))

test('help centres speak the languages of hosted forms', () => {
  expect(Object.keys(helpWords)).toEqual(Object.keys(wordLists))
})

describe.each(Object.keys(helpWords))('the words of %s', (language) => {
  const words = helpWords[language] as typeof english

  test('are whole, with the same places and a form for each plural that whole numbers take', () => {
    expect(Object.keys(words)).toEqual(keys)
    const rules = new Intl.PluralRules(language)
    const categories = new Set(['other', ...Array.from({ length: 1001 }, (_, count) => rules.select(count))])
    for (const key of keys) {
      const forms = formsOf(words[key])
      if (typeof english[key] !== 'string')
        expect([key, new Set([...Object.keys(forms), 'many'])]).toEqual([key, new Set([...categories, 'many'])])
      for (const text of Object.values(forms)) {
        const places = (sentence: string) =>
          [...sentence.matchAll(/\{(\w+)\}/g)]
            .map(([, place]) => place)
            .filter((place) => place !== 'count')
            .sort()
        expect([key, places(text)]).toEqual([key, places(Object.values(formsOf(english[key]))[0])])
        expect(text.replace(/\{\w+\}/g, '1')).not.toMatch(/[<>&{}]|^\s|\s$/)
      }
    }
  })

  if (language === 'en') return
  test('have nothing of the English ones left', () => {
    expect(keys.filter((key) => JSON.stringify(words[key]) === JSON.stringify(english[key]))).toEqual([])
  })
})

test('a day is written as its readers write it', () => {
  const at = '2026-03-01T23:59:59.000Z'
  expect(['en', 'de', 'ja', 'fi'].map((language) => helpWordsOf(language).date(at))).toEqual([
    'March 1, 2026',
    '1. März 2026',
    '2026年3月1日',
    'March 1, 2026',
  ])
})
