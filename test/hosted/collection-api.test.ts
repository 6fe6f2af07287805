import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { closeForm, publishForm, reopenForm, trashForm } from '../../src/forms/publishing.ts'
import { issuePageToken } from '../../src/hosted/abuse.ts'
import { problem } from '../support/api/problem.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'
import { answersTo, createPublished, createUnpublished, type TestForm } from '../support/forms/collecting.ts'
import { respondent } from '../support/forms/hosted.ts'
import { questionBody } from '../support/forms/questions.ts'

let app: TestApp
let acme: TestTenant
let form: TestForm
let visitor: ReturnType<typeof respondent>

beforeAll(async () => {
  app = await startApp({ environment: { FRONTDESK_PUBLIC_RATE_LIMIT: '100000' } })
})
beforeEach(async () => {
  acme = await app.createTenant()
  form = await createPublished(acme, [
    questionBody('nps', { required: true }),
    questionBody('textbox', { inputLimitation: 'email' }),
    questionBody('choose_any', { maxSelections: 1 }),
  ])
  visitor = respondent(app, form)
})
afterAll(() => app.close())

const stored = async (status = 'all') => (await acme.get(`/v1/forms/${form.id}/responses?status=${status}`)).body.items
/** What its respondents did: that the form was published is an event, too. */
const eventNames = async () =>
  (await acme.events()).map(({ event }) => event).filter((event) => event !== 'form.published')

describe('a respondent', () => {
  test('reads the definition without a key', async () => {
    const { status, body } = await app.request('GET', `${visitor.path}/definition`)
    const read = (await acme.get(`/v1/forms/${form.id}`)).body
    const spoken = { language: 'en', languages: ['en'], variables: [], ends: [] }
    expect([status, body]).toEqual([200, { title: 'Survey', description: null, ...spoken, pages: read.pages }])
  })

  test('does not read by which formula a payment is computed', async () => {
    const questions = [
      { type: 'numeric', friendlyId: 'SEATS' },
      { type: 'payment', currency: 'EUR', formula: '{SEATS} * 1200' },
    ]
    const priced = await createPublished(acme, questions)
    const { status, body } = await app.request('GET', `/f/${priced.launchCode}/definition`)
    const read = (await acme.get(`/v1/forms/${priced.id}`)).body
    const [seats, { formula, ...payment }] = read.pages[0].questions
    expect([status, formula]).toEqual([200, '{SEATS} * 1200'])
    expect(body.pages).toEqual([{ ...read.pages[0], questions: [seats, payment] }])
  })

  test('finishes a response at once, which is told of', async () => {
    const { status, body } = await visitor.begin([9, 'ada@acme.test', { selected: ['Red'] }], true)
    expect([status, body]).toEqual([
      201,
      { id: expect.any(String), resumeToken: expect.any(String), status: 'complete', thanks: null, redirect: null },
    ])
    const [response] = await stored('complete')
    expect([response.id, response.scores.total]).toEqual([body.id, 9])
    expect(await eventNames()).toEqual(['response.created'])
  })

  test('saves in parts and finishes later; answers given replace those stored', async () => {
    const { body: begun } = await visitor.begin([3])
    expect([begun.status, await eventNames()]).toEqual(['partial', []])
    const again = await visitor.resume(begun, [9, 'ada@'])
    expect([again.status, again.body.status]).toEqual([200, 'partial'])
    const done = await visitor.resume(begun, [undefined, 'ada@acme.test'], true)
    expect([done.status, done.body]).toEqual([200, { ...begun, status: 'complete' }])
    const [response] = await stored()
    expect(response.answers.map(({ value }: { value: unknown }) => value)).toEqual([9, 'ada@acme.test'])
    expect(await eventNames()).toEqual(['response.created'])
  })

  test('cannot change a complete response', async () => {
    const { body: begun } = await visitor.begin([9], true)
    const { status, body } = await visitor.resume(begun, [1])
    expect([status, body.error]).toEqual([409, 'conflict'])
    expect((await stored())[0].answers[0].value).toBe(9)
  })

  test('is refused a response by a wrong token, another form or an unknown id alike', async () => {
    const { body: begun } = await visitor.begin([9])
    const other = respondent(app, await createPublished(acme, [questionBody('nps')]))
    const refused = [
      await visitor.resume({ ...begun, resumeToken: 'x' }, [1]),
      await other.resume(begun, []),
      await visitor.resume({ ...begun, id: 'r_1' }, [1]),
    ]
    expect(refused.map(({ status, body }) => [status, body.error])).toEqual(Array(3).fill([404, 'not_found']))
    expect((await stored())[0].answers[0].value).toBe(9)
  })
})

