import { type Case, type CaseQuestion, UPLOAD } from './case.ts'

/*
 * Each of the 19 types asked about, with every operator that it takes, and each of them hidden while it is required and
 * answered.
 */

/** `scale` where it is not the first. */
type Asked = readonly [op: string, value: unknown, holds: boolean, scale?: number | undefined]

interface TypeCase {
  readonly settings?: object
  readonly answer: unknown
  readonly asked?: readonly Asked[]
  /** Another answer, and what holds of that. */
  readonly other?: { readonly answer: unknown; readonly asked: TypeCase['asked'] }
}

const options = ['Red', 'Green', 'Dark blue']

const one = (label: string) => ({ selected: label, other: null })
const several = (...selected: string[]) => ({ selected, other: null })

const choice: TypeCase = {
  settings: { options, otherText: 'Another' },
  answer: one('Green'),
  asked: [
    ['is', 'Green', true],
    ['is', 'Red', false],
    ['is_not', 'Red', true],
    ['is_not', 'Green', false],
    ['one_of', ['Red', 'Green'], true],
    ['one_of', ['Red', 'Dark blue'], false],
  ],
  other: {
    answer: { selected: null, other: 'Red' },
    asked: [
      ['is', 'Another', true],
      ['is', 'Red', false],
    ],
  },
}

const choices: TypeCase = {
  settings: { options, otherText: 'Another' },
  answer: several('Red', 'Dark blue'),
  asked: [
    ['contains', 'Dark blue', true],
    ['contains', 'Green', false],
    ['contains_not', 'Green', true],
    ['contains_not', 'Red', false],
    ['one_of', ['Green', 'Red'], true],
    ['one_of', ['Green'], false],
  ],
  other: { answer: { selected: ['Red'], other: 'Grey' }, asked: [['contains', 'Another', true]] },
}

const scales: TypeCase = {
  settings: {
    scales: [
      { text: 'Slow', opposingText: 'Fast' },
      { text: 'Dear', opposingText: 'Cheap' },
    ],
  },
  answer: [
    { scale: 0, value: 2 },
    { scale: 1, value: 5 },
  ],
  asked: [
    ['is', 2, true],
    ['is_not', 5, false, 1],
    ['one_of', [4, 5], true, 1],
    ['at_least', 5, true, 1],
    ['at_least', 5, false, 0],
    ['at_most', 2, true],
    ['at_most', 4, false, 1],
  ],
}

const numbers = (low: number, middle: number, high: number): TypeCase & { readonly asked: readonly Asked[] } => ({
  answer: middle,
  asked: [
    ['is', middle, true],
    ['is', high, false],
    ['is_not', high, true],
    ['is_not', middle, false],
    ['one_of', [low, middle], true],
    ['one_of', [low, high], false],
    ['at_least', middle, true],
    ['at_least', high, false],
    ['at_most', middle, true],
    ['at_most', low, false],
  ],
})

