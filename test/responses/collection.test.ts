import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { Value } from '@sinclair/typebox/value'
import { closeForm, reopenForm, trashForm } from '../../src/forms/publishing.ts'
import { answerSchemas, answerValueSchema, questionTypeNames } from '../../src/forms/question-types/index.ts'
import { startResponse } from '../../src/responses/collection.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'
import {
  answersByType,
  begin,
  complete,
  createPublished,
  createUnpublished,
  resume,
  type TestForm,
} from '../support/forms/collecting.ts'
import { questionBody } from '../support/forms/questions.ts'
import { refusal } from '../support/refusal.ts'

const MINUTE = 60_000

type Refusal = [code: string, message: string]

let app: TestApp
let acme: TestTenant

beforeAll(async () => {
  app = await startApp()
})
beforeEach(async () => {
  acme = await app.createTenant()
})
afterAll(() => app.close())

const read = async (form: TestForm, { response }: { response: { id: string } }) =>
  (await acme.get(`/v1/forms/${form.id}/responses/${response.id}`)).body
const all = async (form: TestForm) => (await acme.get(`/v1/forms/${form.id}/responses?status=all`)).body.items
/** What came of its responses: that the form was published is an event, too. */
const recorded = async () => (await acme.events()).filter(({ event }) => event !== 'form.published')
const eventNames = async () => (await recorded()).map(({ event }) => event)

