import { describe, expect, test } from 'bun:test'
import { chatWordLists, chatWordsOf } from '../../src/livechat/words/index.ts'
import { describeWordLists } from '../support/sources/word-lists.ts'

/** Words that are the same in both languages. */
const alike: Record<string, string[]> = {
  de: [],
  fr: [],
  es: [],
  it: [],
  nl: [],
  pl: [],
  pt: [],
  sv: [],
  da: [],
  ja: [],
  ar: [],
  he: [],
}

describe('the words of the chat', () => {
  describeWordLists(chatWordLists, alike)
})

test('the chat counts as the language does', () => {
  expect([1, 2, 5].map((count) => chatWordsOf('pl').say('newMessages', { count }))).toEqual([
    '1 nowa wiadomość',
    '2 nowe wiadomości',
    '5 nowych wiadomości',
  ])
  expect(chatWordsOf('ar-EG').say('newMessages', { count: 11 })).toBe('١١ رسالة جديدة')
  expect(chatWordsOf('fa')).toMatchObject({ list: 'en', direction: 'rtl', language: 'fa' })
})
