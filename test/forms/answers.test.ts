import { describe, expect, test } from 'bun:test'
import { acceptAnswer, answerText, completeAnswer, type QuestionType } from '../../src/forms/question-types/index.ts'
import { answerContext, answerPlace, everyQuestion, messageOf, question } from '../support/forms/questions.ts'

const save = (type: QuestionType, fields: object, value: unknown) =>
  acceptAnswer(question(type, fields), value, answerPlace, answerContext, { complete: false })
const complete = (type: QuestionType, fields: object, value: unknown) =>
  acceptAnswer(question(type, fields), value, answerPlace, answerContext, { complete: true })

const png = { fileName: 'me.png', contentType: 'image/png', size: 3, url: 'https://files.test/png' }
const pdf = { fileName: 'cv.pdf', contentType: 'application/pdf', size: 5, url: 'https://files.test/pdf' }
const both = [
  { slot: 0, uploadId: 'png' },
  { slot: 1, uploadId: 'pdf' },
]
const nameAndPhone = [
  { field: 'first_name', visible: true },
  { field: 'phone_number', visible: true },
  { field: 'email' },
]
const twoScales = {
  scales: [
    { text: 'Bad', opposingText: 'Good' },
    { text: 'Slow', opposingText: 'Fast' },
  ],
}
const bounds = { minSelections: 2, maxSelections: 2 }

describe('a valid answer is stored at completion as decisions §4 writes it', () => {
  const accepted: [QuestionType, object, unknown, unknown][] = [
    ['choose_one', {}, { selected: 'Red', other: null }, { selected: 'Red', other: null }],
    ['choose_one', {}, { selected: 'Red' }, { selected: 'Red', other: null }],
    ['dropdown', { otherText: 'Other' }, { other: 'Teal' }, { selected: null, other: 'Teal' }],
    ['dropdown', {}, { selected: 'Red', other: ' ' }, { selected: 'Red', other: null }],
    ['choose_any', {}, { selected: ['Blue', 'Red'] }, { selected: ['Blue', 'Red'], other: null }],
    ['choose_any', bounds, { selected: ['Blue', 'Red'] }, { selected: ['Blue', 'Red'], other: null }],
    [
      'multi_dropdown',
      { otherText: 'Other', ...bounds },
      { selected: ['Red'], other: 'Teal' },
      { selected: ['Red'], other: 'Teal' },
    ],
    ['likert', twoScales, [{ scale: 1, value: 5 }], [{ scale: 1, value: 5 }]],
    ['likert_slider', { scaleStart: -5, scaleEnd: 0 }, [{ scale: 0, value: -5 }], [{ scale: 0, value: -5 }]],
    ['nps', {}, 0, 0],
    ['nps', { required: true }, 0, 0],
    ['nps', {}, 10, 10],
    ['binary', { required: true }, false, false],
    ['star_rating', { maxStars: 3 }, 3, 3],
    ['numeric', { required: true }, 0, 0],
    ['numeric', {}, -1.25, -1.25],
    ['textbox', {}, ' As it was typed ', ' As it was typed '],
    ['textbox', { inputLimitation: 'email' }, 'ada@acme.test', 'ada@acme.test'],
    ['textbox', { inputLimitation: 'email' }, ' ada@acme.test ', ' ada@acme.test '],
    ['textbox', { inputLimitation: 'telephone' }, '+44 (0)20 7946-0018', '+44 (0)20 7946-0018'],
    ['textbox', { inputLimitation: 'url' }, 'https://acme.test/a?b=c', 'https://acme.test/a?b=c'],
    ['textbox', { inputLimitation: 'url' }, 'HTTP://acme.test', 'HTTP://acme.test'],
    ['textbox', { inputLimitation: 'url' }, 'example.com', 'https://example.com'],
    [
      'textbox',
      { inputLimitation: 'url' },
      ' www.Bücher.example:8080/a?b=c#d ',
      'https://www.Bücher.example:8080/a?b=c#d',
    ],
    ['textbox', { inputLimitation: 'integer' }, '-12', '-12'],
    ['textbox', { inputLimitation: 'letters' }, 'Zoë Ångström', 'Zoë Ångström'],
    ['matrix', {}, [{ row: 1, column: 2 }], [{ row: 1, column: 2 }]],
    ['ranking', {}, ['Third', 'First', 'Second'], ['Third', 'First', 'Second']],
    ['contact_details', {}, { email: 'ada@acme.test' }, { first_name: null, email: 'ada@acme.test' }],
    ['contact_details', {}, { first_name: 'Ada', email: null, city: null }, { first_name: 'Ada', email: null }],
    ['contact_details', { required: true }, { email: 'ada@acme.test' }, { first_name: null, email: 'ada@acme.test' }],
    [
      'contact_details',
      { required: true, contactFields: nameAndPhone },
      { phone_number: ' 020 7946 0018 ' },
      { first_name: null, phone_number: ' 020 7946 0018 ' },
    ],
    ['date', {}, '2024-02-29', '2024-02-29'],
    ['date', { collectTime: true }, '2026-03-01T14:30', '2026-03-01T14:30'],
    ['date_range', {}, { from: '2026-03-01', to: '2026-03-01' }, { from: '2026-03-01', to: '2026-03-01' }],
    ['file_upload', {}, [{ slot: 1, uploadId: 'pdf' }], [{ slot: 1, ...pdf }]],
    [
      'file_upload',
      { maxFiles: 2 },
      [
        { slot: 1, uploadId: 'pdf' },
        { slot: 1, uploadId: 'png' },
      ],
      [
        { slot: 1, ...pdf },
        { slot: 1, ...png },
      ],
    ],
    [
      'file_upload',
      { required: true },
      both,
      [
        { slot: 0, ...png },
        { slot: 1, ...pdf },
      ],
    ],
    ['signature', {}, { uploadId: 'png' }, { contentType: 'image/png', size: 3, url: 'https://files.test/png' }],
    ['payment', {}, {}, { amount: null, currency: null, status: 'pending', reference: null }],
    [
      'payment',
      { amount: 500, currency: 'EUR' },
      {},
      { amount: 500, currency: 'EUR', status: 'pending', reference: null },
    ],
    [
      'payment',
      { amount: 500, currency: 'EUR', formula: '{SEATS} * 1200' },
      {},
      { amount: 3600, currency: 'EUR', status: 'pending', reference: null },
    ],
  ]
  test.each(accepted)('%s %j: %j', (type, fields, value, stored) => {
    expect(complete(type, fields, value)).toEqual(stored as never)
  })
})

