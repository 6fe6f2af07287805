import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { trashForm } from '../../src/forms/publishing.ts'
import { problem } from '../support/api/problem.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'
import { begin, complete, createPublished, resume, type TestForm } from '../support/forms/collecting.ts'

const MINUTE = 60_000

let app: TestApp
let acme: TestTenant
let form: TestForm
let list: string

beforeAll(async () => {
  app = await startApp()
})
beforeEach(async () => {
  acme = await app.createTenant()
  form = await createPublished(acme, [{ type: 'nps', text: 'Likely?', friendlyId: 'LIKELY' }, { type: 'textbox' }])
  list = `/v1/forms/${form.id}/responses`
})
afterAll(() => app.close())

const now = () => new Date(app.clock.now()).toISOString()
const scoresOf = async (query = '') =>
  (await acme.get(list + query)).body.items.map(({ scores }: { scores: { total: number } }) => scores.total)

describe('listing responses', () => {
  test('shows complete ones, newest first, each as reading it does', async () => {
    await begin(acme, form, [3])
    await complete(acme, form, [7])
    app.clock.advance(MINUTE)
    const { response } = await complete(acme, form, [9, 'Nice'])
    const { status, body } = await acme.get(list)
    expect([status, body.nextCursor, body.items.length]).toEqual([200, null, 2])
    expect(body.items[0]).toEqual({
      id: expect.stringMatching(/^r_[0-9a-f]{32}$/),
      formId: form.id,
      status: 'complete',
      startedAt: now(),
      submittedAt: now(),
      updatedAt: now(),
      contactId: null,
      hiddenFields: {},
      language: 'en',
      variables: {},
      scores: { total: 9, max: 10, percentage: 90 },
      answers: [
        { questionId: form.questionIds[0], friendlyId: 'LIKELY', type: 'nps', questionText: 'Likely?', value: 9 },
        { questionId: form.questionIds[1], friendlyId: null, type: 'textbox', questionText: '', value: 'Nice' },
      ],
    })
    expect((await acme.get(`${list}/${response.id}`)).body).toEqual(body.items[0])
  })

  test('ends a page early where responses are long, and leaves none out', async () => {
    const wide = await createPublished(acme, Array(30).fill({ type: 'textbox' }))
    const list = `/v1/forms/${wide.id}/responses`
    const told: string[] = []
    for (const length of [10, 9_000, 9_000, 9_000, 9_000, 9_000, 10, 10]) {
      told.unshift((await complete(acme, wide, Array(30).fill('x'.repeat(length)))).response.id)
    }
    const pages: { items: { id: string; answers: { value: string }[] }[]; text: string }[] = []
    let cursor = ''
    do {
      const { status, body, text } = await acme.get(`${list}?limit=100${cursor}`)
      expect(status).toBe(200)
      pages.push({ items: body.items, text })
      cursor = body.nextCursor && `&cursor=${body.nextCursor}`
    } while (cursor)
    expect(pages.map(({ items }) => items.length)).toEqual([5, 3])
    const seen = pages.flatMap(({ items }) => items)
    expect(seen.map(({ id }) => id)).toEqual(told)
    expect(seen.map(({ answers }) => answers.length)).toEqual(Array(8).fill(30))
    for (const item of seen) expect((await acme.get(`${list}/${item.id}`)).body).toEqual(item)
  })

  test('counts what was asked to the length of a page, and gives at least one response', async () => {
    const questions = Array.from({ length: 20 }, (_, i) => ({ type: 'nps', text: `${i} ${'x'.repeat(9_000)}` }))
    const asking = await createPublished(acme, questions)
    for (let i = 0; i < 7; i++) await complete(acme, asking, Array(20).fill(1))
    const { body, text } = await acme.get(`/v1/forms/${asking.id}/responses`)
    expect([body.items.length, text.length < 1024 * 1024]).toEqual([5, true])
    const long = await createPublished(acme, Array(100).fill({ type: 'textbox' }))
    for (let i = 0; i < 2; i++) await complete(acme, long, Array(100).fill('é'.repeat(5_200)))
    const first = (await acme.get(`/v1/forms/${long.id}/responses`)).body
    expect([first.items.length, first.nextCursor]).toEqual([1, expect.any(String)])
  })

  test('filters by status', async () => {
    await complete(acme, form, [7])
    const partial = await begin(acme, form, [3])
    const statuses = async (query: string) =>
      (await acme.get(list + query)).body.items.map(({ status }: { status: string }) => status)
    expect(await statuses('')).toEqual(['complete'])
    expect(await statuses('?status=complete')).toEqual(['complete'])
    expect(await statuses('?status=partial')).toEqual(['partial'])
    expect(await statuses('?status=all')).toEqual(['partial', 'complete'])
    await resume(acme, form, partial, [4], true)
    expect(await statuses('?status=partial')).toEqual([])
    expect(await scoresOf()).toEqual([4, 7])
  })

  test('filters by the time of the last change: since inclusive, until exclusive', async () => {
    const late = await begin(acme, form, [1])
    const first = now()
    await complete(acme, form, [2])
    app.clock.advance(MINUTE)
    const second = now()
    await complete(acme, form, [3])
    await resume(acme, form, late, [4], true)
    expect(await scoresOf(`?since=${first}`)).toEqual([3, 2, 4])
    expect(await scoresOf(`?since=${second}`)).toEqual([3, 4])
    expect(await scoresOf(`?until=${second}`)).toEqual([2])
    expect(await scoresOf(`?until=${first}`)).toEqual([])
    expect(await scoresOf(`?since=${first}&until=${second}&status=complete`)).toEqual([2])
    expect(await scoresOf(`?since=${second.replace('.000Z', '.001Z')}&status=all`)).toEqual([])
  })

  test('pages without skipping or repeating, and binds the cursor to its form', async () => {
    const other = await createPublished(acme, [{ type: 'nps' }])
    for (const score of [1, 2, 3]) await complete(acme, form, [score])
    const first = (await acme.get(`${list}?limit=2`)).body
    await complete(acme, form, [4])
    const second = (await acme.get(`${list}?limit=2&cursor=${first.nextCursor}`)).body
    expect([first.items, second.items]).toMatchObject([
      [{ scores: { total: 3 } }, { scores: { total: 2 } }],
      [{ scores: { total: 1 } }],
    ])
    expect(second.nextCursor).toBeNull()
    const elsewhere = await acme.get(`/v1/forms/${other.id}/responses?cursor=${first.nextCursor}`)
    expect([elsewhere.status, elsewhere.body.message]).toEqual([400, 'cursor: is not a cursor of this list'])
  })

  test.each([
    ['status=done', 'status: must be one of complete, partial, all'],
    ['status=', 'status: must be one of complete, partial, all'],
    ['since=yesterday', 'since: must be an RFC 3339 date-time'],
    ['until=2026-03-01', 'until: must be an RFC 3339 date-time'],
    ['updated_since=2026-03-01T00:00:00Z', 'updated_since: unknown query parameter'],
    ['limit=x', 'limit: must be a whole number of 0 or more'],
  ])('%s is a 400, also for a form that is not there', async (query, message) => {
    for (const id of [form.id, crypto.randomUUID()]) {
      const { status, body } = await acme.get(`/v1/forms/${id}/responses?${query}`)
      expect([status, body.error]).toEqual([400, 'invalid_request'])
      expect(body.message).toStartWith(message)
    }
  })
})

