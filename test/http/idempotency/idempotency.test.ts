import { afterAll, beforeAll, expect, test } from 'bun:test'
import { runStatement, startApp, type TestApp } from '../../support/app.ts'

let app: TestApp

beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

test('one key on two different calls at the same time lets one through and is a conflict for the other', async () => {
  const tenant = await app.createTenant()
  const key = { 'idempotency-key': 'shared' }
  const answers = await Promise.all([
    tenant.post('/v1/contacts', { email: 'ada@acme.test' }, key),
    tenant.post('/v1/forms', { title: 'Survey' }, key),
  ])
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409])
})

test.each([
  ['another body', { email: 'grace@acme.test' }],
  ['a body with more in it', { email: 'ada@acme.test', name: 'Ada' }],
])('a key used again with %s is a conflict, and the first answer stands', async (_, body) => {
  const tenant = await app.createTenant()
  const key = { 'idempotency-key': 'once' }
  const request = { email: 'ada@acme.test' }
  const first = await tenant.post('/v1/contacts', request, key)
  const other = await tenant.post('/v1/contacts', body, key)
  expect([other.status, other.body.error]).toEqual([409, 'conflict'])
  const again = await tenant.post('/v1/contacts', request, key)
  expect([again.status, again.body, again.headers.get('idempotent-replayed')]).toEqual([201, first.body, 'true'])
  expect((await tenant.get('/v1/contacts')).body.items).toHaveLength(1)
})

test('a key is the request’s path as well: the same body elsewhere is another request', async () => {
  const tenant = await app.createTenant()
  const [one, two] = await Promise.all(
    ['ada', 'grace'].map((name) => tenant.post('/v1/contacts', { email: `${name}@acme.test` })),
  )
  const key = { 'idempotency-key': 'unsubscribe' }
  const unsubscribe = (id: string) => tenant.post(`/v1/contacts/${id}/unsubscribe`, undefined, key)
  expect((await unsubscribe(one?.body.id)).body).toMatchObject({ id: one?.body.id, unsubscribed: true })
  expect((await unsubscribe(two?.body.id)).status).toBe(409)
  expect((await tenant.get(`/v1/contacts/${two?.body.id}`)).body.unsubscribed).toBe(false)
})

test('an answer is replayed for a day to the millisecond; then the key is free, whether it was swept or not', async () => {
  const tenant = await app.createTenant()
  const send = (email: string) => tenant.post('/v1/contacts', { email }, { 'idempotency-key': 'daily' })
  const first = await send('ada@acme.test')
  app.clock.advance(24 * 3_600_000 - 1)
  expect((await send('ada@acme.test')).headers.get('idempotent-replayed')).toBe('true')
  app.clock.advance(1)
  const next = await send('grace@acme.test')
  expect([next.status, next.headers.get('idempotent-replayed')]).toEqual([201, null])
  expect(next.body.id).not.toBe(first.body.id)
})

test('either key header is enough beside another kind of Authorization', async () => {
  const tenant = await app.createTenant()
  const headers = { authorization: 'Basic cHJveHk6c2VjcmV0', 'x-api-key': tenant.key }
  expect((await app.request('GET', '/v1/me', { headers })).status).toBe(200)
})

test('what another node answered while this one was about to is answered, and not done a second time', async () => {
  const other = await startApp({ dataDir: app.dataDir })
  other.clock.advance(app.clock.now() - other.clock.now())
  const tenant = await app.createTenant()
  const body = { email: 'ada@acme.test' }
  const headers = { 'idempotency-key': 'once' }
  // That its key was used is stored now, on both.
  for (const node of [app, other]) await node.request('GET', '/v1/me', { key: tenant.key })
  await app.database.transaction(async () => {})
  const { transaction } = app.database
  let first: Awaited<ReturnType<typeof other.request>> | undefined
  app.database.transaction = async (work) => {
    const done = await transaction(work)
    app.database.transaction = transaction
    // This one's lease ran out: it stood still.
    if (app.database.isShared) await transaction((tx) => runStatement(tx, 'DELETE FROM leases'))
    first = await other.request('POST', '/v1/contacts', { key: tenant.key, body, headers })
    return done
  }
  const second = await tenant.post('/v1/contacts', body, headers)
  await other.close()
  expect([first?.status, second.status, second.body]).toEqual([201, 201, first?.body])
  expect([first?.headers.get('idempotent-replayed'), second.headers.get('idempotent-replayed')]).toEqual([null, 'true'])
  expect(await tenant.events()).toHaveLength(1)
})
