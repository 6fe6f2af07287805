import { expect, test } from 'bun:test'
import type { RuleWords } from '../../src/console/words/rules.ts'
import { type pageRules, rules } from '../../src/errors/rules.ts'
import { AppError, invalid, refusal, rule } from '../../src/errors.ts'

test('the English of the API stays as it is for those who read it', () => {
  expect(rules).toMatchSnapshot()
})

test.each([
  ['name: must be 1 to 255 characters', invalid('name', rule('length', { least: 1, most: 255 }))],
  ['not a date-time', invalid('', rule('not_date_time'))],
  ['options: at least 1 slot is required', invalid('options', rule('too_few_labels', { count: 1, noun: 'slot' }))],
  [
    'options: at least 2 options are required',
    invalid('options', rule('too_few_labels', { count: 2, noun: 'option' })),
  ],
  [
    'the form cannot be re-opened: it has its 3 responses; change that setting first',
    refusal('conflict', rule('form_over', { why: rule('form_full', { most: 3 }) })),
  ],
  ['file: must be at most 1.5 MiB', refusal('too_large', rule('too_large', { size: 1.5 * 1024 * 1024 }), {}, 'file')],
  ['signature: must be at most 16 KiB', invalid('signature', rule('too_large', { size: 16 * 1024 }))],
  ['body: must be at most 1 MiB', refusal('too_large', rule('body_too_large', { size: 1024 * 1024 }), {}, 'body')],
])('%s: place and rule are said', (message, error) => expect(error.message).toBe(message))

test('what a caller gave stands in a sentence as it was given', () => {
  expect(invalid('friendlyId', rule('listed_twice', { item: '"{most}"' })).message).toBe(
    'friendlyId: "{most}" is listed twice',
  )
})

test('a rule without its values, words for some rules alone, or a sentence in place of a rule do not compile', () => {
  // @ts-expect-error: how long it may be is missing.
  rule('too_long', {})
  // @ts-expect-error: there is no such rule.
  rule('too_lengthy')
  // @ts-expect-error: most rules have no words here.
  const words: RuleWords<typeof pageRules> = { rule_required: 'Is required.' }
  // @ts-expect-error: what somebody can mend names its rule.
  const error = new AppError('conflict', 'somebody was faster')
  expect([Object.keys(words).length, error.message]).toEqual([1, 'somebody was faster'])
})
