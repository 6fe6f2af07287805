import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { auditEntries } from '../../src/db/schema.ts'
import { problem } from '../support/api/problem.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'

let app: TestApp
let acme: TestTenant
let other: TestTenant

beforeAll(async () => {
  app = await startApp({ environment: { FRONTDESK_PUBLIC_RATE_LIMIT: '1000' } })
  acme = await app.createTenant()
  other = await app.createTenant('Other')
})
afterAll(() => app.close())

// biome-ignore lint/suspicious/noExplicitAny: answers of any shape
let form: any
let path: string

beforeEach(async () => {
  app.clock.advance(1000)
  const questions = [
    { type: 'nps', text: 'Would you?', friendlyId: 'WOULD' },
    {
      type: 'textbox',
      text: 'Why?',
      showIf: { match: 'all', conditions: [{ question: 'WOULD', op: 'at_most', value: 6 }] },
    },
  ]
  form = (await acme.post('/v1/forms', { title: 'Survey', questions })).body
  path = `/v1/forms/${form.id}`
})

const definition = async () => app.request('GET', `/f/${form.launchCode}/definition`)
const begin = (answers: object[], complete = true) =>
  app.request('POST', `/f/${form.launchCode}/responses`, { body: { answers, complete } })
const actions = async () =>
  (
    await app.database.db
      .select()
      .from(auditEntries)
      .where(eq(auditEntries.recordId, form.id))
      .orderBy(auditEntries.number)
  )
    .map(({ action, via }) => `${action} ${via}`)
    .filter((action) => !action.startsWith('form.created'))
const questionsOf = (read: typeof form) => read.pages.flatMap(({ questions }: typeof form) => questions)

describe('publishing', () => {
  test('lets people answer, who could not before, and is a list item', async () => {
    expect([(await definition()).status, (await begin([])).status]).toEqual([404, 404])
    const answer = await acme.post(`${path}/publish`)
    const now = new Date(app.clock.now()).toISOString()
    const { id, title, workspaceId } = form
    const item = { id, title, status: 'active', workspaceId, publishedAt: now, updatedAt: now }
    expect([answer.status, answer.body]).toEqual([200, item])
    expect([(await definition()).status, (await begin([])).status]).toEqual([200, 201])
    expect(await actions()).toEqual(['form.published api'])
  })

  test('is done once, however often it is asked for', async () => {
    const first = await acme.post(`${path}/publish`, {}, { 'idempotency-key': form.id })
    app.clock.advance(1000)
    const again = await acme.post(`${path}/publish`, {}, { 'idempotency-key': form.id })
    expect([again.text, again.headers.get('idempotent-replayed')]).toEqual([first.text, 'true'])
    expect((await acme.post(`${path}/publish`)).body).toEqual(first.body)
    expect(await actions()).toEqual(['form.published api'])
  })
})

test('closing ends collecting, once, and publishing begins it again', async () => {
  await acme.post(`${path}/publish`)
  const closed = await acme.post(`${path}/close`)
  expect([closed.status, closed.body.status]).toEqual([200, 'inactive'])
  expect([(await definition()).status, (await acme.get(path)).body.status]).toEqual([404, 'inactive'])
  app.clock.advance(1000)
  expect((await acme.post(`${path}/close`)).body).toEqual(closed.body)
  expect((await acme.post(`${path}/publish`)).body.status).toBe('active')
  expect((await definition()).status).toBe(200)
  expect(await actions()).toEqual(['form.published api', 'form.closed api', 'form.published api'])
})

