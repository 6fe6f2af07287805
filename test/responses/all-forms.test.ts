import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { responses } from '../../src/db/schema.ts'
import { restoreForm, trashForm } from '../../src/forms/publishing.ts'
import { newId } from '../../src/lib/ids.ts'
import { formatTime } from '../../src/lib/time.ts'
import { problem } from '../support/api/problem.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'
import { begin, complete, createPublished, resume, type TestForm } from '../support/forms/collecting.ts'

const MINUTE = 60_000
const WHO = { type: 'contact_details', contactFields: [{ field: 'email', visible: true }] }

let app: TestApp
let acme: TestTenant
let first: TestForm
let second: TestForm

beforeAll(async () => {
  app = await startApp()
})
beforeEach(async () => {
  acme = await app.createTenant()
  first = await createPublished(acme, [{ type: 'nps', text: 'Likely?' }], 'First')
  second = await createPublished(acme, [{ type: 'textbox', text: 'Why?' }, WHO], 'Second')
})
afterAll(() => app.close())

/** A complete response to the first form, a minute later than what was before. */
async function rate(value: number): Promise<string> {
  app.clock.advance(MINUTE)
  return (await complete(acme, first, [value])).response.id
}

/** A complete response to the second form, of somebody. */
async function say(text: string, email?: string) {
  app.clock.advance(MINUTE)
  return (await complete(acme, second, [text, email && { email }])).response
}

async function idsOf(query = ''): Promise<string[]> {
  const { status, body } = await acme.get(`/v1/responses${query}`)
  expect(status).toBe(200)
  return body.items.map(({ id }: { id: string }) => id)
}

/** All ids, page by page, and how many each page had. */
async function walk(query: string): Promise<{ ids: string[]; sizes: number[] }> {
  const ids: string[] = []
  const sizes: number[] = []
  for (let cursor = ''; ; ) {
    const { body } = await acme.get(`/v1/responses?${query}${cursor}`)
    ids.push(...body.items.map(({ id }: { id: string }) => id))
    sizes.push(body.items.length)
    if (body.nextCursor === null) return { ids, sizes }
    cursor = `&cursor=${body.nextCursor}`
  }
}

/** Responses to a form as they may be, without what they set off. */
async function insertMany(form: TestForm, count: number): Promise<string[]> {
  const start = app.clock.now()
  app.clock.advance(count)
  const rows = Array.from({ length: count }, (_, i) => {
    const at = formatTime(start + i)
    const id = `r_${newId(start + i).replaceAll('-', '')}`
    return { id, formId: form.id, startedAt: at, submittedAt: at, updatedAt: at }
  })
  const scores = JSON.stringify({ total: 0, max: 0, percentage: null })
  const same = { tenantId: acme.tenantId, status: 'complete', answers: '[]', scores } as const
  await acme.perform(async (tx) => {
    for (let i = 0; i < count; i += 1000) {
      await tx.insert(responses).values(rows.slice(i, i + 1000).map((row) => ({ ...row, ...same })))
    }
  })
  return rows.map(({ id }) => id)
}

