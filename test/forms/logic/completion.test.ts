import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { saveDraft } from '../../../src/forms/drafts.ts'
import { publishForm } from '../../../src/forms/publishing.ts'
import { changeTexts } from '../../../src/forms/texts/operations.ts'
import { startApp, type TestApp, type TestTenant } from '../../support/app.ts'
import type { CaseForm } from './case.ts'
import { cases } from './cases.ts'
import { publishReacting } from './publishing.ts'

let app: TestApp
let acme: TestTenant

beforeAll(async () => {
  app = await startApp()
  acme = await app.createTenant()
})
afterAll(() => app.close())

const publish = (form: CaseForm, settings: object = {}, tenant: TestTenant = acme) =>
  publishReacting(app, tenant, form, settings)

const answered = ({ answers }: { answers: { friendlyId: string }[] }) => answers.map(({ friendlyId }) => friendlyId)

describe('completing', () => {
  test.each(cases.map((each) => [each.name, each] as const))('%s', async (_, each) => {
    const form = await publish(each.form, { hidden: each.hiddenFields ?? [], thanks: '<p>As ever</p>' })
    const { status, body } = await form.complete(await form.uploaded(each), each.hidden)
    expect([status, body.message]).toEqual([201, undefined])
    const end: { thanks?: string; redirect?: string } | undefined =
      each.end === undefined ? { thanks: '<p>As ever</p>' } : each.form.ends?.[each.end]
    expect([body.thanks, body.redirect]).toEqual([
      end?.thanks ?? null,
      end?.redirect === undefined ? null : `${end.redirect}?response=${body.id}`,
    ])
    const response = await form.read(body.id)
    expect(response.variables).toEqual(each.variables ?? {})
    // What is not shown has lost its answer, and what is shown has kept its own.
    expect(answered(response)).toEqual(each.shown.filter((name) => each.answers[name] !== undefined))
  })
})

const when = (...conditions: object[]) => ({ match: 'all', conditions })
const whether = { type: 'binary', text: 'Whether?', friendlyId: 'WHETHER' }
const ifSo = when({ question: 'WHETHER', op: 'is', value: true })

describe('what is not shown', () => {
  const form: CaseForm = {
    pages: [
      {
        questions: [
          whether,
          { type: 'nps', friendlyId: 'RATING', required: true, showIf: ifSo },
          {
            type: 'contact_details',
            friendlyId: 'WHO',
            contactFields: [{ field: 'email', visible: true }],
            showIf: ifSo,
          },
          { type: 'numeric', friendlyId: 'SEATS', showIf: ifSo },
          { type: 'payment', friendlyId: 'PAY', currency: 'EUR', formula: '{TOTAL} + {SEATS}' },
        ],
      },
    ],
    variables: [{ name: 'TOTAL', formula: '500 + {SEATS} * 100' }],
  }
  const answers = { RATING: 9, WHO: { email: 'hidden@acme.test' }, SEATS: 3, PAY: {} }

  test('is not required, scored, paid for or a contact; what is shown is', async () => {
    const { complete, read } = await publish(form)
    const { body: without } = await complete({ WHETHER: false, ...answers })
    const hidden = await read(without.id)
    expect([hidden.scores, hidden.contactId, hidden.variables]).toEqual([
      { total: 0, max: 0, percentage: null },
      null,
      { TOTAL: 500 },
    ])
    expect(hidden.answers.map(({ value }: { value: unknown }) => value)).toEqual([
      false,
      { amount: 500, currency: 'EUR', status: 'pending', reference: null },
    ])
    expect((await acme.get('/v1/contacts?email=hidden@acme.test')).body.items).toEqual([])

    const { body: withAll } = await complete({ WHETHER: true, ...answers })
    const shown = await read(withAll.id)
    expect([shown.scores.total, shown.contactId === null, shown.variables]).toEqual([9, false, { TOTAL: 800 }])
    expect(shown.answers.at(-1).value.amount).toBe(803)
  })

  test('may be what no completion would take, and what is shown may not', async () => {
    const { complete, ids } = await publish(form)
    const refused = await complete({ WHETHER: true })
    expect([refused.status, refused.body.message]).toEqual([
      400,
      `question ${ids.get('RATING')}: an answer is required`,
    ])
    expect((await complete({ WHETHER: true, RATING: 99 })).status).toBe(400)
    expect((await complete({ WHETHER: false, RATING: 99 })).status).toBe(201)
  })

  test('is kept in a partial response, and is there again when it is shown', async () => {
    const { begin, resume, read } = await publish(form)
    const { body: begun } = await begin({ WHETHER: true, ...answers })
    expect([begun.thanks, begun.redirect]).toEqual([null, null])
    await resume(begun, { WHETHER: false }, false)
    const partial = await read(begun.id)
    expect([answered(partial), partial.variables]).toEqual([['WHETHER', 'RATING', 'WHO', 'SEATS', 'PAY'], {}])
    await resume(begun, { WHETHER: true }, true)
    const complete = await read(begun.id)
    expect([answered(complete), complete.variables]).toEqual([
      ['WHETHER', 'RATING', 'WHO', 'SEATS', 'PAY'],
      { TOTAL: 800 },
    ])
  })
})