const types: Readonly<Record<string, TypeCase>> = {
  choose_one: choice,
  dropdown: choice,
  choose_any: choices,
  multi_dropdown: choices,
  likert: scales,
  likert_slider: scales,
  nps: { ...numbers(0, 6, 10), other: { answer: 0, asked: [['at_most', 0, true]] } },
  binary: {
    answer: false,
    asked: [
      ['is', false, true],
      ['is', true, false],
      ['is_not', true, true],
      ['is_not', false, false],
    ],
  },
  star_rating: numbers(1, 3, 5),
  textbox: {
    answer: 'The ROOM was noisy',
    asked: [
      ['is', 'the room was NOISY', true],
      ['is', 'room', false],
      ['is_not', 'room', true],
      ['is_not', 'the room was noisy', false],
      ['one_of', ['nothing', 'The room was noisy'], true],
      ['contains', 'room', true],
      ['contains', 'bed', false],
      ['contains_not', 'bed', true],
      ['contains_not', 'Room', false],
    ],
  },
  matrix: { settings: { rowHeadings: ['Speed'], columnHeadings: ['Bad', 'Good'] }, answer: [{ row: 0, column: 1 }] },
  ranking: { settings: { rankOptions: ['Price', 'Quiet'] }, answer: ['Quiet', 'Price'] },
  contact_details: {
    settings: { contactFields: [{ field: 'first_name', visible: true }] },
    answer: { first_name: 'Ada' },
  },
  date: {
    settings: { collectTime: true },
    answer: '2026-03-01T14:30',
    asked: [
      ['is', '2026-03-01', true],
      ['is', '2026-03-01T14:00', false],
      ['is_not', '2026-03-02', true],
      ['at_least', '2026-03-01', true],
      ['at_least', '2026-03-01T15:00', false],
      ['at_most', '2026-03-01', true],
      ['at_most', '2026-02-28', false],
    ],
  },
  date_range: { answer: { from: '2026-03-01', to: '2026-03-02' } },
  numeric: { ...numbers(-1.5, 2.25, 1000), other: { answer: 0, asked: [['at_most', 0, true]] } },
  file_upload: { settings: { fileUploadSlots: ['Photo'] }, answer: [{ slot: 0, uploadId: UPLOAD }] },
  signature: { answer: { uploadId: UPLOAD } },
  payment: { settings: { amount: 500, currency: 'EUR' }, answer: {} },
}

function casesOf(type: string, name: string, given: TypeCase): Case[] {
  const question: CaseQuestion = { type, text: 'First', friendlyId: 'FIRST', ...given.settings }
  const asked = (answer: unknown, [op, value, holds, scale]: Asked): Case => {
    const condition = {
      question: 'FIRST',
      op,
      ...(value === undefined ? {} : { value }),
      ...(scale === undefined ? {} : { scale }),
    }
    const next = {
      type: 'textbox',
      text: 'Next',
      friendlyId: 'NEXT',
      showIf: { match: 'all', conditions: [condition] },
    }
    const said = answer === null ? 'nothing' : JSON.stringify(answer)
    return {
      name: `${name}: ${said} ${op} ${JSON.stringify(value) ?? ''}${scale === undefined ? '' : ` on scale ${scale}`}`,
      form: { pages: [{ questions: [question, next] }] },
      answers: answer === null ? {} : { FIRST: answer },
      shown: holds ? ['FIRST', 'NEXT'] : ['FIRST'],
    }
  }
  const whether = { question: 'WHETHER', op: 'is', value: true }
  const hidden: Case = {
    name: `${name}: required, answered and not shown`,
    form: {
      pages: [
        {
          questions: [
            { type: 'binary', text: 'Whether', friendlyId: 'WHETHER' },
            { ...question, required: true, showIf: { match: 'all', conditions: [whether] } },
            {
              type: 'textbox',
              text: 'Next',
              friendlyId: 'NEXT',
              showIf: { match: 'all', conditions: [{ question: 'FIRST', op: 'answered' }] },
            },
          ],
        },
      ],
    },
    answers: { WHETHER: false, FIRST: given.answer, NEXT: 'typed before' },
    shown: ['WHETHER'],
  }
  return [
    ...(given.asked ?? []).map((each) => asked(given.answer, each)),
    ...(given.other?.asked ?? []).map((each) => asked(given.other?.answer, each)),
    ...(given.asked ?? []).map(([op, value, , scale]) => asked(null, [op, value, false, scale])),
    asked(given.answer, ['answered', undefined, true]),
    asked(given.answer, ['not_answered', undefined, false]),
    asked(null, ['answered', undefined, false]),
    asked(null, ['not_answered', undefined, true]),
    hidden,
  ]
}

export const typeCases: readonly Case[] = [
  ...Object.entries(types).flatMap(([type, given]) => casesOf(type, type, given)),
  ...casesOf('textbox', 'textbox of a whole number', {
    settings: { inputLimitation: 'integer' },
    answer: '7',
    asked: numbers(6, 7, 8).asked,
  }),
]

/** Every type there is a case of. */
export const typesWithCases: readonly string[] = Object.keys(types)
