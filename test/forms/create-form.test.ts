import { afterAll, beforeAll, describe, expect, spyOn, test } from 'bun:test'
import { Value } from '@sinclair/typebox/value'
import { questionReadSchema, questionTypeNames, questionTypes } from '../../src/forms/question-types/index.ts'
import { createKey } from '../../src/keys/operations.ts'
import { scopes } from '../../src/kinds/scopes.ts'
import { createTenant, createWorkspace } from '../../src/tenants/operations.ts'
import { createUser } from '../../src/users/accounts.ts'
import { problem } from '../support/api/problem.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'
import { brokenQuestions } from '../support/forms/question-rules.ts'
import { questionBody } from '../support/forms/questions.ts'

let app: TestApp
let acme: TestTenant

beforeAll(async () => {
  app = await startApp()
  acme = await app.createTenant()
})
afterAll(() => app.close())

const nps = (count: number) => Array.from({ length: count }, () => ({ type: 'nps' }))
const create = (fields: object) => acme.post('/v1/forms', { title: 'Survey', ...fields })
const countForms = async () => (await acme.get('/v1/forms?limit=100')).body.items.length

async function expectRefused(body: unknown, message: string) {
  const before = await countForms()
  const answer = await acme.post('/v1/forms', body)
  expect([answer.status, answer.body]).toEqual([400, problem('invalid_request', message)])
  expect(await countForms()).toBe(before)
}

test('a launch code that another form has is not given again', async () => {
  const random = crypto.getRandomValues.bind(crypto)
  let same = 2
  const repeating = (bytes: Uint8Array<ArrayBuffer>) => (same-- > 0 ? bytes : random(bytes))
  using _ = spyOn(crypto, 'getRandomValues').mockImplementation(repeating as typeof crypto.getRandomValues)
  const made = [await create({}), await create({})].map(({ body }) => body)
  expect(same).toBe(-1)
  expect(made[0].launchCode).toMatch(/^A+$/)
  expect(made[1].launchCode).not.toMatch(/^A+$/)
  for (const form of made) expect((await acme.get(`/v1/forms/${form.id}`)).body).toEqual(form)
})

describe('the page of a form', () => {
  const labels = (count: number, length = 1) => Array.from({ length: count }, (_, i) => `${i}`.padEnd(length, '&'))
  const matrix = (rows: number, columns: number, length?: number) => ({
    type: 'matrix',
    rowHeadings: labels(rows),
    columnHeadings: labels(columns, length),
  })
  const scale = { text: 'Low', opposingText: 'High' }
  const many = (count: number, question: object) => ({ questions: Array(count).fill(question) })

  test.each<[string, object]>([
    ['200 matrices', many(200, matrix(10, 10))],
    ['100 scales of 101 steps', many(3, { type: 'likert', scales: Array(100).fill(scale), scaleEnd: 101 })],
    ['30,000 options', many(60, { type: 'choose_any', options: labels(500) })],
    ['sliders without end', many(20, { type: 'likert_slider', scales: Array(100).fill(scale), scaleEnd: 10_000 })],
  ])('may have %s', async (_, fields) => expect((await create(fields)).status).toBe(201))

  test.each<[string, object, number]>([
    ['matrices', many(200, matrix(100, 100)), 3],
    ['long column headings, which every row repeats', many(2, matrix(100, 50, 300)), 0],
    ['steps', many(5, { type: 'likert', scales: Array(100).fill(scale), scaleEnd: 101 }), 3],
    ['options', many(200, { type: 'dropdown', options: labels(500) }), 68],
    ['selections', many(200, { type: 'choose_any', options: labels(500) }), 68],
    ['ranks', many(100, { type: 'ranking', rankOptions: labels(100, 60) }), 39],
    ['files', many(200, { type: 'file_upload', fileUploadSlots: labels(50) }), 93],
  ])('is refused when it would grow long by %s', (_, fields, index) =>
    expectRefused(
      { title: 'Survey', ...fields },
      `questions[${index}]: the options, rows, columns and scales of a form must not make a page of more than 4 MiB`,
    ),
  )
})

