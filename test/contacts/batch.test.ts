import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { auditOf } from '../support/api/audit.ts'
import { createTestContact, createTestGroup, createTestOrganisation } from '../support/api/contacts.ts'
import { problem } from '../support/api/problem.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'
import { countByClockOf } from '../support/processes/nodes.ts'

const BATCH = '/v1/contacts/batch'
const LIMIT = 30

let app: TestApp
let acme: TestTenant

beforeAll(async () => {
  app = await startApp({ environment: { FRONTDESK_RATE_LIMIT: String(LIMIT) } })
  countByClockOf(app)
})
beforeEach(async () => {
  acme = await app.createTenant()
})
afterAll(() => app.close())

const people = (count: number, more: object = {}) =>
  Array.from({ length: count }, (_, i) => ({ email: `p${i}@acme.test`, name: `P${i}`, ...more }))
const idsOf = async (tenant = acme) =>
  (await tenant.get('/v1/contacts?limit=100')).body.items.map(({ id }: { id: string }) => id)

/** What the limit says in an answer's headers. */
const limitsOf = ({ status, headers }: Awaited<ReturnType<TestTenant['get']>>) => ({
  status,
  remaining: Number(headers.get('ratelimit-remaining')),
  retryAfter: headers.get('retry-after'),
})