describe('what a key cannot see', () => {
  const noForm = problem('not_found', 'form not found')
  const noResponse = problem('not_found', 'response not found')

  test('responses of a trashed form are as if gone', async () => {
    const { response } = await complete(acme, form, [7])
    await acme.perform((tx, caller) => trashForm(tx, caller, form.id))
    for (const path of [list, `${list}/${response.id}`]) {
      const { status, body } = await acme.get(path)
      expect([path, status, body]).toEqual([path, 404, noForm])
    }
  })

  test('a response of another form is not found', async () => {
    const other = await createPublished(acme, [{ type: 'nps' }])
    const { response } = await complete(acme, other, [7])
    for (const id of [response.id, 'x', crypto.randomUUID(), '%27', 'r_']) {
      const { status, body } = await acme.get(`${list}/${id}`)
      expect([id, status, body]).toEqual([id, 404, noResponse])
    }
    expect((await acme.get(`/v1/forms/${other.id}/responses/${response.id}`)).status).toBe(200)
    expect(await scoresOf()).toEqual([])
  })

  test('another tenant’s form and responses read like ones that do not exist', async () => {
    const { response } = await complete(acme, form, [7])
    const other = await app.createTenant('Other')
    const own = await createPublished(other, [{ type: 'nps' }])
    for (const path of [list, `${list}/${response.id}`, '/v1/forms/x/responses', '/v1/forms/x/responses/y']) {
      const { status, body } = await other.get(path)
      expect([path, status, body]).toEqual([path, 404, noForm])
    }
    expect((await other.get(`/v1/forms/${own.id}/responses/${response.id}`)).body).toEqual(noResponse)
  })

  test('without the scope they are a 403', async () => {
    const { key } = await acme.createKey(['forms:read'])
    for (const path of [list, `${list}/x`]) {
      const { status, body } = await app.request('GET', path, { key })
      expect([status, body.error]).toEqual([403, 'insufficient_scope'])
      expect(body.message).toContain('responses:read')
    }
  })
})