describe('the HTML of a form', () => {
  const texts = (count: number, text: string) => Array.from({ length: count }, () => ({ type: 'nps', text }))
  const long = 'x'.repeat(10_000)
  const page = { title: 'é'.repeat(255), questions: texts(12, long) }

  test.each<[string, object]>([
    ['256 KiB', { description: 'x'.repeat(2144), questions: texts(26, long) }],
    ['5,000 tags', { questions: texts(25, '<br>'.repeat(200)) }],
    ['512 KiB once it is sanitised', { questions: texts(10, '&'.repeat(10_000)) }],
  ])('may have %s', async (_, fields) => expect((await create(fields)).status).toBe(201))

  const tooMuch = 'the HTML of a form must be at most 256 KiB together'
  test.each<[string, object, string]>([
    ['more', { questions: texts(27, long) }, `questions[26].text: ${tooMuch}`],
    [
      'more with its description',
      { description: 'x'.repeat(2145), questions: texts(26, long) },
      `questions[25].text: ${tooMuch}`,
    ],
    ['more bytes', { questions: texts(14, 'é'.repeat(10_000)) }, `questions[13].text: ${tooMuch}`],
    ['more over its pages', { pages: [page, page, page] }, `pages[2].questions[2].text: ${tooMuch}`],
    [
      'more with the title of a page',
      { pages: [{ questions: texts(26, long) }, ...Array(5).fill({ title: page.title })] },
      `pages[5].title: ${tooMuch}`,
    ],
    [
      'more tags',
      { questions: texts(26, '<br>'.repeat(200)) },
      'questions[25].text: a form must hold at most 5000 tags (<)',
    ],
    [
      'more tags with its description',
      { description: '<', questions: texts(25, '<br>'.repeat(200)) },
      'questions[24].text: a form must hold at most 5000 tags (<)',
    ],
    [
      'more once its description is sanitised too',
      { description: '&'.repeat(10_000), questions: texts(10, '&'.repeat(10_000)) },
      'questions[9].text: the sanitised HTML of a form must be at most 512 KiB together',
    ],
    [
      'more once it is sanitised',
      { questions: texts(11, '&'.repeat(10_000)) },
      'questions[10].text: the sanitised HTML of a form must be at most 512 KiB together',
    ],
  ])('may not have %s', async (_, fields, message) => {
    await expectRefused({ title: 'Survey', ...fields }, message)
  })
})

