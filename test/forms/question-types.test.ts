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
import { everyQuestion, messageOf, place, question, questionBody } from '../support/questions.ts'

const fieldNames = [...new Set(questionTypes.flatMap((entry) => Object.keys(entry.fields)))]
const list = (count: number) => Array.from({ length: count }, (_, index) => `Label ${index}`)
const types = questionTypeNames.join(', ')
const contactFieldNames =
  'first_name, last_name, company, address_line_1, address_line_2, city, state, zip_code, country, email, phone_number'

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
    file_upload: { fileUploadSlots: ['CV', 'Letter'] },
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
      expect([common.type, schema.Check({ id: 1, ...common, ...settings })]).toEqual([common.type, true])
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
  const int32 = 'must be between -2147483648 and 2147483647'
  const choices: QuestionType[] = ['choose_one', 'dropdown', 'choose_any', 'multi_dropdown']
  const multiple: QuestionType[] = ['choose_any', 'multi_dropdown']
  const likerts: QuestionType[] = ['likert', 'likert_slider']

  const refused: [QuestionType, object, string][] = [
    ['nps', { type: 'stars' }, `.type: must be one of ${types}`],
    ['nps', { type: null }, `.type: must be one of ${types}`],
    ['nps', { type: 5 }, `.type: must be one of ${types}`],
    ['nps', { type: 'toString' }, `.type: must be one of ${types}`],
    ['nps', { type: '__proto__' }, `.type: must be one of ${types}`],
    ['nps', { type: 'NPS' }, `.type: must be one of ${types}`],
    ['nps', { optoins: [] }, ': unknown field "optoins"'],
    ['nps', { id: 1 }, ': unknown field "id"'],
    ['nps', { settings: {} }, ': unknown field "settings"'],
    ['nps', { wrong: null }, ': unknown field "wrong"'],
    ['nps', { constructor: 1 }, ': unknown field "constructor"'],
    ['nps', JSON.parse('{"__proto__": {"type": "nps"}}'), ': unknown field "__proto__"'],
    ['nps', { text: 5 }, '.text: must be a string'],
    ['nps', { text: 'x'.repeat(10_001) }, '.text: must be at most 10000 characters'],
    ['nps', { required: 'yes' }, '.required: must be true or false'],
    ['nps', { friendlyId: 7 }, '.friendlyId: must be a string'],
    ['nps', { friendlyId: 'A'.repeat(65) }, '.friendlyId: must be at most 64 characters'],
    ...['', 'seats', 'Seats', '1A', '_A', 'A_', 'A__B', 'A-B', 'A B', 'A\n', 'É', '__proto__'].map(
      (friendlyId): [QuestionType, object, string] => [
        'nps',
        { friendlyId },
        '.friendlyId: must be upper snake case, such as SEAT_COUNT',
      ],
    ),
    ...choices.flatMap((type): [QuestionType, object, string][] => [
      [type, { options: null }, '.options: at least 2 options are required'],
      [type, { options: [] }, '.options: at least 2 options are required'],
      [type, { options: ['Red'] }, '.options: at least 2 options are required'],
      [type, { options: 'Red' }, '.options: must be a list'],
      [type, { options: { 0: 'Red', 1: 'Blue', length: 2 } }, '.options: must be a list'],
      [type, { options: list(501) }, '.options: at most 500 items are allowed'],
      [type, { options: ['Red', 5] }, '.options[1]: must be a string'],
      [type, { options: ['Red', null] }, '.options[1]: must be a string'],
      [type, { options: ['Red', ''] }, '.options[1]: must not be blank'],
      [type, { options: ['Red', ' \t '] }, '.options[1]: must not be blank'],
      [type, { options: ['Red', 'x'.repeat(501)] }, '.options[1]: must be at most 500 characters'],
      [type, { options: ['Red', 'Blue', 'Red'] }, '.options[2]: "Red" is listed twice'],
      [type, { options: ['Red', ' Red '] }, '.options[1]: "Red" is listed twice'],
      [type, { otherText: 5 }, '.otherText: must be a string'],
      [type, { otherText: ' ' }, '.otherText: must not be blank'],
    ]),
    ...multiple.flatMap((type): [QuestionType, object, string][] => [
      [type, { minSelections: 1.5 }, '.minSelections: must be an integer'],
      [type, { minSelections: '1' }, '.minSelections: must be an integer'],
      [type, { minSelections: 2 ** 31 }, `.minSelections: ${int32}`],
      [type, { minSelections: -1 }, '.minSelections: must be between 0 and 3'],
      [type, { minSelections: 4 }, '.minSelections: must be between 0 and 3'],
      [type, { maxSelections: 0 }, '.maxSelections: must be between 1 and 3'],
      [type, { maxSelections: 4 }, '.maxSelections: must be between 1 and 3'],
      [type, { maxSelections: 5, otherText: 'Other' }, '.maxSelections: must be between 1 and 4'],
      [type, { minSelections: 3, maxSelections: 2 }, '.minSelections: must not be greater than maxSelections'],
    ]),
    ...likerts.flatMap((type): [QuestionType, object, string][] => [
      [type, { scales: 'x' }, '.scales: must be a list'],
      [type, { scales: [] }, '.scales: at least 1 scale is required'],
      [type, { scales: Array(101).fill({}) }, '.scales: at most 100 items are allowed'],
      [type, { scales: ['Good'] }, '.scales[0]: must be an object'],
      [type, { scales: [null] }, '.scales[0]: must be an object'],
      [type, { scales: [{ text: 'Bad' }] }, '.scales[0].opposingText: is required'],
      [type, { scales: [{ opposingText: 'Good', text: null }] }, '.scales[0].text: is required'],
      [type, { scales: [{ text: 'Bad', opposingText: ' ' }] }, '.scales[0].opposingText: must not be blank'],
      [type, { scales: [{ text: 1, opposingText: 'Good' }] }, '.scales[0].text: must be a string'],
      [type, { scales: [{ text: 'Bad', opposingText: 'Good', more: 1 }] }, '.scales[0]: unknown field "more"'],
      [type, { scaleStart: 'a' }, '.scaleStart: must be an integer'],
      [type, { scaleStart: -(2 ** 31) - 1 }, `.scaleStart: ${int32}`],
      [type, { scaleEnd: 2 ** 31 }, `.scaleEnd: ${int32}`],
      [type, { scaleStart: 5 }, '.scaleStart: must be less than scaleEnd'],
      [type, { scaleStart: 3, scaleEnd: 3 }, '.scaleStart: must be less than scaleEnd'],
      [type, { scaleStart: 7, scaleEnd: 3 }, '.scaleStart: must be less than scaleEnd'],
    ]),
    ['likert', { scaleEnd: 102 }, '.scaleEnd: must be at most 100 above scaleStart'],
    ['likert_slider', { scaleEnd: 10_002 }, '.scaleEnd: must be at most 10000 above scaleStart'],
    ['binary', { trueLabel: '' }, '.trueLabel: must not be blank'],
    ['binary', { falseLabel: 0 }, '.falseLabel: must be a string'],
    ['binary', { icon: 'stars' }, '.icon: must be one of thumbs, tick_cross, faces'],
    ['binary', { icon: 'constructor' }, '.icon: must be one of thumbs, tick_cross, faces'],
    ['binary', { icon: ['thumbs'] }, '.icon: must be one of thumbs, tick_cross, faces'],
    ['star_rating', { maxStars: 0 }, '.maxStars: must be between 1 and 10'],
    ['star_rating', { maxStars: 11 }, '.maxStars: must be between 1 and 10'],
    ['star_rating', { maxStars: 4.5 }, '.maxStars: must be an integer'],
    ['star_rating', { maxStars: '5' }, '.maxStars: must be an integer'],
    ['textbox', { rows: 0 }, '.rows: must be between 1 and 100'],
    ['textbox', { rows: 101 }, '.rows: must be between 1 and 100'],
    ['textbox', { inputLimitation: 'zip' }, '.inputLimitation: must be one of email, telephone, url, integer, letters'],
    ['textbox', { inputLimitation: '' }, '.inputLimitation: must be one of email, telephone, url, integer, letters'],
    ['matrix', { rowHeadings: null }, '.rowHeadings: at least 1 row heading is required'],
    ['matrix', { rowHeadings: [] }, '.rowHeadings: at least 1 row heading is required'],
    ['matrix', { rowHeadings: list(101) }, '.rowHeadings: at most 100 items are allowed'],
    ['matrix', { rowHeadings: ['A', 'A'] }, '.rowHeadings[1]: "A" is listed twice'],
    ['matrix', { columnHeadings: null }, '.columnHeadings: at least 1 column heading is required'],
    ['matrix', { columnHeadings: [] }, '.columnHeadings: at least 1 column heading is required'],
    ['matrix', { columnHeadings: [' '] }, '.columnHeadings[0]: must not be blank'],
    ['matrix', { lastColumnIsNotWeighted: 1 }, '.lastColumnIsNotWeighted: must be true or false'],
    ['ranking', { rankOptions: null }, '.rankOptions: at least 2 rank options are required'],
    ['ranking', { rankOptions: ['A'] }, '.rankOptions: at least 2 rank options are required'],
    ['ranking', { rankOptions: ['A', 'A '] }, '.rankOptions[1]: "A" is listed twice'],
    ['contact_details', { contactFields: null }, '.contactFields: at least 1 contact field is required'],
    ['contact_details', { contactFields: [] }, '.contactFields: at least 1 contact field is required'],
    ['contact_details', { contactFields: {} }, '.contactFields: must be a list'],
    ['contact_details', { contactFields: ['email'] }, '.contactFields[0]: must be an object'],
    ['contact_details', { contactFields: [{}] }, `.contactFields[0].field: must be one of ${contactFieldNames}`],
    [
      'contact_details',
      { contactFields: [{ field: 'fax' }] },
      `.contactFields[0].field: must be one of ${contactFieldNames}`,
    ],
    [
      'contact_details',
      { contactFields: [{ field: 'email' }, { field: 'email', visible: true }] },
      '.contactFields[1].field: email is listed twice',
    ],
    [
      'contact_details',
      { contactFields: [{ field: 'email', visible: 1 }] },
      '.contactFields[0].visible: must be true or false',
    ],
    [
      'contact_details',
      { contactFields: [{ field: 'email', label: ' ' }] },
      '.contactFields[0].label: must not be blank',
    ],
    [
      'contact_details',
      { contactFields: [{ field: 'email', required: true }] },
      '.contactFields[0]: unknown field "required"',
    ],
    ['date', { datePlaceholder: 5 }, '.datePlaceholder: must be a string'],
    ['date', { collectTime: 'no' }, '.collectTime: must be true or false'],
    ['date_range', { startDatePlaceholder: 'x'.repeat(501) }, '.startDatePlaceholder: must be at most 500 characters'],
    ['date_range', { endDatePlaceholder: [] }, '.endDatePlaceholder: must be a string'],
    ['file_upload', { fileUploadSlots: null }, '.fileUploadSlots: at least 1 file upload slot is required'],
    ['file_upload', { fileUploadSlots: [] }, '.fileUploadSlots: at least 1 file upload slot is required'],
    ['file_upload', { fileUploadSlots: list(51) }, '.fileUploadSlots: at most 50 items are allowed'],
    ['payment', { amount: -1 }, '.amount: must be between 0 and 9007199254740991'],
    ['payment', { amount: 12.5 }, '.amount: must be an integer'],
    ['payment', { amount: 2 ** 53 }, '.amount: must be an integer'],
    ...['XYZ', 'eur', 'EURO', '', 'XAU', 978].map((currency): [QuestionType, object, string] => [
      'payment',
      { currency },
      '.currency: must be an ISO 4217 code such as EUR',
    ]),
    ['payment', { formula: 5 }, '.formula: must be a string'],
    ['payment', { formula: ' ' }, '.formula: must not be blank'],
    ['payment', { formula: '1'.repeat(1001) }, '.formula: must be at most 1000 characters'],
  ]
  test.each(refused)('%s %j', (type, fields, message) => {
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
