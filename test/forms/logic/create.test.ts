import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { publishForm } from '../../../src/forms/publishing.ts'
import { startApp, type TestApp, type TestTenant } from '../../support/app.ts'
import { cases } from './cases.ts'

let app: TestApp
let acme: TestTenant

beforeAll(async () => {
  app = await startApp()
  acme = await app.createTenant()
})
afterAll(() => app.close())

const create = (fields: object) => acme.post('/v1/forms', { title: 'Survey', ...fields })
const countForms = async () => (await acme.get('/v1/forms?limit=100')).body.items.length

const nps = { type: 'nps', text: 'How was it?', friendlyId: 'LUCK' }
const when = (...conditions: object[]) => ({ match: 'all', conditions })
const low = { question: 'LUCK', op: 'at_most', value: 6 }

describe('a form that reacts', () => {
  const form = {
    pages: [
      { title: 'First', questions: [nps, { type: 'textbox', text: 'Why?', showIf: when(low) }] },
      {
        title: 'Second',
        showIf: { match: 'any', conditions: [low, { hidden: 'campaign', op: 'answered' }] },
        questions: [],
      },
    ],
    variables: [{ name: 'POINTS', formula: '{LUCK} * 10' }],
    ends: [
      { showIf: when({ variable: 'POINTS', op: 'at_least', value: 90 }), thanks: '<b>Fine</b><script>x</script>' },
      { redirect: 'https://example.com' },
    ],
  }
  const ends = [
    { showIf: form.ends[0]?.showIf, thanks: '<b>Fine</b>', redirect: null },
    { showIf: null, thanks: null, redirect: 'https://example.com/' },
  ]

  test('reads back as it was created, and so can be created again', async () => {
    const { status, body } = await create(form)
    expect(status).toBe(201)
    expect((await acme.get(`/v1/forms/${body.id}`)).body).toEqual(body)
    const [first, second] = body.pages
    expect([first.showIf, first.questions[0].showIf, first.questions[1].showIf, second.showIf]).toEqual([
      null,
      null,
      when(low),
      form.pages[1]?.showIf,
    ])
    expect([body.variables, body.ends]).toEqual([form.variables, ends])
    const withoutIds = body.pages.map(({ id: _, questions, ...page }: { id: number; questions: { id: number }[] }) => ({
      ...page,
      questions: questions.map(({ id: _, ...question }) => question),
    }))
    const again = await create({ pages: withoutIds, variables: body.variables, ends: body.ends })
    expect([again.status, again.body.ends]).toEqual([201, ends])
  })

  test('is in the definition with its conditions, variables and ends', async () => {
    const { body } = await create(form)
    await acme.perform((tx, caller) => publishForm(tx, caller, body.id))
    const { body: definition } = await acme.get(`/f/${body.launchCode}/definition`)
    expect(definition).toMatchObject({
      title: 'Survey',
      description: null,
      pages: body.pages,
      variables: form.variables,
      ends,
    })
  })

  test('without conditions is as ever, with nothing that reacts', async () => {
    const { body } = await create({ questions: [nps] })
    expect([body.variables, body.ends, body.pages[0].showIf, body.pages[0].questions[0].showIf]).toEqual([
      [],
      [],
      null,
      null,
    ])
  })

  test('can be any of the cases', async () => {
    for (const { name, form } of cases) {
      const { status, body } = await create(form)
      expect([name, status, body.message]).toEqual([name, 201, undefined])
    }
  })
})

