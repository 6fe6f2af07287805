import { expect, test } from 'bun:test'
import { rules } from '../../src/errors/rules.ts'
import { invalid, refusal, rule } from '../../src/errors.ts'

test('the English of the API stays as it is for those who read it', () => {
  expect(rules).toMatchSnapshot()
})

test.each([
  [invalid('name', rule('length', { least: 1, most: 255 })), 'name: must be 1 to 255 characters'],
  [invalid('', rule('not_date_time')), 'not a date-time'],
  [invalid('options', rule('too_few_labels', { count: 1, noun: 'slot' })), 'options: at least 1 slot is required'],
  [
    invalid('options', rule('too_few_labels', { count: 2, noun: 'option' })),
    'options: at least 2 options are required',
  ],
  [
    refusal('conflict', rule('form_over', { why: rule('form_full', { most: 3 }) })),
    'the form cannot be re-opened: it has its 3 responses; change that setting first',
  ],
  [refusal('too_large', rule('body_too_large', { size: '1 MiB' }), {}, 'body'), 'body: must be at most 1 MiB'],
])('%p says the place and the rule', (error, message) => expect(error.message).toBe(message))

test('what a caller gave stands in a sentence as it was given', () => {
  expect(invalid('friendlyId', rule('listed_twice', { item: '"{most}"' })).message).toBe(
    'friendlyId: "{most}" is listed twice',
  )
})