describe('replacing the draft', () => {
  const replace = (body: object) => acme.put(path, body)

  test('changes nothing for respondents and readers until it is published', async () => {
    await acme.post(`${path}/publish`)
    const before = (await acme.get(path)).text
    const [would, why] = questionsOf(form)
    const drafted = await replace({
      title: 'Survey 2',
      description: 'New',
      pages: [
        { title: 'One', questions: [{ id: why.id, type: 'textbox', text: 'Say why' }] },
        {
          questions: [
            { type: 'binary', text: 'Sure?' },
            { id: would.id, type: 'nps', text: 'Would you?' },
          ],
        },
      ],
    })
    expect([drafted.status, drafted.body.title, drafted.body.status]).toEqual([200, 'Survey 2', 'active'])
    expect(questionsOf(drafted.body).map(({ id, text }: typeof form) => [id, text])).toEqual([
      [why.id, 'Say why'],
      [expect.any(Number), 'Sure?'],
      [would.id, 'Would you?'],
    ])
    expect((await acme.get(path)).text).toBe(before)
    expect((await definition()).body.title).toBe('Survey')
    await acme.post(`${path}/publish`)
    const read = (await acme.get(path)).body
    expect({ ...read, updatedAt: 0 }).toEqual({ ...drafted.body, updatedAt: 0 })
    expect((await definition()).body.title).toBe('Survey 2')
    expect(await actions()).toEqual(['form.published api', 'form.drafted api', 'form.published api'])
  })

  test('is the form itself before it is published, and what is left out is gone', async () => {
    await replace({ title: 'A', variables: [{ name: 'TOTAL', formula: '1' }], ends: [{ thanks: 'Bye' }] })
    const answer = await replace({ title: 'B' })
    expect(answer.body).toMatchObject({ title: 'B', description: null, variables: [], ends: [], status: 'inactive' })
    expect((await acme.get(path)).body).toEqual(answer.body)
  })

  test('takes what it was read as, with its logic', async () => {
    const { title, description, pages, variables, ends } = form
    const answer = await replace({ title, description, pages, variables, ends })
    expect([answer.status, answer.body.pages]).toEqual([200, pages])
  })

  test('keeps who has begun with what they were asked', async () => {
    await acme.post(`${path}/publish`)
    const [would] = questionsOf(form)
    const begun = (await begin([{ questionId: would.id, value: 9 }], false)).body
    await replace({ title: 'Other', questions: [{ type: 'binary', text: 'Sure?' }] })
    await acme.post(`${path}/publish`)
    const done = await app.request('PUT', `/f/${form.launchCode}/responses/${begun.id}`, {
      body: { answers: [{ questionId: would.id, value: 9 }], complete: true, resumeToken: begun.resumeToken },
    })
    expect(done.status).toBe(200)
    const [read] = (await acme.get(`${path}/responses`)).body.items
    expect(read.answers).toMatchObject([{ questionId: would.id, questionText: 'Would you?', value: 9 }])
  })

  test('opens and closes it where that is said', async () => {
    expect((await replace({ title: 'A', active: true })).body.status).toBe('active')
    expect((await definition()).status).toBe(404)
    expect((await replace({ title: 'A' })).body.status).toBe('active')
    expect((await replace({ title: 'A', active: false })).body.status).toBe('inactive')
  })

  test.each([
    [{ title: ' ' }, 'title: must be 1 to 255 characters and not blank'],
    [{ title: 'A', workspaceId: crypto.randomUUID() }, 'workspaceId: unknown field'],
    [{ title: 'A', questions: [null] }, 'questions[0]: must be an object'],
    [
      { title: 'A', questions: [{ id: 'x', type: 'nps', text: 'A' }] },
      'questions[0].id: the form has no such question, or it is named twice',
    ],
    [
      { title: 'A', questions: [{ id: 1, type: 'nps', text: 'A' }] },
      'questions[0].id: the form has no such question, or it is named twice',
    ],
    [{ title: 'A', pages: [{ id: 1, questions: [] }] }, 'pages[0].id: the form has no such page, or it is named twice'],
    [
      { title: 'A', questions: [{ type: 'choose_one', text: 'A', options: ['a'] }] },
      'questions[0].options: at least 2 options are required',
    ],
    [
      { title: 'A', pages: [{ questions: [{ type: 'choose_one', text: 'A', options: ['a'] }] }] },
      'pages[0].questions[0].options: at least 2 options are required',
    ],
  ])('refuses %j, and changes nothing', async (body, message) => {
    const before = (await acme.get(path)).text
    const answer = await replace(body)
    expect([answer.status, answer.body]).toEqual([400, problem('invalid_request', message)])
    expect((await acme.get(path)).text).toBe(before)
    expect(await actions()).toEqual([])
  })

  test('keeps the type of a question', async () => {
    const [would] = questionsOf(form)
    const answer = await replace({ title: 'A', questions: [{ id: would.id, type: 'binary', text: 'A' }] })
    expect([answer.status, answer.body.param]).toEqual([400, 'questions[0].type'])
  })
})

test('deleting puts a form into the trash, with its responses', async () => {
  await acme.post(`${path}/publish`)
  await begin([])
  const answer = await acme.delete(path)
  expect([answer.status, answer.text]).toEqual([204, ''])
  for (const gone of [path, `${path}/responses`]) expect((await acme.get(gone)).status).toBe(404)
  expect([(await definition()).status, (await acme.delete(path)).status]).toEqual([404, 404])
  expect((await acme.get('/v1/forms?limit=100')).body.items.map(({ id }: typeof form) => id)).not.toContain(form.id)
  expect(await actions()).toEqual(['form.published api', 'form.trashed api'])
})

test('nobody else’s form is published, closed, replaced or deleted', async () => {
  const before = (await acme.get(path)).text
  for (const answer of [
    await other.post(`${path}/publish`),
    await other.post(`${path}/close`),
    await other.put(path, { title: 'Mine' }),
    await other.delete(path),
  ]) {
    expect([answer.status, answer.body]).toEqual([404, problem('not_found', 'form not found')])
  }
  expect((await acme.get(path)).text).toBe(before)
  expect(await actions()).toEqual([])
})
