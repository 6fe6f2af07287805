import { describe, expect, test } from 'bun:test'
import { fill, fillHtml, type SpokenQuestion, spoken, spokenNumber, valuesIn } from '../../../src/forms/logic/texts.ts'

const values: Record<string, string> = {
  NAME: 'Ada & <b>Co</b> "x"',
  NOTHING: '',
  'hidden.campaign': 'spring sale',
  NESTED: '{NAME}',
  COSTS: "$& $1 $' $$",
}
const valueFor = (name: string) => values[name] ?? null

describe('a text', () => {
  test.each([
    ['Hello {NAME}!', 'Hello Ada & <b>Co</b> "x"!'],
    ['{hidden.campaign}, {hidden.campaign}', 'spring sale, spring sale'],
    ['Hello {NOTHING}!', 'Hello !'],
    ['{UNKNOWN} {hidden.other} {name} {} {1} { NAME } {NAME', '{UNKNOWN} {hidden.other} {name} {} {1} { NAME } {NAME'],
    ['{{NOTHING}}', '{}'],
    ['{NESTED}', '{NAME}'],
    ['{COSTS}', "$& $1 $' $$"],
    ['{constructor} {hidden.constructor} {CONSTRUCTOR}', '{constructor} {hidden.constructor} {CONSTRUCTOR}'],
  ])('%j says %j', (text, said) => expect(fill(text, valueFor)).toBe(said))

  test('takes in no more than 20,000 characters, however often it names something', () => {
    const long = fill('{A}'.repeat(1000), () => 'x'.repeat(9000))
    expect(long).toBe(`${'x'.repeat(20_000)}…`)
  })
})

describe('simple HTML', () => {
  test.each([
    ['<p>Hello {NAME}</p>', '<p>Hello Ada &amp; &lt;b&gt;Co&lt;/b&gt; &quot;x&quot;</p>'],
    [
      '<a href="https://example.com/?c={hidden.campaign}">{hidden.campaign}</a>',
      '<a href="https://example.com/?c=spring%20sale">spring sale</a>',
    ],
    [
      '<a href="https://example.com/{NAME}">x</a>',
      '<a href="https://example.com/Ada%20%26%20%3Cb%3ECo%3C%2Fb%3E%20%22x%22">x</a>',
    ],
    ['{UNKNOWN} &amp; <b>{NOTHING}</b>', '{UNKNOWN} &amp; <b></b>'],
  ])('%j becomes %j', (html, filled) => expect(fillHtml(html, valueFor)).toBe(filled))

  test.each(['"><script>alert(1)</script>', "' onclick='x", '</p><img src=x>', '\ud800'])(
    'holds no tag and no attribute that %j brings along',
    (value) => {
      const filled = fillHtml('<p title="{A}">{A}</p>', () => value)
      expect(filled.replace(/<p title="[^"<>']*">[^<>"']*<\/p>/, '')).toBe('')
    },
  )
})

describe('a number beside a currency', () => {
  const variables = { TOTAL: 41.6, WHOLE: 42, THIRD: 13.333_333_333, NEARLY: 41.999_999_9, MANY: 12_345.5 }
  const paid = { id: 1, friendlyId: 'PAID', type: 'numeric' } as const
  const named = { id: 2, friendlyId: 'NAMED', type: 'textbox' } as const
  const answers: Record<number, unknown> = { 1: 4.5, 2: '1.5' }
  const said = { answerOf: (id: number) => answers[id], variables, hiddenNames: [], hidden: {} }
  const says = (text: string, locale = 'en') => fill(text, valuesIn([paid, named], said, locale))

  test.each([
    ['€{TOTAL}', '€41.60'],
    ['{TOTAL} €', '41.60 €'],
    ['{TOTAL}&nbsp;€', '41.60&nbsp;€'],
    ['EUR {TOTAL}, {TOTAL} CHF.', 'EUR 41.60, 41.60 CHF.'],
    ['{TOTAL} kr', '41.60 kr'],
    ['€{WHOLE}, €{THIRD}, €{NEARLY}', '€42, €13.33, €42'],
    ['£{PAID} by {NAMED}, €{NAMED}', '£4.50 by 1.5, €1.5'],
    ['$ {MANY}', '$ 12,345.50'],
    // None of these is a currency that stands beside it.
    [
      '{TOTAL} points, THE {TOTAL}, {TOTAL} EUROPE, {TOTAL} km for €5',
      '41.6 points, THE 41.6, 41.6 EUROPE, 41.6 km for €5',
    ],
    ['€{UNKNOWN} {TOTAL}', '€{UNKNOWN} 41.6'],
  ])('%j says %j', (text, said) => expect(says(text)).toBe(said))

  test('is written as the language does', () => expect(says('{TOTAL} €', 'de')).toBe('41,60 €'))

  test('is one in simple HTML too', () =>
    expect(fillHtml('<p>Total: <b>€{TOTAL}</b></p>', valuesIn([], said, 'en'))).toBe('<p>Total: <b>€41.60</b></p>'))
})

