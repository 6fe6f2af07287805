import { describe, expect, test } from 'bun:test'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import { AppError } from '../../src/errors.ts'
import {
  checkForm,
  parseQuestion,
  type QuestionType,
  questionReadSchema,
  questionTypeNames,
  questionTypes,
} from '../../src/forms/question-types/index.ts'
import { brokenQuestions, list } from '../support/forms/question-rules.ts'
import { everyQuestion, messageOf, place, question, questionBody } from '../support/forms/questions.ts'

const fieldNames = [...new Set(questionTypes.flatMap((entry) => Object.keys(entry.fields)))]

describe('a question given no more than it needs', () => {
  const defaults: Record<QuestionType, object> = {
    choose_one: { options: ['Red', 'Blue', 'Green'], otherText: null },
    dropdown: { options: ['Red', 'Blue', 'Green'], otherText: null },
    choose_any: { options: ['Red', 'Blue', 'Green'], otherText: null, minSelections: null, maxSelections: null },
    multi_dropdown: { options: ['Red', 'Blue', 'Green'], otherText: null, minSelections: null, maxSelections: null },
    likert: { scales: [{ text: 'Disagree', opposingText: 'Agree' }], scaleStart: 1, scaleEnd: 5 },
    likert_slider: { scales: [{ text: 'Disagree', opposingText: 'Agree' }], scaleStart: 1, scaleEnd: 5 },
    nps: {},
    binary: { trueLabel: 'Yes', falseLabel: 'No', icon: 'thumbs' },
    star_rating: { maxStars: 5 },
    textbox: { rows: 1, inputLimitation: null },
    matrix: {
      rowHeadings: ['Speed', 'Price'],
      columnHeadings: ['Bad', 'Fair', 'Good'],
      lastColumnIsNotWeighted: false,
    },
    ranking: { rankOptions: ['First', 'Second', 'Third'] },
    contact_details: {
      contactFields: [
        { field: 'first_name', label: null, visible: true },
        { field: 'email', label: null, visible: true },
        { field: 'city', label: null, visible: false },
      ],
    },
    date: { datePlaceholder: null, collectTime: false },
    date_range: { startDatePlaceholder: null, endDatePlaceholder: null, collectTime: false },
    numeric: {},
    file_upload: { fileUploadSlots: ['CV', 'Letter'], maxFiles: 1 },
    signature: {},
    payment: { amount: null, currency: null, formula: null },
  }

  test('there are 19 types', () => expect(questionTypeNames).toHaveLength(19))

  for (const type of questionTypeNames) {
    const expected = { type, text: '', required: false, friendlyId: null, settings: defaults[type] } as never

    test(`${type} has its defaults filled in`, () => expect(question(type)).toEqual(expected))

    test(`${type} takes null for omitted, in every field but those it needs`, () => {
      const nulls = Object.fromEntries(fieldNames.map((name) => [name, null]))
      const body = { ...nulls, text: null, required: null, friendlyId: null, ...questionBody(type) }
      expect(parseQuestion(body, place)).toEqual(expected)
    })

    test(`${type} ignores the fields of other types, whatever their value`, () => {
      const own = questionTypes.find((entry) => entry.type === type)?.fields ?? {}
      for (const absurd of [-1, '', [], {}, [[null]], { constructor: 1 }, true, 1e308]) {
        const foreign = fieldNames.filter((name) => !(name in own)).map((name) => [name, absurd])
        expect(question(type, Object.fromEntries(foreign))).toEqual(expected)
      }
    })
  }

  test('reads back as its schema says', () => {
    const schema = TypeCompiler.Compile(questionReadSchema)
    for (const { settings, ...common } of everyQuestion) {
      expect([common.type, schema.Check({ id: 1, showIf: null, ...common, ...settings })]).toEqual([common.type, true])
    }
  })
})