describe('an answer that says nothing', () => {
  const empty: [QuestionType, unknown][] = [
    ...everyQuestion.map(({ type }): [QuestionType, unknown] => [type, null]),
    ['choose_one', {}],
    ['dropdown', { selected: null, other: '  ' }],
    ['choose_any', { selected: [] }],
    ['multi_dropdown', {}],
    ['likert', []],
    ['likert_slider', []],
    ['textbox', ''],
    ['textbox', ' \n\t '],
    ['matrix', []],
    ['ranking', []],
    ['contact_details', {}],
    ['contact_details', { first_name: ' ', email: '' }],
    ['date', ''],
    ['date_range', {}],
    ['date_range', { from: '', to: null }],
    ['file_upload', []],
  ]
  test.each(empty)('%s: %j is unanswered', (type, value) => {
    expect(save(type, {}, value)).toBeNull()
    expect(save(type, { required: true }, value)).toBeNull()
    expect(complete(type, {}, value)).toBeNull()
    const message = messageOf(() => complete(type, { required: true }, value))
    expect(message).toBe(`${answerPlace}: an answer is required`)
  })

  test('asks nothing of a contact question that shows no field', () => {
    const fields = { required: true, contactFields: [{ field: 'email' }] }
    expect(complete('contact_details', fields, null)).toBeNull()
    expect(complete('contact_details', fields, {})).toBeNull()
  })
})

