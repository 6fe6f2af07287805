import { expect, test } from 'bun:test'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import fc from 'fast-check'
import { AppError } from '../../src/errors.ts'
import {
  acceptAnswer,
  answerSchemas,
  answerText,
  checkForm,
  completeAnswer,
  parseQuestion,
  type Question,
  questionReadSchemas,
  questionTypeNames,
  questionTypes,
  sampleAnswer,
  scoreResponse,
} from '../../src/forms/question-types/index.ts'
import { answerContext, answerPlace, everyQuestion, place, questionBody } from '../support/forms/questions.ts'

const runs = { numRuns: 2000 }
const hostileKeys = ['__proto__', 'constructor', 'toString', 'prototype', 'hasOwnProperty', 'valueOf', 'length']
const fieldNames = [
  'type',
  'text',
  'required',
  'friendlyId',
  ...questionTypes.flatMap((type) => Object.keys(type.fields)),
]
const answerSchema = new Map(
  Object.entries(answerSchemas).map(([type, schema]) => [type, TypeCompiler.Compile(schema)]),
)
const readSchema = new Map(
  Object.entries(questionReadSchemas).map(([type, schema]) => [type, TypeCompiler.Compile(schema)]),
)

const key = fc.oneof(fc.constantFrom(...hostileKeys), fc.constantFrom(...fieldNames), fc.string())
const json = fc.oneof(fc.jsonValue(), fc.constantFrom<unknown>(...hostileKeys, ...questionTypeNames), fc.integer())
const hostileObject = fc
  .array(fc.tuple(key, json))
  .map((entries) =>
    JSON.parse(`{${entries.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`)}}`),
  )

/** Labels with which a form can go wrong. */
const labels = (min: number) =>
  fc
    .uniqueArray(fc.oneof(fc.constantFrom(...hostileKeys), fc.string({ minLength: 1, maxLength: 20 })), {
      minLength: min,
      maxLength: 8,
      selector: (label) => label.trim(),
    })
    .filter((list) => list.every((label) => label.trim() !== ''))

/** Valid questions of all types, with settings that vary. */
const anyQuestion: fc.Arbitrary<Question> = fc
  .record({
    type: fc.constantFrom(...questionTypeNames),
    options: labels(2),
    otherText: fc.constantFrom(null, 'Other'),
    minSelections: fc.constantFrom(null, 0, 1, 2),
    maxSelections: fc.constantFrom(null, 2),
    scales: fc.array(fc.constant({ text: 'Bad', opposingText: 'Good' }), { minLength: 1, maxLength: 4 }),
    scaleStart: fc.integer({ min: -20, max: 4 }),
    scaleEnd: fc.integer({ min: 5, max: 60 }),
    icon: fc.constantFrom(null, 'thumbs', 'tick_cross', 'faces'),
    maxStars: fc.integer({ min: 1, max: 10 }),
    inputLimitation: fc.constantFrom(null, 'email', 'telephone', 'url', 'integer', 'letters'),
    columnHeadings: labels(1),
    rowHeadings: labels(1),
    lastColumnIsNotWeighted: fc.boolean(),
    rankOptions: labels(2),
    contactFields: fc.uniqueArray(
      fc.record({
        field: fc.constantFrom('first_name', 'email', 'phone_number', 'country', 'zip_code'),
        visible: fc.boolean(),
      }),
      { minLength: 1, selector: ({ field }) => field },
    ),
    collectTime: fc.boolean(),
    fileUploadSlots: labels(1),
    amount: fc.nat(),
    currency: fc.constantFrom(null, 'EUR', 'JPY', 'KWD'),
    formula: fc.constantFrom(null, '{SEATS} * 1200'),
    required: fc.boolean(),
    text: fc.string(),
  })
  .map((body) => parseQuestion(body, place))

test('a sample answer always completes its question, and is stored as the schema says', () => {
  fc.assert(
    fc.property(
      anyQuestion,
      fc.infiniteStream(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })),
      (question, chance) => {
        const sample = sampleAnswer(question, () => chance.next().value as number, 'png')
        const stored = acceptAnswer(question, sample, answerPlace, answerContext, { complete: true })
        if (stored === null) return expect(question.type).toBe('contact_details')
        expect(answerSchema.get(question.type)?.Check(stored)).toBe(true)
        expect(JSON.parse(JSON.stringify(stored))).toEqual(stored)
        expect(completeAnswer(question, stored, answerPlace, answerContext)).toEqual(stored)
        expect(answerText(question, stored)).not.toBe('')
        const { total, max } = scoreResponse([{ ...question, id: 1 }], new Map([[1, stored]]))
        expect(total >= 0 && total <= max).toBe(true)
      },
    ),
    runs,
  )
})

test('a valid question reads back as its schema says, and creates the same question again', () => {
  fc.assert(
    fc.property(anyQuestion, ({ settings, ...common }) => {
      expect(readSchema.get(common.type)?.Check({ id: 1, showIf: null, ...common, ...settings })).toBe(true)
      expect(parseQuestion({ ...common, ...settings }, place)).toEqual({ ...common, settings } as Question)
    }),
    runs,
  )
})

test('any JSON as a question is valid or a 400', () => {
  const body = fc.oneof(
    json,
    hostileObject,
    fc.tuple(fc.constantFrom(...questionTypeNames), hostileObject).map(([type, fields]) => questionBody(type, fields)),
    fc
      .tuple(fc.constantFrom(...questionTypeNames), fc.constantFrom(...fieldNames), json)
      .map(([type, name, value]) => questionBody(type, { [name]: value })),
  )
  fc.assert(
    fc.property(body, (input) => {
      refusesPolitely(() => {
        const question = parseQuestion(input, place)
        checkForm([{ place, question }])
        expect(Object.getPrototypeOf(question.settings)).toBe(Object.prototype)
      })
    }),
    runs,
  )
})

test('any JSON as an answer is valid or a 400, and what a partial save keeps is as the schema says', () => {
  const part = fc.oneof(
    json,
    hostileObject,
    fc.dictionary(
      fc.constantFrom(
        'scale',
        'value',
        'row',
        'column',
        'slot',
        'uploadId',
        'selected',
        'other',
        'from',
        'to',
        'email',
        ...hostileKeys,
      ),
      json,
    ),
  )
  const value = fc.oneof(part, fc.array(part))
  fc.assert(
    fc.property(fc.constantFrom(...everyQuestion), value, (question, input) => {
      refusesPolitely(() => {
        const stored = acceptAnswer(question, input, answerPlace, answerContext, { complete: false })
        if (stored !== null) expect(answerSchema.get(question.type)?.Check(stored)).toBe(true)
        expect(answerText(question, stored)).toBeString()
        scoreResponse([{ ...question, id: 1 }], new Map([[1, stored]]))
        completeAnswer(question, stored, answerPlace, answerContext)
      })
    }),
    { numRuns: 5000 },
  )
})

/** Runs `attempt`, which may refuse its input in one way only. */
function refusesPolitely(attempt: () => void): void {
  try {
    attempt()
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    expect(error.code).toBe('invalid_request')
    expect(error.message).toStartWith(error.message.startsWith(place) ? `${place}` : `${answerPlace}: `)
    expect(error.message.length).toBeLessThan(600)
  }
}
