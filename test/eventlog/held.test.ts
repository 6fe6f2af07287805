import { afterAll, beforeAll, expect, test } from 'bun:test'
import { MOST_HELD } from '../../src/eventlog/held.ts'
import { createTestContact } from '../support/api/contacts.ts'
import { settled } from '../support/api/event-log.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'
import { until } from '../support/patience.ts'
import { createTicket } from '../support/tickets/tickets.ts'

let app: TestApp
let acme: TestTenant

beforeAll(async () => {
  app = await startApp()
  acme = await app.createTenant()
})
afterAll(() => app.close())

/**
 * The events that a held request is answered with. It is made again where it was held for all its time: on PostgreSQL by
 * transactions of other suites on the server, which an event waits for.
 */
async function told(path: string, key = acme.key): Promise<{ event: string; payload: { id: string } }[]> {
  for (;;) {
    const { status, body } = await app.request('GET', path, { key })
    if (status === 200 && body.items.length > 0) return body.items
  }
}

const held = (count: number) => until(() => app.deps.eventWatch.waiting === count)

test('a request is held until there is an event, and then answered with it', async () => {
  await settled(app, acme)
  const { nextCursor } = (await acme.get('/v1/events')).body
  const answer = told(`/v1/events?wait=30&cursor=${nextCursor}`)
  await held(1)
  const { id } = await createTestContact(acme)
  expect((await answer).map(({ payload }) => payload.id)).toEqual([id])
  await held(0)
})

test('what is there already is not waited for', async () => {
  await createTestContact(acme)
  expect((await told('/v1/events?wait=30')).length).toBeGreaterThan(0)
})

test('other kinds and other tenants wake nobody', async () => {
  const other = await app.createTenant('Other')
  await settled(app, acme)
  const { nextCursor } = (await acme.get('/v1/events')).body
  const answer = told(`/v1/events?wait=30&types=ticket.created&cursor=${nextCursor}`)
  let isAnswered = false
  answer.then(() => {
    isAnswered = true
  })
  await held(1)
  await createTestContact(acme)
  await createTicket(other)
  await Bun.sleep(200)
  expect(isAnswered).toBeFalse()
  await createTicket(acme)
  expect((await answer).map(({ event }) => event)).toEqual(['ticket.created'])
})

test('after its time a request is answered with nothing, and a cursor that goes on', async () => {
  await settled(app, acme)
  const { nextCursor } = (await acme.get('/v1/events')).body
  const { body } = await acme.get(`/v1/events?wait=1&cursor=${nextCursor}`)
  expect(body).toEqual({ items: [], nextCursor })
})

test('a client that goes away is waited for no more', async () => {
  await settled(app, acme)
  const { nextCursor } = (await acme.get('/v1/events')).body
  const gone = new AbortController()
  const headers = { authorization: `Bearer ${acme.key}` }
  const url = `${app.url}/v1/events?wait=30&cursor=${nextCursor}`
  const answer = fetch(url, { headers, signal: gone.signal }).catch(() => 'gone')
  await held(1)
  gone.abort()
  expect(await answer).toBe('gone')
  await held(0)
})

test('a key has so many held at a time, and another has its own', async () => {
  await settled(app, acme)
  const { nextCursor } = (await acme.get('/v1/events')).body
  const path = `/v1/events?wait=30&cursor=${nextCursor}`
  const waiting = Array.from({ length: MOST_HELD }, () => told(path))
  await held(MOST_HELD)
  const refused = await acme.get(path)
  expect([refused.status, refused.text, refused.headers.get('retry-after')]).toEqual([429, '', '1'])
  const { key } = await acme.createKey(['contacts:read'])
  const others = told(path, key)
  await held(MOST_HELD + 1)
  await createTestContact(acme)
  for (const answer of [...waiting, others]) expect(await answer).toHaveLength(1)
  await held(0)
})

test('when the service stops, what is held is answered at once', async () => {
  const stopping = await startApp()
  const tenant = await stopping.createTenant()
  const answer = tenant.get('/v1/events?wait=30')
  await until(() => stopping.deps.eventWatch.waiting === 1)
  stopping.deps.live.stop()
  expect((await answer).body.items).toEqual([])
  await stopping.close()
})