describe('a value of the wrong shape is a 400 even in a partial save', () => {
  const refused: [QuestionType, unknown, string][] = [
    ['choose_one', 'Red', ': must be an object'],
    ['choose_one', ['Red'], ': must be an object'],
    ['choose_one', { selected: 5 }, ': value.selected: must be a string'],
    ['choose_one', { selected: ['Red'] }, ': value.selected: must be a string'],
    ['dropdown', { chosen: 'Red' }, ': unknown field "chosen"'],
    ['dropdown', { other: 'x'.repeat(10_001) }, ': value.other: must be at most 10000 characters'],
    ['choose_any', { selected: 'Red' }, ': value.selected: must be a list'],
    ['choose_any', { selected: [null] }, ': value.selected[0]: must be a string'],
    ['multi_dropdown', { selected: Array(501).fill('x') }, ': value.selected: at most 500 items are allowed'],
    ['likert', 4, ': must be a list'],
    ['likert', [4], ': value[0]: must be an object'],
    ['likert', [{ scale: 0 }], ': value[0].value: must be an integer'],
    ['likert', [{ scale: -1, value: 1 }], ': value[0].scale: must not be negative'],
    ['likert_slider', [{ scale: '0', value: 1 }], ': value[0].scale: must be an integer'],
    ['likert_slider', [{ scale: 0, value: 1.5 }], ': value[0].value: must be an integer'],
    ['likert_slider', [{ scale: 0, value: 1, more: 1 }], ': value[0]: unknown field "more"'],
    ['nps', '9', ': must be an integer'],
    ['nps', 9.5, ': must be an integer'],
    ['star_rating', true, ': must be an integer'],
    ['numeric', '5', ': must be a number'],
    ['numeric', Number.POSITIVE_INFINITY, ': must be a number'],
    ['binary', 'true', ': must be true or false'],
    ['binary', 1, ': must be true or false'],
    ['textbox', 5, ': must be a string'],
    ['textbox', 'x'.repeat(10_001), ': must be at most 10000 characters'],
    ['matrix', {}, ': must be a list'],
    ['matrix', [{ row: 0 }], ': value[0].column: must be an integer'],
    ['matrix', [{ row: 0, column: -1 }], ': value[0].column: must not be negative'],
    ['ranking', 'First', ': must be a list'],
    ['ranking', [1], ': value[0]: must be a string'],
    ['contact_details', 'Ada', ': must be an object'],
    ['contact_details', { first_name: 5 }, ': value.first_name: must be a string'],
    ['contact_details', { first_name: 'x'.repeat(256) }, ': value.first_name: must be at most 255 characters'],
    ['contact_details', { email: 'x'.repeat(321) }, ': value.email: must be at most 320 characters'],
    ['contact_details', { city: 'London' }, ': "city" is not a visible contact field of this question'],
    ['contact_details', { last_name: '' }, ': "last_name" is not a visible contact field of this question'],
    ['contact_details', { fax: null }, ': "fax" is not a visible contact field of this question'],
    [
      'contact_details',
      JSON.parse('{"__proto__":"x"}'),
      ': "__proto__" is not a visible contact field of this question',
    ],
    ['date', 5, ': must be a string'],
    ['date_range', '2026-03-01', ': must be an object'],
    ['date_range', { from: 5 }, ': value.from: must be a string'],
    ['date_range', { start: '2026-03-01' }, ': unknown field "start"'],
    ['file_upload', { slot: 0, uploadId: 'png' }, ': must be a list'],
    ['file_upload', [{ slot: 0 }], ': value[0].uploadId: must be a string'],
    ['file_upload', [{ slot: 0, uploadId: 'none' }], ': value[0].uploadId: there is no upload "none"'],
    ['file_upload', [{ slot: 0, url: 'x' }], ': value[0]: unknown field "url"'],
    ['signature', 'png', ': must be an object'],
    ['signature', { uploadId: 'none' }, ': value.uploadId: there is no upload "none"'],
    ['payment', true, ': must be an object'],
    ['payment', { amount: 1 }, ': unknown field "amount"'],
  ]
  test.each(refused)('%s: %j', (type, value, message) => {
    expect(messageOf(() => save(type, {}, value))).toBe(answerPlace + message)
    expect(messageOf(() => complete(type, {}, value))).toBe(answerPlace + message)
  })
})