describe('variables', () => {
  test('are in response.created and in the list of responses', async () => {
    const tenant = await app.createTenant()
    const form = await publish(
      {
        pages: [{ questions: [{ type: 'numeric', friendlyId: 'SEATS' }] }],
        variables: [{ name: 'TOTAL', formula: '{SEATS} / 8' }],
      },
      {},
      tenant,
    )
    await form.complete({ SEATS: 3 })
    const { body } = await tenant.get(`/v1/forms/${form.id}/responses`)
    expect(body.items.map(({ variables }: { variables: object }) => variables)).toEqual([{ TOTAL: 0.375 }])
    const told = (await tenant.events()).filter(({ event }) => event === 'response.created')
    expect(told.map(({ payload }) => payload)).toMatchObject([{ response: { variables: { TOTAL: 0.375 } } }])
  })
})

describe('a response that was begun', () => {
  test('goes on by the conditions and ends of its own revision', async () => {
    const why = { type: 'textbox', text: 'Why?', friendlyId: 'WHY', required: true, showIf: ifSo }
    const form = await publish({
      pages: [{ questions: [whether, why] }],
      ends: [{ showIf: ifSo, thanks: '<p>Before</p>' }],
    })
    const { body: begun } = await form.begin({})
    await acme.perform(async (tx, caller) => {
      const pages = [{ questions: [{ ...whether, id: form.ids.get('WHETHER') ?? null }] }]
      await saveDraft(tx, caller, form.id, { title: 'Survey', pages, ends: [{ thanks: '<p>After</p>' }] })
      await publishForm(tx, caller, form.id)
    })
    expect((await form.resume(begun, { WHETHER: true }, true)).status).toBe(400)
    const done = await form.resume(begun, { WHETHER: true, WHY: 'because' }, true)
    expect([done.status, done.body.thanks]).toEqual([200, '<p>Before</p>'])
    expect((await form.complete({ WHETHER: true })).body.thanks).toBe('<p>After</p>')
  })
})

describe('the end', () => {
  test('says answers and variables, as text', async () => {
    const form = await publish(
      {
        pages: [
          {
            questions: [
              { type: 'textbox', friendlyId: 'NAME' },
              { type: 'numeric', friendlyId: 'SEATS' },
            ],
          },
        ],
        variables: [{ name: 'TOTAL', formula: '{SEATS} * 1.5' }],
        ends: [
          { showIf: when({ question: 'SEATS', op: 'answered' }), thanks: '<p>{NAME}: {TOTAL} {hidden.campaign}</p>' },
        ],
      },
      { thanks: '<p>Bye {NAME}{NOBODY}</p>', hidden: ['campaign'], language: 'de' },
    )
    const { body: first } = await form.complete({ NAME: '<b>Ada</b>', SEATS: 3 }, { campaign: 'spring' })
    expect(first.thanks).toBe('<p>&lt;b&gt;Ada&lt;/b&gt;: 4,5 spring</p>')
    expect((await form.complete({ NAME: 'Ada' })).body.thanks).toBe('<p>Bye Ada{NOBODY}</p>')
  })

  test('is in the language of the respondent', async () => {
    const form = await publish(
      {
        pages: [{ questions: [whether] }],
        ends: [{ showIf: ifSo, thanks: '<p>Fine</p>' }],
      },
      { thanks: '<p>Thank you</p>' },
    )
    await acme.perform((tx, caller) =>
      changeTexts(tx, caller, form.id, 'de', [
        { key: 'thanks', text: '<p>Danke</p>' },
        { key: 'ends[0].thanks', text: '<p>Gut</p>' },
      ]),
    )
    const thanks = async (answers: Record<string, unknown>, language: string) =>
      (await form.complete(answers, {}, language)).body.thanks
    expect(await thanks({}, 'de')).toBe('<p>Danke</p>')
    expect(await thanks({ WHETHER: true }, 'de')).toBe('<p>Gut</p>')
    expect(await thanks({ WHETHER: true }, 'fr')).toBe('<p>Fine</p>')
  })

  test('of a form without any is the one of its settings', async () => {
    const form = await publish(
      { pages: [{ questions: [whether] }] },
      { thanks: '<p>Thank you</p>', redirect: 'https://example.com/?a=1' },
    )
    const { body } = await form.complete({})
    expect([body.thanks, body.redirect]).toEqual(['<p>Thank you</p>', `https://example.com/?a=1&response=${body.id}`])
  })
})
