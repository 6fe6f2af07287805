import { describe, expect, test } from 'bun:test'
import { sayRule } from '../../src/console/rules.ts'
import { consoleWordingOf, consoleWordLists } from '../../src/console/words/index.ts'
import { pageRules } from '../../src/errors/rules.ts'
import { type Rule, rule } from '../../src/errors.ts'

const german = consoleWordingOf('de')
const said = (broken: Rule) => sayRule(german, broken)

/** The places of a sentence, whatever form a count gives it. */
const placesOf = (sentence: unknown) =>
  new Set([...JSON.stringify(sentence).matchAll(/\{(\w+)\}/g)].map(([, name]) => name))

describe('what operations refuse is said in the reader’s language', () => {
  test.each([
    [rule('too_long', { most: 500 }), 'Darf höchstens 500 Zeichen haben.'],
    [rule('between', { least: 1, most: 10 }), 'Muss von 1 bis 10 sein.'],
    [rule('length_not_blank', { least: 1, most: 320 }), 'Muss 1 bis 320 Zeichen haben und darf nicht leer sein.'],
    [rule('not_empty'), 'Darf nicht leer sein.'],
    [rule('too_few_items', { count: 1 }), 'Es muss mindestens 1 geben.'],
    [rule('too_few_items', { count: 2 }), 'Es müssen mindestens 2 sein.'],
    [
      rule('reply_not_sent', { why: rule('mail_refused', { said: '550 5.1.1 <b>No such user</b>' }) }),
      'Die Antwort wurde nicht gesendet. Der Mailserver hat sie abgelehnt: „550 5.1.1 <b>No such user</b>“.',
    ],
    [rule('listed_twice', { item: '"Rot"' }), '„Rot“ steht zweimal da.'],
    [rule('too_long', { most: 10_000 }), 'Darf höchstens 10.000 Zeichen haben.'],
    [rule('attachments_too_large', { size: 25 * 1024 * 1024 }), 'Dateien dürfen zusammen höchstens 25 MB groß sein.'],
    [rule('body_too_large', { size: 1.5 * 1024 * 1024 }), 'Was gesendet wurde, ist größer als 1,5 MB.'],
  ])('%j: %s', (broken, sentence) => expect(said(broken)).toBe(sentence))

  test('but for what only programs are refused, which is said in English', () => {
    expect(said(rule('body_depth', { most: 32 }))).toBe('Must not be nested deeper than 32 levels.')
  })
})

describe.each(Object.entries(consoleWordLists))('the words of %s', (_, words) => {
  test.each(Object.entries(pageRules))('for %s have places for its values alone', (key, english) => {
    const sentence = words[`rule_${key as keyof typeof pageRules}`]
    expect([...placesOf(sentence)].filter((place) => !placesOf(english).has(place))).toEqual([])
  })
})
