import { describe, expect, test } from 'bun:test'
import { preferredLanguage, wordLists, wordsOf } from '../../src/hosted/words/index.ts'
import { describeWordLists } from '../support/sources/word-lists.ts'

/** Words that are the same in both languages, and no sentence that somebody forgot. */
const alike: Record<string, string[]> = {
  de: ['stepMeaning', 'endMeaning'],
  fr: ['stepMeaning', 'question', 'signature'],
  es: ['stepMeaning', 'endMeaning', 'no'],
  it: ['stepMeaning', 'endMeaning', 'no'],
  nl: ['stepMeaning', 'endMeaning'],
  pl: ['stepMeaning', 'endMeaning'],
  pt: ['stepMeaning', 'endMeaning'],
  sv: ['stepMeaning', 'endMeaning'],
  da: ['stepMeaning', 'endMeaning', 'send'],
  ja: [],
  ar: ['endMeaning'],
  he: ['stepMeaning', 'endMeaning'],
}

describeWordLists(wordLists, alike)

describe('a page', () => {
  test.each([
    ['de', 'de', 'ltr'],
    ['de-AT', 'de', 'ltr'],
    ['pt-BR', 'pt', 'ltr'],
    ['ar-EG', 'ar', 'rtl'],
    ['he', 'he', 'rtl'],
    ['ja-JP', 'ja', 'ltr'],
    ['fi', 'en', 'ltr'],
    ['fa', 'en', 'rtl'],
    ['ur-PK', 'en', 'rtl'],
    ['az-Arab', 'en', 'rtl'],
    ['zh-Hant-TW', 'en', 'ltr'],
    ['constructor', 'en', 'ltr'],
  ])('in %s takes the words of %s and runs %s', (language, list, direction) => {
    const wording = wordsOf(language)
    expect([wording.language, wording.list, wording.direction]).toEqual([
      language === 'constructor' ? 'en' : language,
      list,
      direction as 'ltr',
    ])
    expect(wording.say('send')).toBe(wordLists[list]?.send as string)
  })

  test.each(['', 'x', '*', 'not a language', '"><script>', 'a'.repeat(300)])(
    'in no language at all is English: %s',
    (language) => {
      expect([wordsOf(language).language, wordsOf(language).say('send')]).toEqual(['en', 'Send'])
    },
  )

  test('says counts in the form that its language asks for, and writes numbers as it does', () => {
    const { say } = wordsOf('pl')
    expect([1, 2, 5, 22].map((count) => say('chooseAtLeast', { count }))).toEqual([
      'Proszę wybrać co najmniej 1 odpowiedź.',
      'Proszę wybrać co najmniej 2 odpowiedzi.',
      'Proszę wybrać co najmniej 5 odpowiedzi.',
      'Proszę wybrać co najmniej 22 odpowiedzi.',
    ])
    expect(wordsOf('ar').say('answersToMend', { count: 2 })).toBe('هناك إجابتان تحتاجان إلى مراجعة.')
    expect(wordsOf('ar-EG').say('answersToMend', { count: 11 })).toBe('هناك ١١ إجابة تحتاج إلى مراجعة.')
    expect(wordsOf('fr').say('chooseUpTo', { count: 0 })).toBe('Choisissez au plus 0 réponse.')
    expect(wordsOf('de').write(1234.5)).toBe('1.234,5')
    expect(wordsOf('fi').say('answersToMend', { count: 1 })).toBe('One answer needs your attention.')
  })

  test('keeps a value apart that runs in another direction, and no other', () => {
    expect(wordsOf('ar').say('removeFile', { file: 'cv (1).pdf' })).toBe('إزالة \u2068cv (1).pdf\u2069')
    expect(wordsOf('en').say('removeFile', { file: 'تقرير' })).toBe('Remove \u2068تقرير\u2069')
    expect(wordsOf('en').say('removeFile', { file: 'cv.pdf' })).toBe('Remove cv.pdf')
  })

  test('leaves a value as it is that looks like a place or a pattern', () => {
    expect(wordsOf('en').say('ranked', { option: '{place} $& $1', place: 2, count: 3 })).toBe('{place} $& $1: 2 of 3')
  })
})

test.each([
  ['', 'en'],
  ['de', 'de'],
  ['de-CH, en;q=0.8', 'de'],
  ['fi, sv;q=0.9, en;q=0.8', 'sv'],
  ['en;q=0.5, fr;q=0.9', 'fr'],
  ['fr;q=0, it', 'it'],
  ['*', 'en'],
  ['tlh, *;q=0.1', 'en'],
  ['nonsense!!, ;;;q=, de;q=x, ar', 'ar'],
  ['__proto__, toString', 'en'],
  [`${'fi,'.repeat(5000)}de`, 'en'],
])('whoever accepts %p is spoken to in %s', (header, language) => {
  expect(preferredLanguage(header)).toBe(language)
})