describe('refused, naming the place', () => {
  const text = { type: 'textbox', text: 'Why?', friendlyId: 'WHY' }
  const red = { type: 'choose_one', text: 'Which?', friendlyId: 'WHICH', options: ['Red', 'Blue'] }
  const agree = { type: 'likert', text: 'Agree?', friendlyId: 'AGREE' }
  const day = { type: 'date', text: 'When?', friendlyId: 'WHEN' }
  const asking = (question: object, condition: object) => ({
    questions: [question, { type: 'nps', showIf: when(condition) }],
  })
  const showIf = (showIf: unknown) => ({ questions: [nps, { type: 'nps', showIf }] })
  const [at, condition] = ['questions[1].showIf', 'questions[1].showIf.conditions[0]']
  const numbers = 'must be one of is, is_not, one_of, at_least, at_most, answered, not_answered'
  const oneVariable = (formula: string) => ({ questions: [nps, text], variables: [{ name: 'A', formula }] })

  test.each<[string, object, string]>([
    ['no object', showIf('LUCK'), `${at}: must be an object`],
    ['a match that is none', showIf({ ...when(low), match: 'some' }), `${at}.match: must be one of all, any`],
    ['no condition', showIf(when()), `${at}.conditions: at least 1 item is required`],
    ['21 conditions', showIf(when(...Array(21).fill(low))), `${at}.conditions: at most 20 items are allowed`],
    ['an unknown field', showIf(when({ ...low, or: 1 })), `${condition}: unknown field "or"`],
    [
      'nothing asked',
      showIf(when({ op: 'answered' })),
      `${condition}: must name either a question, a hidden field or a variable`,
    ],
    [
      'two things asked',
      showIf(when({ ...low, hidden: 'a' })),
      `${condition}: must name either a question, a hidden field or a variable`,
    ],
    ['an unknown question', asking(text, low), `${condition}.question: the form has no question "LUCK"`],
    [
      'the id of a question',
      asking(text, { ...low, question: 1 }),
      `${condition}.question: the form has no question 1`,
    ],
    [
      'the question itself',
      { questions: [{ ...nps, showIf: when(low) }] },
      'questions[0].showIf.conditions[0].question: must be about an earlier question, which "LUCK" is not',
    ],
    [
      'a later question',
      { questions: [{ type: 'nps', showIf: when(low) }, nps] },
      'questions[0].showIf.conditions[0].question: must be about an earlier question, which "LUCK" is not',
    ],
    [
      'a question of the page itself',
      { pages: [{ showIf: when(low), questions: [nps] }] },
      'pages[0].showIf.conditions[0].question: must be about an earlier question, which "LUCK" is not',
    ],
    [
      'a variable of a later question',
      {
        questions: [{ type: 'nps', showIf: when({ variable: 'B', op: 'is', value: 1 }) }, nps],
        variables: [
          { name: 'A', formula: '{LUCK}' },
          { name: 'B', formula: '{A} + 1' },
        ],
      },
      'questions[0].showIf.conditions[0].variable: must be about an earlier question, which LUCK is not',
    ],
    [
      'an op that is none',
      asking(nps, { ...low, op: 'like' }),
      `${condition}.op: must be one of is, is_not, one_of, contains`,
    ],
    ['an op of others', asking(nps, { ...low, op: 'contains' }), `${condition}.op: ${numbers}`],
    [
      'an op of a signature',
      asking({ type: 'signature', friendlyId: 'LUCK' }, low),
      `${condition}.op: must be one of answered`,
    ],
    ['no value', asking(nps, { question: 'LUCK', op: 'is' }), `${condition}.value: is required`],
    [
      'a value too many',
      asking(nps, { ...low, op: 'answered' }),
      `${condition}.value: answered and not_answered take no value`,
    ],
    ['text for a number', asking(nps, { ...low, value: '6' }), `${condition}.value: must be a number`],
    [
      'a number for text',
      asking(text, { question: 'WHY', op: 'is', value: 6 }),
      `${condition}.value: must be a string`,
    ],
    ['blank text', asking(text, { question: 'WHY', op: 'is', value: ' ' }), `${condition}.value: must not be blank`],
    [
      'an unknown label',
      asking(red, { question: 'WHICH', op: 'is', value: 'red' }),
      `${condition}.value: "red" is none of the options`,
    ],
    ['no list', asking(red, { question: 'WHICH', op: 'one_of', value: 'Red' }), `${condition}.value: must be a list`],
    [
      'an empty list',
      asking(red, { question: 'WHICH', op: 'one_of', value: [] }),
      `${condition}.value: at least 1 item`,
    ],
    [
      'a label in a list',
      asking(red, { question: 'WHICH', op: 'one_of', value: ['Red', 'Grey'] }),
      `${condition}.value[1]: "Grey" is none of the options of the question`,
    ],
    [
      'no boolean',
      asking({ type: 'binary', friendlyId: 'Q' }, { question: 'Q', op: 'is', value: 'true' }),
      `${condition}.value: must be true or false`,
    ],
    [
      'no date',
      asking(day, { question: 'WHEN', op: 'is', value: '2026-02-30' }),
      `${condition}.value: is not a calendar date`,
    ],
    [
      'a time of day',
      asking(day, { question: 'WHEN', op: 'is', value: '2026-02-03T10:00' }),
      `${condition}.value: must be a date such as`,
    ],
    ['a scale of others', asking(nps, { ...low, scale: 0 }), `${condition}.scale: the question has no scales`],
    [
      'an unknown scale',
      asking(agree, { question: 'AGREE', op: 'is', value: 1, scale: 1 }),
      `${condition}.scale: must be between 0 and 0`,
    ],
    [
      'no hidden field',
      asking(nps, { hidden: 'Campaign', op: 'answered' }),
      `${condition}.hidden: "Campaign" must be 1 to 40 small`,
    ],
    [
      'an unknown variable',
      asking(nps, { variable: 'SUM', op: 'is', value: 1 }),
      `${condition}.variable: the form has no variable "SUM"`,
    ],
    [
      '21 variables',
      { variables: Array(21).fill({ name: 'A', formula: '1' }) },
      'variables: at most 20 items are allowed',
    ],
    [
      'a variable in small letters',
      { variables: [{ name: 'sum', formula: '1' }] },
      'variables[0].name: must be upper snake case',
    ],
    [
      'a variable twice',
      { variables: Array(2).fill({ name: 'A', formula: '1' }) },
      'variables[1].name: A is already used by variables[0]',
    ],
    [
      'a variable called like a question',
      { questions: [nps], variables: [{ name: 'LUCK', formula: '1' }] },
      'variables[0].name: LUCK is already used by a question',
    ],
    ['a formula that is none', oneVariable('{LUCK} +'), 'variables[0].formula: the formula cannot be read'],
    ['a formula that calls', oneVariable('alert(1)'), 'variables[0].formula: the formula may hold numbers'],
    ['a blank formula', oneVariable(' '), 'variables[0].formula: must not be blank'],
    [
      'a formula of what is not there',
      oneVariable('{SEATS}'),
      'variables[0].formula: no question of the form has the friendlyId SEATS',
    ],
    ['a formula of text', oneVariable('{WHY}'), 'variables[0].formula: the question WHY gives no number'],
    ['a formula of itself', oneVariable('{A} + 1'), 'variables[0].formula: the formula needs its own value: A → A'],
    [
      'formulas that need each other',
      {
        variables: [
          { name: 'A', formula: '{B}' },
          { name: 'B', formula: '{C}' },
          { name: 'C', formula: '{B}' },
        ],
      },
      'variables[1].formula: the formula needs its own value: B → C → B',
    ],
    ['21 ends', { ends: Array(21).fill({ thanks: 'x' }) }, 'ends: at most 20 items are allowed'],
    ['an end that says nothing', { ends: [{ thanks: ' ' }] }, 'ends[0]: must have either thanks or redirect'],
    ['an end that does both', { ends: [{ thanks: 'x', redirect: 'https://a.example' }] }, 'ends[0]: must have either'],
    [
      'a redirect in the clear',
      { ends: [{ redirect: 'http://a.example' }] },
      'ends[0].redirect: must be a web address that begins',
    ],
    [
      'a condition of an end',
      { ends: [{ thanks: 'x', showIf: when(low) }] },
      'ends[0].showIf.conditions[0].question: the form has no',
    ],
    [
      'a text of an end',
      { ends: [{ thanks: 'x'.repeat(10_001) }] },
      'ends[0].thanks: must be at most 10000 characters',
    ],
    [
      'more HTML than a form holds',
      {
        ends: Array(20).fill({ thanks: '&'.repeat(10_000) }),
        questions: Array(7).fill({ type: 'nps', text: '&'.repeat(10_000) }),
      },
      'ends[19].thanks: the HTML of a form',
    ],
  ])('%s', async (_, fields, message) => {
    const before = await countForms()
    const answer = await create(fields)
    expect([answer.status, answer.body.error]).toEqual([400, 'invalid_request'])
    expect(answer.body.message).toStartWith(message)
    expect(await countForms()).toBe(before)
  })

  test('a question of another tenant', async () => {
    const other = await app.createTenant()
    const { body } = await other.post('/v1/forms', { title: 'Theirs', questions: [nps] })
    const { id } = body.pages[0].questions[0]
    const answer = await create(asking(text, { ...low, question: id }))
    expect([answer.status, answer.body.message]).toEqual([400, `${condition}.question: the form has no question ${id}`])
  })
})