describe('a form that does not collect', () => {
  const closed: Record<string, () => Promise<string>> = {
    unknown: async () => 'AAAAAAAA',
    unpublished: async () => (await createUnpublished(acme, [questionBody('nps')])).launchCode,
    closed: async () => {
      await acme.perform((tx, caller) => closeForm(tx, caller, form.id))
      return form.launchCode
    },
    trashed: async () => {
      await acme.perform((tx, caller) => trashForm(tx, caller, form.id))
      return form.launchCode
    },
    prototype: async () => '__proto__',
  }
  test.each(Object.entries(closed))('%s: is a 404 for every call, and nothing is stored', async (_name, make) => {
    const launchCode = await make()
    const { begin, upload, path, resume } = respondent(app, { ...form, launchCode })
    const answers = [
      await app.request('GET', `${path}/definition`),
      await begin([9], true),
      await resume({ id: 'r_1', resumeToken: 'x' }, [9], true),
      await upload('x'),
    ]
    expect(answers.map(({ status, body }) => [status, body?.error])).toEqual(Array(4).fill([404, 'not_found']))
    expect(await eventNames()).toEqual([])
  })

  test('collects again once it is open again', async () => {
    await acme.perform((tx, caller) => closeForm(tx, caller, form.id))
    expect((await visitor.begin([9], true)).status).toBe(404)
    await acme.perform((tx, caller) => reopenForm(tx, caller, form.id))
    expect((await visitor.begin([9], true)).status).toBe(201)
  })

  test('an unpublished form collects from the moment it is published', async () => {
    const later = await createUnpublished(acme, [questionBody('nps')])
    await acme.perform((tx, caller) => publishForm(tx, caller, later.id))
    expect((await respondent(app, later).begin([9], true)).status).toBe(201)
  })
})

describe('bad input is a 400 that names the place, and nothing is stored', () => {
  const id = () => form.questionIds
  const cases: [string, () => unknown, RegExp | string][] = [
    ['no body', () => undefined, 'body: a JSON object is required'],
    ['no answers', () => ({ complete: true }), 'answers: is required'],
    ['answers that are no list', () => ({ answers: {} }), 'answers: must be an array'],
    ['a field nobody knows', () => ({ answers: [], done: true }), 'done: unknown field'],
    [
      'a field of an answer nobody knows',
      () => ({ answers: [{ questionId: 1, val: 2 }] }),
      'answers[0].val: unknown field',
    ],
    ['complete that is no boolean', () => ({ answers: [], complete: 'yes' }), 'complete: must be true or false'],
    [
      'a question id that is no number',
      () => ({ answers: [{ questionId: '1' }] }),
      /answers\[0\]\.questionId: must be a/,
    ],
    [
      'a question of another form',
      () => ({ answers: [{ questionId: 999999, value: 1 }] }),
      'answers[0] (question 999999): the form has no such question',
    ],
    ['a required answer missing', () => ({ answers: [], complete: true }), /^question \d+: an answer is required/],
    [
      'a value out of range',
      () => ({ answers: answersTo(form, [11]), complete: true }),
      /^answers\[0\] \(question \d+\): must be between 0 and 10/,
    ],
    [
      'a wrong type in a partial save',
      () => ({ answers: answersTo(form, ['9']) }),
      /^answers\[0\] \(question \d+\): must be an integer/,
    ],
    [
      'an unknown option',
      () => ({ answers: answersTo(form, [9, undefined, { selected: ['Pink'] }]), complete: true }),
      /\(question \d+\): "Pink" is not one of the options/,
    ],
    [
      'too many selections',
      () => ({ answers: answersTo(form, [9, undefined, { selected: ['Red', 'Blue'] }]), complete: true }),
      /\(question \d+\): at most 1 selection/,
    ],
    [
      'a text of 20,000 characters',
      () => ({ answers: answersTo(form, [9, 'x'.repeat(20_000)]) }),
      /\(question \d+\): must be at most 10000 characters/,
    ],
    [
      'an answer given twice',
      () => ({ answers: [...answersTo(form, [9]), ...answersTo(form, [8])] }),
      /\(question \d+\): is answered twice/,
    ],
    [
      'an upload that is none',
      () => ({ answers: [{ questionId: id()[0], value: { uploadId: 'x' } }] }),
      /must be an integer/,
    ],
  ]
  test.each(cases)('%s', async (_name, body, message) => {
    const answer = await app.request('POST', `${visitor.path}/responses`, { body: body() })
    expect([answer.status, answer.body.error]).toEqual([400, 'invalid_request'])
    expect(answer.body.message).toMatch(message)
    expect([await stored(), await eventNames()]).toEqual([[], []])
  })

  test('a body over 256 KiB is a 413', async () => {
    const { status, body } = await visitor.begin([9, 'x'.repeat(256 * 1024)])
    expect([status, body.error, (await stored()).length]).toEqual([413, 'invalid_request', 0])
  })

  test('a change that breaks a rule leaves the response as it was', async () => {
    const { body: begun } = await visitor.begin([9])
    expect((await visitor.resume(begun, [8, 'no address'], true)).status).toBe(400)
    const [response] = await stored()
    expect([response.status, response.answers.length, response.answers[0].value]).toEqual(['partial', 1, 9])
  })
})