describe('a value of the right shape that breaks a rule', () => {
  const required = { required: true }
  const limited = (inputLimitation: string) => ({ inputLimitation })

  const refused: [QuestionType, object, unknown, string][] = [
    ['choose_one', {}, { selected: 'Teal' }, ': "Teal" is not one of the options'],
    ['choose_one', {}, { selected: 'red' }, ': "red" is not one of the options'],
    ['choose_one', {}, { selected: 'constructor' }, ': "constructor" is not one of the options'],
    ['choose_one', {}, { other: 'Teal' }, ': the question takes no other text, such as "Teal"'],
    [
      'dropdown',
      { otherText: 'Other' },
      { selected: 'Red', other: 'Teal' },
      ': either an option or the other text can be given, not both',
    ],
    ['choose_any', {}, { selected: ['Red', 'Teal'] }, ': "Teal" is not one of the options'],
    ['choose_any', {}, { selected: ['Red', 'Red'] }, ': "Red" is given twice'],
    ['choose_any', {}, { other: 'Teal' }, ': the question takes no other text, such as "Teal"'],
    ['choose_any', bounds, { selected: ['Red'] }, ': at least 2 selections are required'],
    ['multi_dropdown', bounds, { selected: ['Red', 'Blue', 'Green'] }, ': at most 2 selections are allowed'],
    ['multi_dropdown', { maxSelections: 1 }, { selected: ['Red', 'Blue'] }, ': at most 1 selection is allowed'],
    [
      'multi_dropdown',
      { otherText: 'Other', ...bounds },
      { selected: ['Red', 'Blue'], other: 'Teal' },
      ': at most 2 selections are allowed',
    ],
    ['likert', {}, [{ scale: 1, value: 3 }], ': scale 1 does not exist'],
    ['likert', {}, [{ scale: 0, value: 0 }], ': the value of scale 0 must be between 1 and 5'],
    ['likert_slider', {}, [{ scale: 0, value: 6 }], ': the value of scale 0 must be between 1 and 5'],
    [
      'likert',
      {},
      [
        { scale: 0, value: 3 },
        { scale: 0, value: 4 },
      ],
      ': scale 0 is answered twice',
    ],
    ['likert', { ...twoScales, ...required }, [{ scale: 0, value: 3 }], ': scale 1 must be answered'],
    ['nps', {}, 11, ': must be between 0 and 10'],
    ['nps', {}, -1, ': must be between 0 and 10'],
    ['star_rating', {}, 0, ': must be between 1 and 5'],
    ['star_rating', { maxStars: 3 }, 4, ': must be between 1 and 3'],
    ['textbox', limited('email'), 'ada', ': must be an email address'],
    ['textbox', limited('telephone'), 'call me', ': must be a telephone number'],
    ['textbox', limited('telephone'), '12', ': must be a telephone number'],
    ...[
      'acme',
      'a.test b',
      '3.14',
      '.test',
      'ada@acme.test',
      'acme.test:http',
      'ftp://acme.test',
      'http:acme.test',
    ].map((text): [QuestionType, object, unknown, string] => [
      'textbox',
      limited('url'),
      text,
      ': must be a web address',
    ]),
    ['textbox', limited('url'), 'javascript:alert(1)', ': must be a web address'],
    ['textbox', limited('url'), 'https://', ': must be a web address'],
    ['textbox', limited('integer'), '1.5', ': must be a whole number'],
    ['textbox', limited('integer'), '1e3', ': must be a whole number'],
    ['textbox', limited('letters'), 'R2D2', ': must hold letters only'],
    ['matrix', {}, [{ row: 2, column: 0 }], ': row 2 does not exist'],
    ['matrix', {}, [{ row: 0, column: 3 }], ': column 3 does not exist'],
    [
      'matrix',
      {},
      [
        { row: 0, column: 0 },
        { row: 0, column: 1 },
      ],
      ': row 0 is answered twice',
    ],
    ['matrix', required, [{ row: 0, column: 0 }], ': row 1 must be answered'],
    ['ranking', {}, ['First', 'Second'], ': all 3 options must be ranked'],
    ['ranking', {}, ['First', 'Second', 'Second'], ': "Second" is given twice'],
    ['ranking', {}, ['First', 'Second', 'Fourth'], ': "Fourth" is not one of the options'],
    ['contact_details', {}, { email: 'ada@' }, ': value.email: must be an email address'],
    ['contact_details', required, { first_name: 'Ada' }, ': value.email: is required'],
    [
      'contact_details',
      { contactFields: nameAndPhone },
      { phone_number: 'call me' },
      ': value.phone_number: must be a telephone number',
    ],
    ['date', {}, '1 March 2026', ': must be a date such as 2026-03-01'],
    ['date', {}, '2026-3-1', ': must be a date such as 2026-03-01'],
    ['date', {}, '2026-03-01T14:30', ': must be a date such as 2026-03-01'],
    ['date', {}, '2026-02-29', ': is not a calendar date'],
    ['date', { collectTime: true }, '2026-03-01', ': must be a date such as 2026-03-01T14:30'],
    ['date', { collectTime: true }, '2026-03-01T24:00', ': must be a date such as 2026-03-01T14:30'],
    ['date', { collectTime: true }, '2026-03-01T14:30:00Z', ': must be a date such as 2026-03-01T14:30'],
    ['date', { collectTime: true }, '2026-13-01T14:30', ': is not a calendar date'],
    ['date_range', {}, { from: '2026-03-01' }, ': value.to: is required'],
    ['date_range', {}, { to: '2026-03-01' }, ': value.from: is required'],
    ['date_range', {}, { from: '2026-03-02', to: '2026-03-01' }, ': from must not be after to'],
    ['date_range', {}, { from: '2026-02-30', to: '2026-03-01' }, ': value.from: is not a calendar date'],
    [
      'date_range',
      { collectTime: true },
      { from: '2026-03-01T10:01', to: '2026-03-01T10:00' },
      ': from must not be after to',
    ],
    ['file_upload', {}, [{ slot: 2, uploadId: 'png' }], ': slot 2 does not exist'],
    ['file_upload', {}, [both[0], both[0]], ': slot 0 is answered twice'],
    ['file_upload', { maxFiles: 2 }, [both[0], both[0], both[0]], ': slot 0 takes at most 2 files'],
    ['file_upload', { ...required, maxFiles: 2 }, [both[0], both[0]], ': slot 1 must be answered'],
    ['file_upload', required, [both[0]], ': slot 1 must be answered'],
    ['signature', {}, { uploadId: 'pdf' }, ': must be an image of type image/png, image/jpeg, image/webp'],
    ['payment', { formula: '1 / ({A} - 3)' }, {}, ': the formula divides by zero or gets too large'],
    ['payment', { formula: '1 - {A}' }, {}, ': the formula gives a negative amount, -2'],
  ]
  describe('is a 400 at completion, naming the question', () => {
    test.each(refused)('%s %j: %j', (type, fields, value, message) => {
      expect(messageOf(() => complete(type, fields, value))).toBe(answerPlace + message)
    })
  })

  describe('is kept by a partial save, and refused when it is completed', () => {
    test.each(refused)('%s %j: %j', (type, fields, value, message) => {
      const stored = save(type, fields, value)
      expect(stored).not.toBeNull()
      const completing = () => completeAnswer(question(type, fields), stored, answerPlace, answerContext)
      expect(messageOf(completing)).toBe(answerPlace + message)
    })
  })
})

