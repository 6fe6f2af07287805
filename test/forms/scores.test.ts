import { describe, expect, test } from 'bun:test'
import { type NumberedQuestion, numberLookup, scoreResponse } from '../../src/forms/question-types/index.ts'
import { numbered } from '../support/forms/questions.ts'

const scores = (...answered: [NumberedQuestion, unknown][]) =>
  scoreResponse(
    answered.map(([question]) => question),
    new Map(answered.map(([question, answer]) => [question.id, answer])),
  )

const twoScales = [
  { text: 'Bad', opposingText: 'Good' },
  { text: 'Slow', opposingText: 'Fast' },
]
const nps = numbered(1, 'nps')
const likert = numbered(2, 'likert', { scales: twoScales, scaleStart: 2, scaleEnd: 6 })
const matrix = numbered(3, 'matrix')
const weighted = numbered(4, 'matrix', { lastColumnIsNotWeighted: true })

describe('the scores of a response', () => {
  test.each<[string, ReturnType<typeof scores>, object]>([
    ['nps is of 10', scores([nps, 9]), { total: 9, max: 10, percentage: 90 }],
    ['a score of 0 is a score', scores([nps, 0]), { total: 0, max: 10, percentage: 0 }],
    [
      'stars are of maxStars',
      scores([numbered(1, 'star_rating', { maxStars: 3 }), 2]),
      { total: 2, max: 3, percentage: 66.7 },
    ],
    [
      'a likert counts from scaleStart, per answered scale',
      scores([
        likert,
        [
          { scale: 0, value: 2 },
          { scale: 1, value: 5 },
        ],
      ]),
      { total: 3, max: 8, percentage: 37.5 },
    ],
    [
      'an unanswered scale adds nothing',
      scores([likert, [{ scale: 1, value: 5 }]]),
      { total: 3, max: 4, percentage: 75 },
    ],
    [
      'a slider counts as a likert does',
      scores([numbered(2, 'likert_slider', { scaleStart: -10, scaleEnd: 10 }), [{ scale: 0, value: 0 }]]),
      { total: 10, max: 20, percentage: 50 },
    ],
    [
      'a matrix counts column index + 1 per answered row',
      scores([
        matrix,
        [
          { row: 0, column: 0 },
          { row: 1, column: 2 },
        ],
      ]),
      { total: 4, max: 6, percentage: 66.7 },
    ],
    [
      'an unanswered row adds nothing',
      scores([matrix, [{ row: 1, column: 2 }]]),
      { total: 3, max: 3, percentage: 100 },
    ],
    [
      'a last column that is not weighted counts towards neither',
      scores([
        weighted,
        [
          { row: 0, column: 2 },
          { row: 1, column: 1 },
        ],
      ]),
      { total: 2, max: 2, percentage: 100 },
    ],
    ['nothing but such a column', scores([weighted, [{ row: 0, column: 2 }]]), { total: 0, max: 0, percentage: null }],
    [
      'an unanswered question adds nothing',
      scores([nps, 5], [likert, null], [matrix, undefined]),
      { total: 5, max: 10, percentage: 50 },
    ],
    ['nothing answered', scores([nps, null]), { total: 0, max: 0, percentage: null }],
    ['no questions', scores(), { total: 0, max: 0, percentage: null }],
    [
      'types without a score add nothing',
      scores([numbered(1, 'numeric'), 7], [numbered(2, 'binary'), true], [numbered(3, 'textbox'), 'x']),
      { total: 0, max: 0, percentage: null },
    ],
    [
      'questions add up',
      scores([nps, 7], [numbered(5, 'star_rating'), 5], [likert, [{ scale: 0, value: 6 }]]),
      { total: 16, max: 19, percentage: 84.2 },
    ],
  ])('%s', (_, actual, expected) => expect(actual).toEqual(expected as never))
})

describe('the number an answer gives to a formula', () => {
  const questions = [
    numbered(1, 'numeric', { friendlyId: 'SEATS' }),
    numbered(2, 'binary', { friendlyId: 'VIP' }),
    numbered(3, 'textbox', { friendlyId: 'AGE', inputLimitation: 'integer' }),
    numbered(4, 'nps', { friendlyId: 'SCORE' }),
    numbered(5, 'star_rating', { friendlyId: 'STARS' }),
    numbered(6, 'choose_one', { friendlyId: 'COLOUR' }),
  ]
  const number = numberLookup(
    questions,
    new Map<number, unknown>([
      [1, 2.5],
      [2, true],
      [3, ' 42 '],
      [4, null],
      [6, { selected: 'Red', other: null }],
    ]),
  )

  test.each([
    ['SEATS', 2.5],
    ['VIP', 1],
    ['AGE', 42],
    ['SCORE', 0],
    ['STARS', 0],
    ['COLOUR', 0],
    ['NONE', 0],
    ['constructor', 0],
  ])('%s is %p', (friendlyId, expected) => expect(number(friendlyId)).toBe(expected))

  test('an unfinished integer is 0', () => {
    expect(numberLookup(questions, new Map([[3, '4 or 5']]))('AGE')).toBe(0)
  })
})
