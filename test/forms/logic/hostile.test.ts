import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { AppError } from '../../../src/errors.ts'
import { readContent } from '../../../src/forms/content.ts'
import { decide } from '../../../src/forms/logic/decide.ts'
import { operators } from '../../../src/forms/logic/model.ts'
import { logicOf } from '../../../src/forms/logic-input/logic-of.ts'
import { numberContent } from '../../../src/forms/pages.ts'
import { questionTypeNames } from '../../../src/forms/question-types/index.ts'
import { questionBody } from '../../support/forms/questions.ts'

const names = ['A', 'B', 'C', 'LATER', 'constructor', '__proto__']
const json = fc.jsonValue({ maxDepth: 2 })
const value = fc.oneof(json, fc.constantFrom('Red', 6, true, '2026-03-01', ['Red', 'Blue'], -0, 1e308, 'x'.repeat(50)))
const condition = fc.record(
  {
    question: fc.oneof(fc.constantFrom(...names), fc.integer(), json),
    hidden: fc.constantFrom('campaign', 'constructor', 'A b'),
    variable: fc.constantFrom(...names),
    op: fc.oneof(fc.constantFrom(...operators), json),
    value,
    scale: fc.oneof(fc.integer({ min: -1, max: 3 }), json),
  },
  { requiredKeys: ['op'] },
)
const good = fc.constantFrom<object>(
  { question: 'A', op: 'answered' },
  { hidden: 'campaign', op: 'is', value: 'x' },
  { variable: 'V', op: 'at_least', value: 1 },
)
const showIf = fc.oneof(
  { weight: 6, arbitrary: fc.constant(null) },
  { weight: 6, arbitrary: good.map((condition) => ({ match: 'all', conditions: [condition] })) },
  { weight: 1, arbitrary: json },
  {
    weight: 4,
    arbitrary: fc.record({ match: fc.constantFrom('all', 'any'), conditions: fc.array(condition, { maxLength: 3 }) }),
  },
)
const formula = fc
  .array(fc.constantFrom('{A}', '{B}', '{C}', '{LATER}', '+', '-', '*', '/', '(', ')', '1', '.5', '1e3', 'x', '"'), {
    maxLength: 8,
  })
  .map((parts) => parts.join(' '))

test('any JSON as what a form reacts to is valid, and then decided upon, or a 400', () => {
  let valid = 0
  const body = fc.record({
    types: fc.array(fc.constantFrom(...questionTypeNames), { minLength: 3, maxLength: 3 }),
    asks: fc.array(showIf, { minLength: 3, maxLength: 3 }),
    page: showIf,
    variables: fc.array(
      fc.record({
        name: fc.constantFrom('B', 'V', 'W'),
        formula: fc.oneof(formula, fc.constantFrom('1 / 0', '{W} + 1', '{V}')),
      }),
      { maxLength: 2 },
    ),
    ends: fc.array(fc.record({ showIf, thanks: fc.constant('x') }), { maxLength: 2 }),
  })
  fc.assert(
    fc.property(body, ({ types, asks, page, variables, ends }) => {
      const questions = types.map((type, index) =>
        questionBody(type, { friendlyId: names[index], showIf: index === 0 ? null : asks[index] }),
      )
      const given = { pages: [{ questions: questions.slice(0, 2) }, { showIf: page, questions: questions.slice(2) }] }
      try {
        const content = readContent({ ...given, variables, ends } as Parameters<typeof readContent>[0])
        const { pages, ends: stored } = numberContent(content, [], 1, 11)
        const logic = logicOf({ pages, variables: content.variables, ends: stored })
        const { variables: computed } = decide(logic, () => null, { campaign: 'x' })
        expect(Object.values(computed).every(Number.isFinite)).toBe(true)
        valid += 1
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'invalid_request') throw error
      }
    }),
    { numRuns: 3000 },
  )
  expect(valid).toBeGreaterThan(30)
})