describe('completing a response', () => {
  test('to all 19 types reads back with the right value, whether sent at once or page by page', async () => {
    const special: Partial<Record<string, object>> = {
      numeric: { friendlyId: 'SEATS' },
      payment: { currency: 'EUR', formula: '{SEATS} * 1200' },
    }
    const form = await createPublished(
      acme,
      questionTypeNames.map((type) => questionBody(type, special[type])),
    )
    const sent = questionTypeNames.map((type) => answersByType[type].sent)
    const atOnce = await complete(acme, form, sent)
    const slowly = await begin(acme, form, sent.slice(0, 9))
    await resume(acme, form, slowly, [...Array(9), ...sent.slice(9)], true)

    for (const begun of [atOnce, slowly]) {
      const { answers } = await read(form, begun)
      expect(answers).toHaveLength(19)
      for (const [index, type] of questionTypeNames.entries()) {
        const { value, ...answer } = answers[index]
        expect(answer).toEqual({
          questionId: form.questionIds[index],
          friendlyId: type === 'numeric' ? 'SEATS' : null,
          type,
          questionText: '',
        })
        expect([type, value]).toEqual([type, answersByType[type].read])
        expect([type, Value.Check(answerSchemas[type] as never, value)]).toEqual([type, true])
        expect([type, Value.Check(answerValueSchema, value)]).toEqual([type, true])
      }
    }
  })

  test('computes the scores; a partial response has none yet', async () => {
    const form = await createPublished(acme, [
      { type: 'nps' },
      { type: 'star_rating' },
      { type: 'likert' },
      questionBody('matrix', { lastColumnIsNotWeighted: true }),
      { type: 'textbox' },
    ])
    const unscored = { total: 0, max: 0, percentage: null }
    const begun = await begin(acme, form, [8, 4, [{ scale: 0, value: 3 }], [{ row: 0, column: 1 }], 'x'])
    expect((await read(form, begun)).scores).toEqual(unscored)
    await resume(acme, form, begun, [], true)
    expect((await read(form, begun)).scores).toEqual({ total: 16, max: 21, percentage: 76.2 })
    const textOnly = await complete(acme, form, [undefined, undefined, undefined, undefined, 'x'])
    expect(textOnly.response.scores).toEqual(unscored)
  })

  test('emits response.created once, with the payload of decisions §6; partial saves emit nothing', async () => {
    const form = await createPublished(acme, [{ type: 'nps', text: 'Likely?' }, questionBody('contact_details')], 'NPS')
    const begun = await begin(acme, form, [3, { email: 'ada@acme.test' }])
    await resume(acme, form, begun, [9])
    expect(await recorded()).toEqual([])

    app.clock.advance(MINUTE)
    await resume(acme, form, begun, [undefined, { first_name: 'Ada', email: 'ada@acme.test' }], true)
    const response = await read(form, begun)
    const timestamp = new Date(app.clock.now()).toISOString()
    const startedAt = new Date(app.clock.now() - MINUTE).toISOString()
    expect(response).toMatchObject({ status: 'complete', startedAt, submittedAt: timestamp, updatedAt: timestamp })
    const contact = { id: response.contactId, name: 'Ada', email: 'ada@acme.test', groups: [], customValues: [] }
    const events = (await recorded()).map(({ event, timestamp, payload }) => ({ event, timestamp, payload }))
    expect(events).toEqual([
      { event: 'contact.created_or_updated', timestamp, payload: contact },
      {
        event: 'response.created',
        timestamp,
        payload: {
          response,
          contact,
          scores: { total: 9, max: 10, percentage: 90 },
          form: { id: form.id, title: 'NPS', launchCode: form.launchCode },
        },
      },
    ])
  })

  test('without an email links and creates nobody', async () => {
    const form = await createPublished(acme, [questionBody('contact_details')])
    for (const details of [undefined, { first_name: 'Ada' }, { first_name: 'Ada', email: ' ' }]) {
      expect((await complete(acme, form, [details])).response.contactId).toBeNull()
    }
    expect(await eventNames()).toEqual(Array(3).fill('response.created'))
    expect((await recorded())[0]?.payload.contact).toBeNull()
    expect((await acme.get('/v1/contacts')).body.items).toEqual([])
  })

  test('is final', async () => {
    const form = await createPublished(acme, [{ type: 'nps' }])
    const begun = await complete(acme, form, [9])
    const before = await read(form, begun)
    const refused: Refusal = ['conflict', 'the response is complete and cannot be changed']
    for (const finish of [false, true]) expect(await refusal(resume(acme, form, begun, [1], finish))).toEqual(refused)
    expect(await read(form, begun)).toEqual(before)
    expect(await eventNames()).toEqual(['response.created'])
  })

  const rules: [string, object, unknown, string][] = [
    ['a required question left out', { type: 'nps', required: true }, undefined, 'an answer is required'],
    ['a required question answered null', { type: 'nps', required: true }, null, 'an answer is required'],
    ['an unknown option', questionBody('choose_one'), { selected: 'Pink' }, '"Pink" is not one of the options'],
    ['a value out of range', { type: 'nps' }, 11, 'must be between 0 and 10'],
    [
      'too many selections',
      questionBody('choose_any', { maxSelections: 1 }),
      { selected: ['Red', 'Blue'] },
      'at most 1 selection is allowed',
    ],
    ['a reversed range', { type: 'date_range' }, { from: '2026-03-02', to: '2026-03-01' }, 'from must not be after to'],
  ]
  test.each(rules)('checks %s, sent now or saved earlier, and keeps nothing', async (_, body, value, rule) => {
    const form = await createPublished(acme, [{ type: 'textbox' }, body])
    const unsaid = `question ${form.questionIds[1]}`
    const said = value === undefined ? unsaid : `answers[1] (${unsaid})`
    expect(await refusal(complete(acme, form, ['x', value]))).toEqual(['invalid_request', `${said}: ${rule}`])
    expect(await all(form)).toEqual([])

    const begun = await begin(acme, form, ['x', value])
    const before = await read(form, begun)
    const later = await refusal(resume(acme, form, begun, ['y'], true))
    expect(later).toEqual(['invalid_request', `${unsaid}: ${rule}`])
    expect(await read(form, begun)).toEqual(before)
    expect(await recorded()).toEqual([])
  })
})