const asked = (type: SpokenQuestion['type'], settings: object = {}): SpokenQuestion => ({
  id: 1,
  friendlyId: 'ASKED',
  type,
  ...settings,
})

const options = ['Red', 'Blue']
const translated = { options, labels: ['Rot', 'Blau'] }
const scales = [
  { text: 'Slow', opposingText: 'Fast' },
  { text: 'Dear', opposingText: 'Cheap' },
]
const grid = { rowHeadings: ['Food', 'Room'], columnHeadings: ['Bad', 'Good'] }

describe('an answer in a sentence', () => {
  test.each<[SpokenQuestion, unknown, string]>([
    [asked('choose_one', { options }), { selected: 'Red', other: null }, 'Red'],
    [asked('dropdown', { options }), { selected: null, other: 'Green' }, 'Green'],
    [asked('choose_any', { options }), { selected: ['Blue', 'Red'], other: 'Green' }, 'Blue, Red, Green'],
    [asked('multi_dropdown', translated), { selected: ['Blue', 'Gone'], other: null }, 'Blau, Gone'],
    [asked('choose_one', translated), { selected: 'Red', other: null }, 'Rot'],
    [asked('likert', { scales: scales.slice(0, 1) }), [{ scale: 0, value: 4 }], '4'],
    [asked('likert_slider', { scales }), [{ scale: 1, value: 2 }], 'Dear – Cheap: 2'],
    [
      asked('likert', { scales, scaleLabels: [scales[1], { text: 'Teuer', opposingText: 'Billig' }] }),
      [{ scale: 1, value: 2 }],
      'Teuer – Billig: 2',
    ],
    [asked('nps'), 9, '9'],
    [asked('star_rating'), 4, '4'],
    [asked('numeric'), 12_345.5, '12,345.5'],
    [asked('numeric'), 2026, '2026'],
    [asked('binary', { trueLabel: 'Yes', falseLabel: 'No' }), false, 'No'],
    [asked('textbox'), 'Fine, thanks', 'Fine, thanks'],
    [asked('matrix', grid), [{ row: 1, column: 0 }], 'Room: Bad'],
    [
      asked('matrix', { ...grid, rowLabels: ['Essen', 'Zimmer'], columnLabels: ['Schlecht', 'Gut'] }),
      [{ row: 0, column: 1 }],
      'Essen: Gut',
    ],
    [asked('ranking', { rankOptions: options, rankLabels: ['Rot', 'Blau'] }), ['Blue', 'Red'], 'Blau, Rot'],
    [asked('contact_details'), { first_name: 'Ada', last_name: null, email: 'ada@example.com' }, 'Ada'],
    [asked('contact_details'), { email: 'ada@example.com' }, 'ada@example.com'],
    [asked('contact_details'), { city: 'London', state: null, country: 'UK' }, 'London, UK'],
    [asked('date'), '2026-03-01', 'March 1, 2026'],
    [asked('date'), 'tomorrow', 'tomorrow'],
    [asked('date_range'), { from: '2026-03-01', to: '2026-03-05' }, 'March 1, 2026 – March 5, 2026'],
    [asked('date_range'), { from: '2026-03-01', to: null }, 'March 1, 2026'],
    [
      asked('file_upload'),
      [
        { slot: 0, fileName: 'a.pdf' },
        { slot: 1, fileName: 'b.pdf' },
      ],
      'a.pdf, b.pdf',
    ],
    [asked('file_upload'), [{ slot: 0, uploadId: 'x' }], ''],
    [asked('signature'), { url: 'https://example.com/x' }, ''],
    [asked('payment'), { amount: 1250, currency: 'EUR', status: 'pending' }, '€12.50'],
    [asked('payment'), {}, ''],
    [asked('nps'), null, ''],
  ])('%j with %j is %j', (question, answer, said) => expect(spoken(question, answer, 'en-US')).toBe(said))

  test('is written as its reader writes numbers and dates', () => {
    expect(spokenNumber(12_345.5, 'de')).toBe('12.345,5')
    expect(spoken(asked('date'), '2026-03-01', 'de')).toBe('1. März 2026')
    expect(spoken(asked('date'), '2026-03-01T14:30', 'de')).toContain('14:30')
  })
})

describe('a name', () => {
  const said = {
    answerOf: (id: number) => (id === 1 ? 9 : null),
    variables: { TOTAL: 12.5 },
    hiddenNames: ['campaign', 'plan'],
    hidden: { campaign: 'spring', other: 'x' },
  }
  const questions = [
    asked('nps'),
    { ...asked('nps'), id: 2, friendlyId: 'LATER' },
    { ...asked('nps'), friendlyId: null },
  ]

  test.each([
    ['ASKED', '9'],
    ['LATER', ''],
    ['TOTAL', '12.5'],
    ['hidden.campaign', 'spring'],
    ['hidden.plan', ''],
    ['hidden.other', null],
    ['NEVER', null],
    ['CONSTRUCTOR', null],
  ])('%s stands for %j', (name, value) => expect(valuesIn(questions, said, 'en-US')(name)).toBe(value))
})