describe('an Idempotency-Key', () => {
  test('makes one response of two clicks', async () => {
    const click = () => visitor.begin([9], true, { 'idempotency-key': 'click-0123456789ab' })
    const [first, second] = await Promise.all([click(), click()])
    expect([first.status, second.status, second.body]).toEqual([201, 201, first.body])
    expect([(await stored()).length, await eventNames()]).toEqual([1, ['response.created']])
  })

  test('has 16 characters at least, so that nobody guesses one and gets its resume token', async () => {
    for (const key of ['k', 'k'.repeat(15), 'k'.repeat(256)]) {
      const { status, body } = await visitor.begin([9], true, { 'idempotency-key': key })
      const message = 'Idempotency-Key: must be 16 to 255 characters'
      expect([status, body]).toEqual([400, problem('invalid_request', message)])
    }
    expect(await stored()).toEqual([])
    expect((await visitor.begin([9], true, { 'idempotency-key': 'k'.repeat(16) })).status).toBe(201)
  })

  test('of a stranger does not meet those of the tenant’s own programs', async () => {
    const headers = { 'idempotency-key': 'order-1-0123456789' }
    expect((await visitor.begin([9], true, headers)).status).toBe(201)
    expect((await acme.post('/v1/contacts', { email: 'a@acme.test' }, headers)).status).toBe(201)
  })
})

describe('from another origin', () => {
  const origin = { origin: 'https://shop.test' }

  test('every answer may be read, the refusals too, and never with credentials', async () => {
    const answers = [
      await app.request('GET', `${visitor.path}/definition`, { headers: origin }),
      await visitor.begin([9], true, origin),
      await visitor.begin([99], true, origin),
      await app.request('GET', '/f/AAAAAAAA/definition', { headers: origin }),
    ]
    for (const { headers } of answers) {
      expect(headers.get('access-control-allow-origin')).toBe('*')
      expect(headers.get('access-control-allow-credentials')).toBeNull()
    }
  })

  test.each(['definition', 'responses', 'responses/r_1', 'uploads'])('a preflight of %s is answered', async (what) => {
    const { status, headers, text } = await app.request('OPTIONS', `${visitor.path}/${what}`, {
      headers: { ...origin, 'access-control-request-method': 'PUT', 'access-control-request-headers': 'content-type' },
    })
    expect([status, text, headers.get('access-control-allow-origin')]).toEqual([204, '', '*'])
    expect(headers.get('access-control-allow-methods')).toContain('PUT')
    expect(headers.get('access-control-allow-headers')).toContain('Content-Type')
  })

  test('the API of the tenant cannot be called', async () => {
    const { headers } = await acme.get('/v1/me')
    expect(headers.get('access-control-allow-origin')).toBeNull()
  })
})

describe('what the hosted page sends beside the answers', () => {
  const finish = (page?: object, given: readonly unknown[] = [9]) =>
    app.request('POST', `${visitor.path}/responses`, {
      body: { answers: answersTo(form, given), complete: true, page },
    })

  test('makes a refusal name its place and the page’s word for it; others get the message alone', async () => {
    const place = `answers[1] (question ${form.questionIds[1]})`
    const refused = problem('invalid_request', `${place}: must be an email address`)
    const token = issuePageToken(form.id, app.clock.now())
    app.clock.advance(2000)
    const begun = (await visitor.begin([9])).body
    const answers = answersTo(form, [9, 'ada@'])
    for (const [page, told] of [
      [
        { token, website: '' },
        { place, word: 'notEmail' },
      ],
      [undefined, {}],
    ] as const) {
      const resumed = { answers, complete: true, page, resumeToken: begun.resumeToken }
      for (const answer of [
        await finish(page, [9, 'ada@']),
        await app.request('PUT', `${visitor.path}/responses/${begun.id}`, { body: resumed }),
      ])
        expect([answer.status, answer.body]).toEqual([400, { ...refused, ...told }])
    }
  })

  test('lets a person through', async () => {
    const token = issuePageToken(form.id, app.clock.now())
    app.clock.advance(2000)
    expect((await finish({ token, website: '' })).status).toBe(201)
  })

  test('stops a program that fills in every field', async () => {
    const token = issuePageToken(form.id, app.clock.now())
    app.clock.advance(2000)
    const { status, body } = await finish({ token, website: 'https://spam.test' })
    expect([status, body.message, (await stored()).length]).toEqual([400, expect.stringContaining('page.website'), 0])
  })

  test('stops who is faster than a person, and says when to try again', async () => {
    const token = issuePageToken(form.id, app.clock.now())
    const { status, headers } = await finish({ token, website: '' })
    expect([status, (await stored()).length]).toEqual([429, 0])
    app.clock.advance(Number(headers.get('retry-after')) * 1000)
    expect((await finish({ token, website: '' })).status).toBe(201)
  })

  test.each([
    ['forged', 'kx.abc'],
    ['empty', ''],
    ['of another form', issuePageToken('x', 0)],
  ])('stops a token that is %s', async (_name, token) => {
    const { status, body } = await finish({ token, website: '' })
    expect([status, body.message]).toEqual([400, expect.stringContaining('page.token')])
  })
})