describe('saving answers', () => {
  test('replaces those given, keeps the others, and takes back what is sent as null', async () => {
    const form = await createPublished(acme, [{ type: 'nps' }, { type: 'textbox' }, { type: 'numeric' }])
    const begun = await begin(acme, form, [1, 'first', 2])
    app.clock.advance(MINUTE)
    await resume(acme, form, begun, [undefined, 'second', null])
    const { answers, ...response } = await read(form, begun)
    expect(answers.map(({ value }: { value: unknown }) => value)).toEqual([1, 'second'])
    expect(response).toMatchObject({ status: 'partial', submittedAt: null })
    expect(Date.parse(response.updatedAt) - Date.parse(response.startedAt)).toBe(MINUTE)
  })

  test('checks shapes and question ids, and keeps nothing of a bad submission', async () => {
    const form = await createPublished(acme, [{ type: 'nps' }, { type: 'textbox' }])
    const other = await createPublished(acme, [{ type: 'nps' }])
    const [nps, text] = form.questionIds as [number, number]
    const foreign = other.questionIds[0] as number
    const cases: [[questionId: number, value: unknown][], string][] = [
      [[[nps, '9']], `answers[0] (question ${nps}): must be an integer`],
      [
        [
          [nps, 9],
          [text, ['x']],
        ],
        `answers[1] (question ${text}): must be a string`,
      ],
      [[[text, 'x'.repeat(10_001)]], `answers[0] (question ${text}): must be at most 10000 characters`],
      [[[foreign, 9]], `answers[0] (question ${foreign}): the form has no such question`],
      [[[-1, 9]], 'answers[0] (question -1): the form has no such question'],
      [
        [
          [nps, 9],
          [nps, 8],
        ],
        `answers[1] (question ${nps}): is answered twice`,
      ],
    ]
    for (const [pairs, message] of cases) {
      const submission = { answers: pairs.map(([questionId, value]) => ({ questionId, value })), complete: false }
      const refused = await refusal(acme.perform((tx, caller) => startResponse(tx, caller, form.id, submission)))
      expect(refused).toEqual(['invalid_request', message])
    }
    expect(await all(form)).toEqual([])
  })

  test('does not pile up more than a megabyte', async () => {
    const form = await createPublished(acme, Array(3).fill(questionBody('choose_any')))
    const half = { selected: Array(60).fill('x'.repeat(9_000)) }
    const begun = await begin(acme, form, [half])
    const before = await read(form, begun)
    const refused = await refusal(resume(acme, form, begun, [undefined, half]))
    expect(refused).toEqual(['invalid_request', 'answers: must be at most 1 MiB together'])
    expect(await read(form, begun)).toEqual(before)
    await resume(acme, form, begun, [null, half])
  })

  test('needs the resume token, the form and the tenant the response was begun with', async () => {
    const form = await createPublished(acme, [{ type: 'nps' }])
    const twin = await createPublished(acme, [{ type: 'nps' }])
    const begun = await begin(acme, form, [1])
    const second = await begin(acme, form, [2])
    expect(Buffer.from(begun.resumeToken, 'base64url')).toHaveLength(32)
    const notFound: Refusal = ['not_found', 'response not found']
    for (const resumeToken of ['', 'x', second.resumeToken, `${begun.resumeToken}x`]) {
      expect(await refusal(resume(acme, form, { ...begun, resumeToken }, [9]))).toEqual(notFound)
    }
    expect(await refusal(resume(acme, form, { ...begun, response: { id: 'r_0' } }, [9]))).toEqual(notFound)
    expect(await refusal(resume(acme, twin, begun, []))).toEqual(notFound)
    const other = await app.createTenant('Other')
    expect(await refusal(resume(other, form, begun, []))).toEqual(['not_found', 'form not found'])
    expect((await read(form, begun)).answers).toMatchObject([{ value: 1 }])
    expect(await all(twin)).toEqual([])
  })

  test('works only while the form is published and active', async () => {
    const gone: Refusal = ['not_found', 'there is no such form, or it is closed and takes no more answers']
    const unpublished = await createUnpublished(acme, [{ type: 'nps' }])
    expect(await refusal(begin(acme, unpublished, [1]))).toEqual(gone)

    const form = await createPublished(acme, [{ type: 'nps' }])
    const begun = await begin(acme, form, [1])
    await acme.perform((tx, caller) => closeForm(tx, caller, form.id))
    expect(await refusal(begin(acme, form, [1]))).toEqual(gone)
    expect(await refusal(resume(acme, form, begun, [2]))).toEqual(gone)
    await acme.perform((tx, caller) => reopenForm(tx, caller, form.id))
    await resume(acme, form, begun, [3])
    await acme.perform((tx, caller) => trashForm(tx, caller, form.id))
    expect(await refusal(resume(acme, form, begun, [4]))).toEqual(['not_found', 'form not found'])
  })
})