describe('a question that keeps the rules', () => {
  const accepted: [QuestionType, object, object][] = [
    ['choose_one', { options: list(500), otherText: 'Other' }, { otherText: 'Other' }],
    ['choose_any', { minSelections: 0, maxSelections: 3 }, { minSelections: 0, maxSelections: 3 }],
    ['choose_any', { otherText: 'Other', maxSelections: 4 }, { maxSelections: 4 }],
    ['likert', { scaleStart: -2, scaleEnd: 98 }, { scaleStart: -2, scaleEnd: 98 }],
    ['likert_slider', { scaleStart: 0, scaleEnd: 10_000 }, { scaleEnd: 10_000 }],
    [
      'likert',
      { scales: [{ text: 'Cold', opposingText: 'Hot' }] },
      { scales: [{ text: 'Cold', opposingText: 'Hot' }] },
    ],
    ['binary', { trueLabel: 'True', falseLabel: 'False', icon: 'faces' }, { trueLabel: 'True', icon: 'faces' }],
    ['star_rating', { maxStars: 1 }, { maxStars: 1 }],
    ['star_rating', { maxStars: 10 }, { maxStars: 10 }],
    ['textbox', { rows: 4, inputLimitation: 'email' }, { rows: 4, inputLimitation: 'email' }],
    ['matrix', { lastColumnIsNotWeighted: true }, { lastColumnIsNotWeighted: true }],
    ['date', { datePlaceholder: '', collectTime: true }, { datePlaceholder: '', collectTime: true }],
    ['date_range', { startDatePlaceholder: 'From', endDatePlaceholder: 'To' }, { endDatePlaceholder: 'To' }],
    ['payment', { amount: 0, currency: 'EUR' }, { amount: 0, currency: 'EUR' }],
    ['payment', { amount: Number.MAX_SAFE_INTEGER }, { amount: Number.MAX_SAFE_INTEGER }],
    ['payment', { formula: '{SEATS} * 1200' }, { formula: '{SEATS} * 1200' }],
  ]
  test.each(accepted)('%s %j', (type, fields, settings) => {
    expect(question(type, fields).settings).toMatchObject(settings)
  })

  test('has its text sanitised', () => {
    expect(question('nps', { text: '<b onclick="x()">Hi</b><script>x()</script>' }).text).toBe('<b>Hi</b>')
  })

  test.each(['A', 'SEATS', 'SEATS_2', 'A1_B2_C3', 'A'.repeat(64)])('may have the friendlyId %s', (friendlyId) => {
    expect(question('nps', { friendlyId }).friendlyId).toBe(friendlyId)
  })
})

describe('a question that breaks a rule is a 400 that names it', () => {
  test.each(brokenQuestions)('%s %j', (type, fields, message) => {
    const body = questionBody(type)
    for (const [key, value] of Object.entries(fields)) Object.defineProperty(body, key, { value, enumerable: true })
    expect(messageOf(() => parseQuestion(body, place))).toBe(place + message)
  })

  test.each([[null], [5], ['nps'], [[]], [undefined]])('not an object: %p', (input) => {
    expect(messageOf(() => parseQuestion(input, place))).toBe(`${place}: must be an object`)
  })

  test('the error is an invalid_request', () => {
    expect(() => parseQuestion({ type: 'x' }, place)).toThrow(AppError)
    expect(() => parseQuestion({}, place)).toThrow(expect.objectContaining({ code: 'invalid_request' }))
  })
})

describe('the questions of a form', () => {
  const form = (...bodies: [QuestionType, object][]) =>
    bodies.map(([type, fields], index) => ({ place: `questions[${index}]`, question: question(type, fields) }))

  test('may refer to each other in formulas, in any order', () => {
    const questions = form(
      ['payment', { formula: '{SEATS} * {STARS} + {SCORE} - {VIP} / {AGE}' }],
      ['numeric', { friendlyId: 'SEATS' }],
      ['star_rating', { friendlyId: 'STARS' }],
      ['nps', { friendlyId: 'SCORE' }],
      ['binary', { friendlyId: 'VIP' }],
      ['textbox', { friendlyId: 'AGE', inputLimitation: 'integer' }],
    )
    expect(() => checkForm(questions)).not.toThrow()
  })

  test('may be 200, not 201', () => {
    const one = { place: 'questions[0]', question: question('nps') }
    expect(() => checkForm(Array(200).fill(one))).not.toThrow()
    expect(messageOf(() => checkForm(Array(201).fill(one)))).toBe('questions: at most 200 questions are allowed')
  })

  test('do not share a friendlyId', () => {
    const questions = form(['nps', { friendlyId: 'A' }], ['nps', {}], ['numeric', { friendlyId: 'A' }])
    expect(messageOf(() => checkForm(questions))).toBe('questions[2].friendlyId: A is already used by questions[0]')
  })

  test('do not name a friendlyId that is not there', () => {
    const questions = form(['numeric', { friendlyId: 'SEATS' }], ['payment', { formula: '2 * ({SEATS} + {SEAT})' }])
    const message = 'questions[1].formula: no question of the form has the friendlyId SEAT'
    expect(messageOf(() => checkForm(questions))).toBe(message)
  })

  test.each<[QuestionType, object]>([
    ['choose_one', {}],
    ['textbox', {}],
    ['textbox', { inputLimitation: 'email' }],
    ['payment', {}],
    ['date', {}],
  ])('do not name a %s %j in a formula: it gives no number', (type, fields) => {
    const questions = form([type, { ...fields, friendlyId: 'THAT' }], ['payment', { formula: '-{THAT}' }])
    expect(messageOf(() => checkForm(questions))).toBe('questions[1].formula: the question THAT gives no number')
  })
})