describe('creating a form', () => {
  test('answers 201 with its location and the shape of a form read, and fires nothing', async () => {
    const answer = await create({ description: 'Tell <i>us</i>', questions: [{ type: 'nps', text: 'Likely?' }] })
    expect(answer.status).toBe(201)
    expect(answer.headers.get('location')).toBe(`/v1/forms/${answer.body.id}`)
    const at = '2026-03-01T09:00:00.000Z'
    expect(answer.body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{14}7[0-9a-f-]{21}$/),
      title: 'Survey',
      status: 'inactive',
      workspaceId: acme.workspaceId,
      publishedAt: null,
      updatedAt: at,
      description: 'Tell <i>us</i>',
      launchCode: expect.stringMatching(/^[A-Za-z0-9]{8}$/),
      ownerId: acme.userId,
      createdAt: at,
      pages: [
        {
          id: expect.any(Number),
          title: null,
          showIf: null,
          questions: [
            { id: expect.any(Number), type: 'nps', text: 'Likely?', required: false, friendlyId: null, showIf: null },
          ],
        },
      ],
      variables: [],
      ends: [],
    })
    expect((await acme.get(`/v1/forms/${answer.body.id}`)).body).toEqual(answer.body)
    expect(await acme.events()).toEqual([])
  })

  test('takes all 19 types, which read back with exactly their own fields', async () => {
    const { body } = await create({ questions: questionTypeNames.map((type) => questionBody(type)) })
    const { pages } = (await acme.get(`/v1/forms/${body.id}`)).body
    const questions = pages[0].questions
    expect(questions.map(({ type }: { type: string }) => type)).toEqual([...questionTypeNames])
    for (const [index, { type, fields }] of questionTypes.entries()) {
      const own = ['id', 'type', 'text', 'required', 'friendlyId', 'showIf', ...Object.keys(fields)]
      expect([type, Object.keys(questions[index])]).toEqual([type, own])
      expect([type, Value.Check(questionReadSchema, questions[index])]).toEqual([type, true])
    }
  })

  test('numbers pages and questions so that no form of the tenant repeats one', async () => {
    const ids = async () => {
      const { pages } = (await create({ pages: [{ questions: nps(2) }, {}, { questions: nps(1) }] })).body
      const questions = pages.flatMap((page: { questions: { id: number }[] }) => page.questions)
      return [pages, questions].map((list) => list.map(({ id }: { id: number }) => id))
    }
    const [[pages, questions], [laterPages, laterQuestions]] = [await ids(), await ids()] as [number[][], number[][]]
    const [page, question] = [pages?.[0] as number, questions?.[0] as number]
    expect(pages).toEqual([page, page + 1, page + 2])
    expect(laterPages).toEqual([page + 3, page + 4, page + 5])
    expect(questions).toEqual([question, question + 1, question + 2])
    expect(laterQuestions).toEqual([question + 3, question + 4, question + 5])
  })

  test.each<[string, object, number[]]>([
    ['neither questions nor pages', {}, [0]],
    ['both null', { questions: null, pages: null }, [0]],
    ['questions', { questions: nps(2) }, [2]],
    ['pages', { pages: [{ questions: nps(1) }, { questions: nps(2) }] }, [1, 2]],
    ['pages without questions', { pages: [{}, { title: 'End', questions: null }] }, [0, 0]],
    ['both: pages win', { questions: nps(5), pages: [{ questions: nps(1) }] }, [1]],
    ['questions and an empty list of pages', { questions: nps(2), pages: [] }, [2]],
    ['200 questions', { questions: nps(200) }, [200]],
    ['200 questions over pages', { pages: [{ questions: nps(150) }, { questions: nps(50) }] }, [150, 50]],
    ['200 pages', { pages: Array(200).fill({}) }, Array(200).fill(0)],
  ])('%s', async (_name, fields, counts) => {
    const { status, body } = await create(fields)
    expect(status).toBe(201)
    expect(body.pages.map(({ questions }: { questions: unknown[] }) => questions.length)).toEqual(counts)
  })

  test('`active` sets the status and publishes nothing', async () => {
    const statuses = []
    for (const active of [true, false, null]) {
      const { status, publishedAt } = (await create({ active })).body
      statuses.push([status, publishedAt])
    }
    expect(statuses).toEqual([
      ['active', null],
      ['inactive', null],
      ['inactive', null],
    ])
  })

  test('goes into the workspace asked for, or else the oldest', async () => {
    const second = await acme.perform((tx, caller) => createWorkspace(tx, caller, { name: 'Second' }))
    expect((await create({ workspaceId: second.id.toUpperCase() })).body.workspaceId).toBe(second.id)
    expect((await create({ workspaceId: null })).body.workspaceId).toBe(acme.workspaceId)
  })

  test('sanitises description, page titles and question texts, and keeps the title as plain text', async () => {
    const html = '<b onclick="x()">Hi</b><script>x()</script><a href="javascript:x()">link</a>'
    const safe = '<b>Hi</b><a>link</a>'
    const { body } = await create({
      title: 'A <b>bold</b> & plain title',
      description: html,
      pages: [{ title: html, questions: [{ type: 'nps', text: html }] }, { title: '<script>x()</script>' }],
    })
    expect(body).toMatchObject({ title: 'A <b>bold</b> & plain title', description: safe })
    expect(body.pages).toMatchObject([{ title: safe, questions: [{ text: safe }] }, { title: null }])
  })

  test('under an Idempotency-Key makes one form however often it is sent', async () => {
    const before = await countForms()
    const send = () => acme.post('/v1/forms', { title: 'Once' }, { 'idempotency-key': 'one-form' })
    const [first, second] = [await send(), await send()]
    expect(second.body).toEqual(first.body)
    expect(second.headers.get('idempotent-replayed')).toBe('true')
    expect(second.headers.get('location')).toBe(first.headers.get('location'))
    expect(await countForms()).toBe(before + 1)
  })

  test('without a billable user is a 422, and nothing is written', async () => {
    const { caller, key } = await tenantWithoutOwner()
    const post = (body: object) => app.request('POST', '/v1/forms', { key, body })
    const answer = await post({ title: 'Survey', questions: nps(1) })
    expect([answer.status, answer.body.error]).toEqual([422, 'unprocessable_entity'])
    expect((await app.request('GET', '/v1/forms', { key })).body.items).toEqual([])
    expect((await post({ title: 'Survey', workspaceId: acme.workspaceId })).status).toBe(400)

    const user = { email: 'owner@late.test', role: 'admin' as const, passwordHash: '-' }
    await app.database.transaction((tx) => createUser(tx, caller, { ...user, billable: true }))
    expect((await post({ title: 'Survey' })).status).toBe(201)
  })
})