describe('responses to all forms', () => {
  test('come newest first, each as reading it does, beside what its own form asked', async () => {
    const rated = await rate(9)
    const { id, contactId } = await say('Nice', 'ada@acme.test')
    const { status, body } = await acme.get('/v1/responses')
    expect([status, body.nextCursor, body.items.length]).toEqual([200, null, 2])
    expect(body.items[0]).toEqual((await acme.get(`/v1/forms/${second.id}/responses/${id}`)).body)
    expect(body.items[1]).toEqual((await acme.get(`/v1/forms/${first.id}/responses/${rated}`)).body)
    expect(body.items[0]).toMatchObject({ formId: second.id, contactId, answers: [{ questionText: 'Why?' }, {}] })
    expect(body.items[1]).toMatchObject({ formId: first.id, answers: [{ questionText: 'Likely?', value: 9 }] })
  })

  test('show what was asked in the revision that each was begun in', async () => {
    const before = await rate(3)
    const [question] = first.questionIds
    await acme.put(`/v1/forms/${first.id}`, {
      title: 'First',
      questions: [{ id: question, type: 'nps', text: 'Still likely?' }],
    })
    await acme.post(`/v1/forms/${first.id}/publish`)
    const after = await rate(4)
    const { items } = (await acme.get('/v1/responses')).body
    expect(items).toMatchObject([
      { id: after, answers: [{ questionText: 'Still likely?' }] },
      { id: before, answers: [{ questionText: 'Likely?' }] },
    ])
  })

  test('are of one form, or of one contact, or of both', async () => {
    const rated = await rate(9)
    const ada = await say('Nice', 'ada@acme.test')
    const grace = await say('Well', 'grace@acme.test')
    const { contactId } = ada
    expect(await idsOf(`?form_id=${first.id}`)).toEqual([rated])
    expect(await idsOf(`?form_id=${second.id.toUpperCase()}`)).toEqual([grace.id, ada.id])
    expect(await idsOf(`?contact_id=${contactId?.toUpperCase()}`)).toEqual([ada.id])
    expect(await idsOf(`?contact_id=${contactId}&form_id=${second.id}`)).toEqual([ada.id])
    expect(await idsOf(`?contact_id=${contactId}&form_id=${first.id}`)).toEqual([])
    expect(await idsOf(`?contact_id=${contactId}&status=partial`)).toEqual([])
  })

  test('are complete unless asked otherwise', async () => {
    const done = await rate(9)
    const begun = (await begin(acme, second, ['So'])).response.id
    expect(await idsOf()).toEqual([done])
    expect(await idsOf('?status=complete')).toEqual([done])
    expect(await idsOf('?status=partial')).toEqual([begun])
    expect(await idsOf('?status=all')).toEqual([begun, done])
    expect(await idsOf(`?status=all&form_id=${first.id}`)).toEqual([done])
  })

  test('since and until ask when they last changed: who polls is told of what was gone on with', async () => {
    const begun = await begin(acme, second, ['So'])
    const rated = await rate(9)
    const since = formatTime(app.clock.now() + 1)
    app.clock.advance(MINUTE)
    await resume(acme, second, begun, ['So it is', undefined], true)
    const at = formatTime(app.clock.now())
    const { id } = begun.response
    expect(await idsOf(`?since=${since}`)).toEqual([id])
    expect(await idsOf(`?until=${since}`)).toEqual([rated])
    expect(await idsOf(`?since=${at}`)).toEqual([id])
    expect(await idsOf(`?until=${at}`)).toEqual([rated])
    expect(await idsOf(`?since=${since}&form_id=${first.id}`)).toEqual([])
    expect(await idsOf(`?since=${since}&form_id=${second.id}`)).toEqual([id])
  })

  test('are those of one form, whichever of the two lists is asked', async () => {
    for (let i = 0; i < 4; i++) {
      await rate(i)
      await say('Nice')
    }
    for (const { id } of [first, second]) {
      const own = (await acme.get(`/v1/forms/${id}/responses`)).body
      expect((await acme.get(`/v1/responses?form_id=${id}`)).body).toEqual(own)
    }
  })

  test('end a page early where they are long, and leave none out', async () => {
    const wide = await createPublished(acme, Array(30).fill({ type: 'textbox' }), 'Wide')
    const told: string[] = []
    for (const length of [10, 9_000, 9_000, 9_000, 9_000, 9_000, 10, 10]) {
      app.clock.advance(MINUTE)
      told.push((await complete(acme, wide, Array(30).fill('x'.repeat(length)))).response.id)
      told.push(await rate(9))
    }
    const { ids, sizes } = await walk('limit=100')
    expect(ids).toEqual(told.toReversed())
    expect(sizes.length).toBeGreaterThan(1)
  })

  test('have a tag by which nothing is sent again that has not changed', async () => {
    await rate(9)
    const { headers } = await acme.get('/v1/responses')
    const again = () =>
      app.request('GET', '/v1/responses', {
        key: acme.key,
        headers: { 'if-none-match': headers.get('etag') as string },
      })
    expect([(await again()).status, (await again()).text]).toEqual([304, ''])
    await rate(8)
    expect((await again()).status).toBe(200)
  })
})