test('a payment keeps its status and reference when it is completed', () => {
  const payment = question('payment', { formula: '{SEATS} * 100', currency: 'EUR' })
  const paid = { amount: null, currency: 'EUR', status: 'paid', reference: 'ch_1' }
  expect(completeAnswer(payment, paid, answerPlace, answerContext)).toEqual({ ...paid, amount: 300 })
})

describe('an answer in plain text', () => {
  test.each<[QuestionType, object, unknown, string]>([
    ['choose_one', {}, { selected: 'Red', other: null }, 'Red'],
    ['dropdown', {}, { selected: null, other: 'Teal' }, 'Teal'],
    ['choose_any', {}, { selected: ['Red', 'Blue'], other: 'Teal' }, 'Red, Blue, Teal'],
    ['likert', {}, [{ scale: 0, value: 4 }], 'Disagree – Agree: 4'],
    ['likert', {}, [{ scale: 7, value: 4 }], 'Scale 7: 4'],
    ['nps', {}, 0, '0'],
    ['numeric', {}, 1.5, '1.5'],
    ['star_rating', {}, 4, '4'],
    ['binary', {}, false, 'No'],
    ['textbox', {}, 'Hi', 'Hi'],
    [
      'matrix',
      {},
      [
        { row: 0, column: 2 },
        { row: 9, column: 9 },
      ],
      'Speed: Good\n9: 9',
    ],
    ['ranking', {}, ['Second', 'First'], '1. Second\n2. First'],
    ['contact_details', {}, { first_name: 'Ada', email: null }, 'First name: Ada'],
    ['date', { collectTime: true }, '2026-03-01T14:30', '2026-03-01 14:30'],
    ['date_range', {}, { from: '2026-03-01', to: null }, '2026-03-01 – '],
    ['file_upload', {}, [{ slot: 1, ...pdf }], 'Letter: cv.pdf'],
    ['signature', {}, { contentType: 'image/png', size: 3, url: 'x' }, 'Signed'],
    ['payment', {}, { amount: 1250, currency: 'EUR', status: 'paid', reference: null }, '12.50 EUR (paid)'],
    ['payment', {}, { amount: 0, currency: 'EUR', status: 'not_due', reference: null }, '0.00 EUR (not due)'],
    ['payment', {}, { amount: 1250, currency: 'JPY', status: 'pending', reference: null }, '1250 JPY (pending)'],
    ['payment', {}, { amount: null, currency: null, status: 'pending', reference: null }, 'Payment (pending)'],
    ['textbox', {}, null, ''],
  ])('%s %j: %j', (type, fields, stored, text) => {
    expect(answerText(question(type, fields), stored)).toBe(text)
  })
})