describe('the contact of a completed response', () => {
  const fields = ['first_name', 'last_name', 'email', 'phone_number', 'company']
  const details = { type: 'contact_details', contactFields: fields.map((field) => ({ field, visible: true })) }
  const ada = { first_name: 'Ada', last_name: 'Lovelace', email: ' Ada@acme.test ', phone_number: '123', company: 'A' }

  test('is created from the fields given, with source form', async () => {
    const form = await createPublished(acme, [details])
    const { response } = await complete(acme, form, [ada])
    expect((await acme.get(`/v1/contacts/${response.contactId}`)).body).toMatchObject({
      email: 'Ada@acme.test',
      name: 'Ada',
      lastName: 'Lovelace',
      phone: '123',
      source: 'form',
    })
  })

  test('that is known is linked, and keeps all that is known of it: anybody can type its address', async () => {
    const form = await createPublished(acme, [details])
    const names = { name: 'Augusta', lastName: 'King', phone: '999' }
    const { body: known } = await acme.post('/v1/contacts', { email: 'ada@acme.test', ...names })
    app.clock.advance(MINUTE)
    const { response } = await complete(acme, form, [{ ...ada, email: ' ADA@acme.test' }])
    expect(response.contactId).toBe(known.id)
    expect((await acme.get(`/v1/contacts/${known.id}`)).body).toEqual(known)
    expect(await eventNames()).toEqual(['contact.created_or_updated', 'response.created'])
    expect((await recorded()).at(-1)?.payload.contact).toMatchObject({ id: known.id, name: 'Augusta' })
  })

  test('that is known is filled in where it is empty, and told of only if that changes it', async () => {
    const form = await createPublished(acme, [details])
    const { body: known } = await acme.post('/v1/contacts', { email: 'ada@acme.test', name: '', phone: '999' })
    app.clock.advance(MINUTE)
    await complete(acme, form, [{ email: 'ada@acme.test', first_name: ' ', last_name: null }])
    expect((await acme.get(`/v1/contacts/${known.id}`)).body).toEqual(known)
    await complete(acme, form, [ada])
    const filled = { ...known, name: 'Ada', lastName: 'Lovelace', updatedAt: new Date(app.clock.now()).toISOString() }
    expect((await acme.get(`/v1/contacts/${known.id}`)).body).toEqual(filled)
    await complete(acme, form, [{ ...ada, first_name: 'Eve', last_name: 'Adversary' }])
    expect((await acme.get(`/v1/contacts/${known.id}`)).body).toEqual(filled)
    expect(await eventNames()).toEqual([
      'contact.created_or_updated',
      'response.created',
      'contact.created_or_updated',
      'response.created',
      'response.created',
    ])
  })

  test('is the one of the first email in the form', async () => {
    const form = await createPublished(acme, [details, details, details])
    const emails = [{ first_name: 'Nobody' }, { email: 'first@acme.test' }, { email: 'second@acme.test' }]
    const { response } = await complete(acme, form, emails)
    expect((await acme.get(`/v1/contacts/${response.contactId}`)).body.email).toBe('first@acme.test')
    expect((await acme.get('/v1/contacts')).body.items).toHaveLength(1)
  })

  test('belongs to the form’s tenant, and can be deleted: the response stays, unlinked', async () => {
    const other = await app.createTenant('Other')
    await other.post('/v1/contacts', { email: 'ada@acme.test' })
    const form = await createPublished(acme, [details])
    const begun = await complete(acme, form, [ada])
    expect((await other.get('/v1/contacts')).body.items).toMatchObject([{ name: null }])
    await acme.delete(`/v1/contacts/${begun.response.contactId}`)
    expect(await read(form, begun)).toMatchObject({ contactId: null, status: 'complete' })
  })
})
