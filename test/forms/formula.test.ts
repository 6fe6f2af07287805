import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { friendlyIdsIn, parseFormula, payableAmount } from '../../src/forms/question-types/formula.ts'
import { messageOf } from '../support/forms/questions.ts'

const place = 'questions[0].formula'
const values: Record<string, number> = { SEATS: 3, RATE: 0.15, NOTHING: 0 }
const amount = (text: string) =>
  payableAmount(parseFormula(text, place), (friendlyId) => values[friendlyId] ?? 0, place)

describe('a formula', () => {
  test.each([
    ['{SEATS} * 1200', 3600],
    ['1200', 1200],
    ['2 + 3 * 4', 14],
    ['(2 + 3) * 4', 20],
    ['10 - 4 - 3', 3],
    ['100 / 10 / 5', 2],
    ['-{SEATS} + 5', 2],
    ['+5', 5],
    ['--5', 5],
    ['.5 * 4', 2],
    ['1e3', 1000],
    ['{SEATS}*{SEATS}', 9],
    ['  (\n{SEATS}\t)  ', 3],
    ['1000 * (1 + {RATE})', 1150],
    ['1.005 * 100', 101],
    ['10 / 4', 3],
    ['0 - 0.2', 0],
    ['{NOTHING} * -1', 0],
  ])('%j is %p, rounded to a whole unit', (text, expected) => expect(amount(text)).toBe(expected))

  test('names its friendlyIds', () => {
    expect(friendlyIdsIn(parseFormula('{A} * (2 + -{B_2}) / {A}', place))).toEqual(['A', 'B_2', 'A'])
  })

  test.each([
    ['1 / 0', 'the formula divides by zero or gets too large'],
    ['0 / {NOTHING}', 'the formula divides by zero or gets too large'],
    ['1e300 * 1e300', 'the formula divides by zero or gets too large'],
    ['1e300', 'the formula gives an amount that is too large'],
    ['{NOTHING} - {SEATS}', 'the formula gives a negative amount, -3'],
  ])('%s cannot be paid', (text, rule) => expect(messageOf(() => amount(text))).toBe(`${place}: ${rule}`))

  const notArithmetic = 'the formula may hold numbers, friendlyIds in braces, + - * / and ( ) only'
  test.each([
    ...['1 2', '1, 2', '1; 2', '()', '"a"', '[1]', '1 % 2', '1 ** 2', '1 > 2', '!1', '~1', '1 ? 2 : 3'],
    ...['alert(1)', '{A}(1)', '{A}.b', '{A}["constructor"]', 'this', 'true', 'null', '1e999', '{A} || 1'],
  ])('%s is not arithmetic', (text) => {
    expect(messageOf(() => parseFormula(text, place))).toBe(`${place}: ${notArithmetic}`)
  })

  test.each(['SEATS', '{seats}', '{}', '{A', 'A}', '{{A}}', '{A}{B}', '{1A}', '{__proto__}', 'constructor'])(
    '%s is not a friendlyId in braces',
    (text) => {
      const message = `${place}: ${JSON.stringify(text)} is not a friendlyId in braces, such as {SEATS}`
      expect(messageOf(() => parseFormula(text, place))).toBe(message)
    },
  )

  test.each(['1 +', '* 2', '(1', '1)', '2{A}', '1 / / 2', '"', '1..2', '\\', '@'])('%s does not parse', (text) => {
    expect(messageOf(() => parseFormula(text, place))).toStartWith(`${place}: the formula cannot be read: `)
  })

  test('computes what JavaScript computes', () => {
    const expression = fc.letrec<{ node: string }>((tie) => ({
      node: fc.oneof(
        { depthSize: 'small' },
        fc.nat(1000).map(String),
        fc.constant('{SEATS}'),
        fc.tuple(tie('node'), fc.constantFrom('+', '-', '*'), tie('node')).map((parts) => `(${parts.join(' ')})`),
      ),
    })).node
    fc.assert(
      fc.property(expression, (text) => {
        const expected = new Function(`return ${text.replaceAll('{SEATS}', '3')}`)() as number
        fc.pre(expected >= 0 && expected < 1e15)
        // JavaScript has a negative zero; an amount does not.
        expect(amount(text)).toBe(expected || 0)
      }),
    )
  })

  test('of any text throws nothing but a 400', () => {
    const text = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...'{}()+-*/.AB_1 ,"[') }))
    fc.assert(
      fc.property(text, (input) => {
        const message = messageOf(() => amount(input))
        expect(message === 'nothing thrown' || message.startsWith(`${place}: `)).toBe(true)
      }),
      { numRuns: 2000 },
    )
  })

  test('may be nested as deep as its length allows', () => {
    expect(amount(`${'('.repeat(499)}1${')'.repeat(499)}`)).toBe(1)
    expect(amount(`${'-'.repeat(998)}1`)).toBe(1)
  })
})