describe('a batch of contacts', () => {
  test('creates who is new, updates who is known, and says of each which', async () => {
    const ada = await createTestContact(acme, { email: 'Ada@acme.test', name: 'Ada', phone: '1' })
    app.clock.advance(1000)
    const contacts = [
      { email: 'grace@acme.test', name: 'Grace' },
      { email: 'ADA@acme.test', name: 'Augusta' },
    ]
    const answer = await acme.post(BATCH, { contacts })
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      results: [
        { index: 0, status: 201, id: expect.any(String), error: null },
        { index: 1, status: 200, id: ada.id, error: null },
      ],
    })
    const grace = (await acme.get(`/v1/contacts/${answer.body.results[0].id}`)).body
    expect(grace).toMatchObject({ email: 'grace@acme.test', name: 'Grace', source: 'api' })
    const updatedAt = new Date(app.clock.now()).toISOString()
    expect((await acme.get(`/v1/contacts/${ada.id}`)).body).toEqual({ ...ada, name: 'Augusta', updatedAt })
    expect((await acme.events()).slice(1).map(({ event, payload }) => [event, payload.id])).toEqual([
      ['contact.created_or_updated', grace.id],
      ['contact.created_or_updated', ada.id],
    ])
    expect(await auditOf(app, acme, grace.id)).toEqual([{ action: 'contact.created', fields: null }])
    expect(await auditOf(app, acme, ada.id)).toMatchObject([{ action: 'contact.created' }, { fields: 'name' }])
  })

  test('takes what it can, and says of the rest what sending it alone would', async () => {
    const group = await createTestGroup(acme)
    const other = await app.createTenant()
    const theirs = await createTestOrganisation(other)
    for (let id = 0; id < 3; ) id = (await createTestGroup(other)).id
    const wrong = [
      {},
      { email: 'nobody' },
      { email: 'x@acme.test', name: 5 },
      { email: 'x@acme.test', Name: 'X' },
      { email: 'x@acme.test', groupIds: [group.id, 999] },
      { email: 'x@acme.test', organisationId: Bun.randomUUIDv7() },
      { email: 'x@acme.test', organisationId: theirs.id },
      { email: 'x@acme.test', groupIds: [3] },
    ]
    const expected = []
    for (const contact of wrong) {
      const { requestId: _, ...problem } = (await acme.post('/v1/contacts', contact)).body
      expected.push(problem)
    }
    const odd = [null, 'text', 7, [], [{ email: 'x@acme.test' }]]
    const { body } = await acme.post(BATCH, {
      contacts: [...wrong, ...odd, { email: 'right@acme.test', groupIds: [group.id] }],
    })
    const refused = body.results.slice(0, wrong.length)
    expect(refused).toEqual(expected.map((error, index) => ({ index, status: 400, id: null, error })))
    for (const { status, error } of body.results.slice(wrong.length, -1)) {
      expect([status, error.error]).toEqual([400, 'invalid_request'])
    }
    expect(body.results.at(-1)).toMatchObject({ index: 13, status: 201, error: null })
    expect(await idsOf()).toEqual([body.results.at(-1).id])
    expect(await acme.events()).toHaveLength(1)
  })

  test('goes in order: the same email twice is one contact, created and then updated', async () => {
    const contacts = [
      { email: 'ada@acme.test', name: 'Ada', phone: '1' },
      { email: 'ADA@acme.test', name: 'Augusta' },
      { email: 'ada@acme.test', phone: null },
    ]
    const { results } = (await acme.post(BATCH, { contacts })).body
    const { id } = results[0]
    expect(results.map((result: { status: number; id: string }) => [result.status, result.id])).toEqual([
      [201, id],
      [200, id],
      [200, id],
    ])
    expect((await acme.get(`/v1/contacts/${id}`)).body).toMatchObject({ name: 'Augusta', phone: null })
    expect(await acme.events()).toHaveLength(3)
  })

  test('of a hundred is taken whole, in their order, and sent again changes nothing', async () => {
    const contacts = people(100)
    const { body } = await acme.post(BATCH, { contacts })
    expect(body.results.map(({ status }: { status: number }) => status)).toEqual(Array(100).fill(201))
    expect(await idsOf()).toEqual(body.results.map(({ id }: { id: string }) => id).reverse())
    const before = [await acme.events(), await auditOf(app, acme)]
    expect(before[0]).toHaveLength(100)
    expect(before[1]?.filter((entry) => 'action' in entry && entry.action === 'contact.created')).toHaveLength(100)
    app.clock.advance(1000)
    const again = await acme.post(BATCH, { contacts })
    expect(again.body.results).toEqual(body.results.map((result: object) => ({ ...result, status: 200 })))
    expect([await acme.events(), await auditOf(app, acme)]).toEqual(before)
  })

  test('at the same moment as others makes each contact once', async () => {
    const batches = await Promise.all(Array.from({ length: 3 }, () => acme.post(BATCH, { contacts: people(60) })))
    const statuses = batches.flatMap(({ body }) => body.results.map(({ status }: { status: number }) => status))
    expect(statuses.filter((status) => status === 201)).toHaveLength(60)
    expect(statuses.filter((status) => status === 200)).toHaveLength(120)
    expect(await idsOf()).toHaveLength(60)
    expect(await acme.events()).toHaveLength(60)
  })

  test('under an Idempotency-Key is taken once, and answered the same', async () => {
    const send = (count: number) => acme.post(BATCH, { contacts: people(count) }, { 'idempotency-key': 'nightly' })
    const first = await send(3)
    const again = await send(3)
    expect([again.status, again.body, again.headers.get('idempotent-replayed')]).toEqual([200, first.body, 'true'])
    const both = await Promise.all([1, 2].map(() => send(3)))
    expect(both.map(({ body }) => body)).toEqual([first.body, first.body])
    expect((await send(4)).status).toBe(409)
    expect(await idsOf()).toHaveLength(3)
  })

  test('may be empty', async () => {
    const answer = await acme.post(BATCH, { contacts: [] })
    expect([answer.status, answer.body]).toEqual([200, { results: [] }])
  })

  test.each([
    [{ contacts: people(101) }, 'contacts: at most 100 items are allowed'],
    [{}, 'contacts: is required'],
    [{ contacts: null }, 'contacts: must be an array'],
    [{ contacts: [], more: 1 }, 'more: unknown field'],
  ])('is refused as a whole where it is none, leaving no trace', async (body, message) => {
    const answer = await acme.post(BATCH, body)
    expect([answer.status, answer.body]).toEqual([400, problem('invalid_request', message)])
    expect([await idsOf(), await acme.events()]).toEqual([[], []])
  })

  test('needs contacts:write', async () => {
    const { key } = await acme.createKey(['contacts:read'])
    const answer = await app.request('POST', BATCH, { key, body: { contacts: people(1) } })
    expect(answer.status).toBe(403)
    expect([await idsOf(), await acme.events()]).toEqual([[], []])
  })
})