async function tenantWithoutOwner() {
  return app.database.transaction(async (tx) => {
    const { tenantId } = await createTenant(tx, { name: 'Late' }, app.clock.now())
    const caller = { ...acme.caller(), tenantId }
    const agent = { email: 'agent@late.test', role: 'agent' as const, billable: false, passwordHash: '-' }
    await createUser(tx, caller, agent)
    return { caller, ...(await createKey(tx, caller, { name: 'late', scopes, expiresAt: null })) }
  })
}

describe('a form that breaks a rule is a 400 that names it, and nothing is written', () => {
  const title = 'must be 1 to 255 characters and not blank'
  const two = nps(2)

  test.each<[unknown, string]>([
    [{}, 'title: is required'],
    [{ title: null }, `title: ${title}`],
    [{ title: '' }, `title: ${title}`],
    [{ title: ' \t ' }, `title: ${title}`],
    [{ title: 5 }, `title: ${title}`],
    [{ title: 'x'.repeat(256) }, `title: ${title}`],
    [{ title: 'A', description: 'x'.repeat(10_001) }, 'description: must be at most 10000 characters'],
    [{ title: 'A', description: ['x'] }, 'description: must be a string'],
    [{ title: 'A', active: 'yes' }, 'active: must be true or false'],
    [{ title: 'A', workspaceId: 'main' }, 'workspaceId: must be a UUID'],
    [{ title: 'A', workspaceId: crypto.randomUUID() }, 'workspaceId: there is no such workspace'],
    [{ title: 'A', status: 'active' }, 'status: unknown field'],
    [{ title: 'A', launchCode: 'aaaaaaaa' }, 'launchCode: unknown field'],
    [{ title: 'A', questions: {} }, 'questions: must be an array'],
    [{ title: 'A', questions: ['nps'] }, 'questions[0]: must be an object'],
    [{ title: 'A', questions: [...two, null] }, 'questions[2]: must be an object'],
    [{ title: 'A', questions: nps(201) }, 'questions: at most 200 questions are allowed in a form'],
    [{ title: 'A', pages: 'one' }, 'pages: must be an array'],
    [{ title: 'A', pages: [null] }, 'pages[0]: must be an object'],
    [{ title: 'A', pages: [{}, { name: 'x' }] }, 'pages[1].name: unknown field'],
    [{ title: 'A', pages: [{ title: '' }] }, `pages[0].title: ${title}`],
    [{ title: 'A', pages: [{ title: 'x'.repeat(256) }] }, `pages[0].title: ${title}`],
    [{ title: 'A', pages: [{ questions: 'x' }] }, 'pages[0].questions: must be an array'],
    [{ title: 'A', pages: Array(201).fill({}) }, 'pages: at most 200 items are allowed'],
    [
      { title: 'A', pages: [{ questions: nps(150) }, { questions: nps(51) }] },
      'pages: at most 200 questions are allowed in a form',
    ],
    [
      { title: 'A', pages: [{}, { questions: [...two, { type: 'choose_one', options: ['Red'] }] }] },
      'pages[1].questions[2].options: at least 2 options are required',
    ],
    [
      {
        title: 'A',
        pages: [{ questions: [{ type: 'nps', friendlyId: 'A' }] }, { questions: [{ type: 'nps', friendlyId: 'A' }] }],
      },
      'pages[1].questions[0].friendlyId: A is already used by pages[0].questions[0]',
    ],
    [
      { title: 'A', questions: [{ type: 'payment', formula: '{SEATS} * 2' }] },
      'questions[0].formula: no question of the form has the friendlyId SEATS',
    ],
  ])('%j', async (body, message) => {
    await expectRefused(body, message)
  })

  test('another tenant’s workspace reads as one that does not exist', async () => {
    const other = await app.createTenant('Other')
    await expectRefused({ title: 'A', workspaceId: other.workspaceId }, 'workspaceId: there is no such workspace')
  })

  test('every rule of every question type', async () => {
    const before = await countForms()
    for (const [type, fields, message] of brokenQuestions) {
      // Spreading would set the prototype instead of a member named __proto__.
      if (Object.hasOwn(fields, '__proto__')) continue
      const questions = [...nps(1), { ...questionBody(type), ...fields }]
      const answer = await acme.post('/v1/forms', { title: 'A', pages: [{}, { questions }] })
      const expected = problem('invalid_request', `pages[1].questions[1]${message}`)
      expect([type, fields, answer.status, answer.body]).toEqual([type, fields, 400, expected])
    }
    expect(await countForms()).toBe(before)
  })
})