describe('of strangers', () => {
  test('no response shows, whatever ids are asked for', async () => {
    await rate(9)
    const { contactId } = await say('Nice', 'ada@acme.test')
    const other = await app.createTenant('Other')
    for (const query of [
      '',
      `?form_id=${first.id}`,
      `?contact_id=${contactId}`,
      '?status=all&since=2020-01-01T00:00:00Z',
    ]) {
      const { status, body } = await other.get(`/v1/responses${query}`)
      expect([query, status, body]).toEqual([query, 200, { items: [], nextCursor: null }])
    }
  })

  test('a key reads nothing without the scope', async () => {
    await rate(9)
    const { key } = await acme.createKey(['forms:read', 'contacts:read', 'forms:write'])
    const { status, body } = await app.request('GET', '/v1/responses', { key })
    expect([status, body]).toEqual([403, problem('insufficient_scope', 'this key lacks the scope responses:read')])
  })

  test.each([
    ['form_id=x', 'form_id'],
    ['contact_id=', 'contact_id'],
    ['status=done', 'status'],
    ['since=yesterday', 'since'],
    ['until=1', 'until'],
    ['formId=x', 'formId'],
  ])('%s is refused by name', async (query, name) => {
    const { status, body } = await acme.get(`/v1/responses?${query}`)
    expect([status, body.error, body.param]).toEqual([400, 'invalid_request', name])
  })
})

describe('responses to a form in the trash', () => {
  const trash = ({ id }: TestForm) => acme.perform((tx, caller) => trashForm(tx, caller, id))

  test('are left out, and there again once it is restored', async () => {
    const rated = await rate(9)
    const { id, contactId } = await say('Nice', 'ada@acme.test')
    await trash(second)
    const asked = ['', '?status=all', '?since=2020-01-01T00:00:00Z', `?form_id=${first.id}`]
    for (const query of asked) expect(await idsOf(query)).toEqual([rated])
    for (const query of [`?form_id=${second.id}`, `?contact_id=${contactId}`]) {
      expect((await acme.get(`/v1/responses${query}`)).body).toEqual({ items: [], nextCursor: null })
    }
    const refused = await acme.get(`/v1/responses?form_id=${second.id}&cursor=x`)
    expect([refused.status, refused.body.param]).toEqual([400, 'cursor'])
    await acme.perform((tx, caller) => restoreForm(tx, caller, second.id))
    expect(await idsOf()).toEqual([id, rated])
  })

  test('leave full pages of the others, wherever they lie', async () => {
    const shown: string[] = []
    for (let i = 0; i < 9; i++) {
      shown.push(await rate(i))
      await say('Gone')
    }
    await trash(second)
    expect(await walk('limit=4')).toEqual({ ids: shown.toReversed(), sizes: [4, 4, 1] })
    expect(await walk('limit=3')).toEqual({ ids: shown.toReversed(), sizes: [3, 3, 3] })
  })

  test('cost a page so much and no more: where very many lie in between it may be short, and leads on', async () => {
    const below = await insertMany(first, 3)
    await insertMany(second, 21_500)
    const above = await insertMany(first, 2)
    await trash(second)
    const expected = [...above.toReversed(), ...below.toReversed()]
    for (const query of ['limit=4', 'limit=4&status=all']) {
      expect(await walk(query)).toEqual({ ids: expected, sizes: [2, 3] })
    }
    expect(await walk(`form_id=${second.id}`)).toEqual({ ids: [], sizes: [0] })
  })
})

test('a page deep down follows from the one before it, and from nothing that was added since', async () => {
  const ids = await insertMany(first, 1_500)
  const { body } = await acme.get('/v1/responses?limit=100')
  await rate(9)
  const rest: string[] = []
  for (let { nextCursor } = body; nextCursor !== null; ) {
    const next = (await acme.get(`/v1/responses?limit=100&cursor=${nextCursor}`)).body
    rest.push(...next.items.map(({ id }: { id: string }) => id))
    nextCursor = next.nextCursor
  }
  expect(rest).toEqual(ids.slice(0, -100).reverse())
})