describe('the rate limit counts of a batch', () => {
  test.each([
    [0, 1],
    [1, 1],
    [10, 1],
    [11, 2],
    [99, 10],
    [100, 10],
  ])('of %d contacts %d', async (count, cost) => {
    const answer = await acme.post(BATCH, { contacts: people(count) })
    expect(limitsOf(answer)).toEqual({ status: 200, remaining: LIMIT - cost, retryAfter: null })
    expect(limitsOf(await acme.get('/v1/me')).remaining).toBe(LIMIT - cost - 1)
  })

  test('one where it is refused as a whole, or answered from the one before', async () => {
    const headers = { 'idempotency-key': 'k' }
    await acme.post(BATCH, { contacts: people(20) }, headers)
    expect(limitsOf(await acme.post(BATCH, { contacts: people(20) }, headers)).remaining).toBe(LIMIT - 3)
    expect(limitsOf(await acme.post(BATCH, { contacts: people(101) })).remaining).toBe(LIMIT - 4)
  })

  test('none where there is no room for all of it: nothing is written, and who waits as told succeeds', async () => {
    await acme.post(BATCH, { contacts: people(100) })
    app.clock.advance(10_000)
    for (let i = 0; i < 15; i++) await acme.get('/v1/me')
    app.clock.advance(10_000)
    const before = await acme.events()
    const contacts = people(100, { lastName: 'New' })
    for (const headers of [{}, { 'idempotency-key': 'k' }, {}]) {
      const refused = await acme.post(BATCH, { contacts }, headers as Record<string, string>)
      expect(limitsOf(refused)).toEqual({ status: 429, remaining: 5, retryAfter: '40' })
      expect(refused.text).toBe('')
    }
    expect(await acme.events()).toEqual(before)
    // A smaller one fits.
    expect((await acme.post(BATCH, { contacts: people(20) })).status).toBe(200)
    // Twelve have left of the ten and two that were first: two more have to.
    app.clock.advance(39_999)
    expect((await acme.post(BATCH, { contacts }, { 'idempotency-key': 'k' })).status).toBe(429)
    app.clock.advance(1)
    const taken = await acme.post(BATCH, { contacts }, { 'idempotency-key': 'k' })
    expect(limitsOf(taken)).toEqual({ status: 200, remaining: 3, retryAfter: null })
    expect(taken.body.results.every(({ status }: { status: number }) => status === 200)).toBe(true)
  })

  test('says how long until enough requests have left, not only the oldest', async () => {
    for (let i = 0; i < LIMIT; i++) {
      await acme.get('/v1/me')
      app.clock.advance(1000)
    }
    app.clock.advance(WINDOW - LIMIT * 1000)
    // One has left: there is room for this request, and nine of the others have to leave.
    expect(limitsOf(await acme.post(BATCH, { contacts: people(100) }))).toEqual({
      status: 429,
      remaining: 1,
      retryAfter: '9',
    })
    app.clock.advance(9000)
    expect((await acme.post(BATCH, { contacts: people(100) })).status).toBe(200)
  })

  test('all there is where a batch would cost more', async () => {
    const small = await startApp({ environment: { FRONTDESK_RATE_LIMIT: '4' } })
    countByClockOf(small)
    const tenant = await small.createTenant()
    expect(limitsOf(await tenant.post(BATCH, { contacts: people(100) }))).toMatchObject({ status: 200, remaining: 0 })
    expect((await tenant.get('/v1/me')).status).toBe(429)
    await small.close()
  })
})

const WINDOW = 60_000
