import { afterAll, beforeAll, expect, test } from 'bun:test'
import postgres from 'postgres'
import { createTestContact } from '../support/api/contacts.ts'
import { settled } from '../support/api/event-log.ts'
import type { TestTenant } from '../support/app.ts'
import { until } from '../support/patience.ts'
import { startNodes } from '../support/processes/nodes.ts'

let nodes: Awaited<ReturnType<typeof startNodes>>
let sql: postgres.Sql
let acme: TestTenant

beforeAll(async () => {
  nodes = await startNodes(3)
  sql = postgres(nodes.url, { max: 4, onnotice: () => {} })
  acme = await (nodes.apps[0] as (typeof nodes.apps)[number]).createTenant()
})
afterAll(async () => {
  await sql.end()
  await nodes.close()
})

interface Page {
  items: { eventId: string }[]
  nextCursor: string
}

/** A page from one of the nodes. */
async function read(node: number, query: string): Promise<Page> {
  const answer = await nodes.apps[node]?.request('GET', `/v1/events?${query}`, { key: acme.key })
  expect(answer?.status).toBe(200)
  return answer?.body
}

/** What a held request is told: the next one, if it was held for all its time by transactions of other suites on the server. */
async function held(node: number, cursor: string): Promise<Page> {
  for (;;) {
    const page = await read(node, `wait=30&cursor=${cursor}`)
    if (page.items.length > 0) return page
  }
}

/** All that is there, from its beginning. */
async function whole(): Promise<Page> {
  await settled(nodes.apps[0] as (typeof nodes.apps)[number], acme)
  let page = await read(0, 'limit=100')
  while (page.items.length > 0) page = await read(0, `limit=100&cursor=${page.nextCursor}`)
  return page
}

/** A transaction that writes an event as a node does, and ends when it is told to. */
async function begin(eventId: string) {
  const connection = postgres(nodes.url, { max: 1, onnotice: () => {} })
  await connection.unsafe('BEGIN ISOLATION LEVEL SERIALIZABLE')
  await connection`INSERT INTO events (tenant_id, event_id, event, timestamp, payload, transaction_number)
    VALUES (${acme.tenantId}, ${eventId}, 'contact.unsubscribed', '2026-03-01T09:00:00.000Z', '{}',
      transaction_number(pg_current_xact_id()))`
  return async (how: 'COMMIT' | 'ROLLBACK') => {
    await connection.unsafe(how)
    await connection.end()
  }
}

const ids = ({ items }: Page) => items.map(({ eventId }) => eventId)

test('an event is given to nobody before all that may come in front of it', async () => {
  const { nextCursor } = await whole()
  const endFirst = await begin('first')
  const endSecond = await begin('second')
  await endSecond('COMMIT')
  const early = await read(0, `cursor=${nextCursor}`)
  expect(early).toEqual({ items: [], nextCursor })
  await endFirst('COMMIT')
  await settled(nodes.apps[0] as (typeof nodes.apps)[number], acme)
  expect(ids(await read(1, `cursor=${nextCursor}`))).toEqual(['first', 'second'])
})

test('a held request of another node is answered once a transaction that wrote nothing has ended', async () => {
  const { nextCursor } = await whole()
  const endFirst = await begin('taken back')
  const endSecond = await begin('kept')
  const answer = held(1, nextCursor)
  await until(() => nodes.apps[1]?.deps.eventWatch.waiting === 1)
  await endSecond('COMMIT')
  await endFirst('ROLLBACK')
  expect(ids(await answer)).toEqual(['kept'])
})

test('a held request is answered at once with what another node writes', async () => {
  const { nextCursor } = await whole()
  const answer = held(2, nextCursor)
  await until(() => nodes.apps[2]?.deps.eventWatch.waiting === 1)
  await createTestContact(acme)
  expect((await answer).items).toHaveLength(1)
})

test('readers of every node get each event once, in one order, while all nodes write', async () => {
  const { nextCursor } = await whole()
  const each = 60
  const writers = nodes.apps.flatMap((app, node) =>
    Array.from({ length: 4 }, async (_, writer) => {
      for (let i = 0; i < each; i++) {
        const body = { email: `w${node}-${writer}-${i}@acme.test` }
        const { status } = await app.request('POST', '/v1/contacts', { key: acme.key, body })
        expect(status).toBe(201)
      }
    }),
  )
  const expected = writers.length * each
  const readers = [0, 1, 2].map(async (node) => {
    const seen: string[] = []
    for (let cursor = nextCursor; seen.length < expected; ) {
      const page = await read(node, `limit=7&wait=5&cursor=${cursor}`)
      seen.push(...ids(page))
      cursor = page.nextCursor
    }
    return seen
  })
  await Promise.all(writers)
  const [first, ...others] = await Promise.all(readers)
  expect(first).toHaveLength(expected)
  expect(new Set(first).size).toBe(expected)
  for (const other of others) expect(other).toEqual(first as string[])
  const rows =
    await sql`SELECT event_id FROM events WHERE tenant_id = ${acme.tenantId} AND event = 'contact.created_or_updated'`
  expect(rows.length).toBeGreaterThanOrEqual(expected)
})
