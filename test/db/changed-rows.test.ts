import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { and, eq, sql } from 'drizzle-orm'
import { isOneOf } from '../../src/db/index.ts'
import { changedRows } from '../../src/db/lists/changed-rows.ts'
import { contacts, responses } from '../../src/db/schema.ts'
import { newId } from '../../src/lib/ids.ts'
import { formatTime } from '../../src/lib/time.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'
import { createPublished } from '../support/forms/collecting.ts'

/** More than is looked through near the top of a list, so that the oldest of them lie far down. */
const COUNT = 2600

let app: TestApp
let acme: TestTenant
/** Oldest first. */
let ids: string[]

beforeAll(async () => {
  app = await startApp()
  acme = await app.createTenant()
  ids = await insertContacts(acme, COUNT)
})
afterAll(() => app.close())

const oldest = (count: number) => ids.slice(0, count)
const oneIn = (n: number) => ids.filter((_, i) => i % n === 0)

describe.each([
  ['nothing changed', () => [], 'changes'],
  ['a few changed', () => oneIn(500), 'changes'],
  ['500 changed far down', () => oldest(500), 'changes'],
  ['501 changed far down', () => oldest(501), 'changes'],
  ['501 changed near the top', () => ids.slice(-501), 'list'],
  ['one in five changed', () => oneIn(5), 'list'],
  ['one in five and the whole bottom changed', () => [...new Set([...oneIn(5), ...oldest(1000)])].sort(), 'list'],
  ['everything changed', () => ids, 'list'],
] as const)('when %s', (_, changing, way) => {
  let since: string
  let changed: string[]

  beforeAll(async () => {
    app.clock.advance(1000)
    since = formatTime(app.clock.now())
    changed = [...changing()]
    await acme.perform((tx) =>
      tx
        .update(contacts)
        .set({ updatedAt: since })
        .where(and(eq(contacts.tenantId, acme.tenantId), isOneOf(tx, contacts.id, JSON.stringify(changed)))),
    )
  })

  test(`a page comes from the ${way}`, async () => {
    const ofTenant = eq(contacts.tenantId, sql.placeholder('tenantId'))
    const list = { key: contacts.id, changedAt: contacts.updatedAt, conditions: [ofTenant], owner: [ofTenant] }
    const { choose } = changedRows(list, { since })
    expect(await choose(app.database.db, { tenantId: acme.tenantId, since, lastOfPage: 25 })).toBe(way)
  })

  test('the pages hold just that, newest first', async () => {
    expect(await walk(`updated_since=${since}`)).toEqual(changed.toReversed())
  })

  test('another filter narrows it', async () => {
    const isUnsubscribed = (id: string) => ids.indexOf(id) % 4 === 0
    expect(await walk(`updated_since=${since}&unsubscribed=true`)).toEqual(changed.filter(isUnsubscribed).reverse())
  })
})

describe('a window of time', () => {
  test.each([
    [0, 700],
    [0, 1],
    [699, 700],
    [300, 310],
    [50, 650],
    [undefined, 700],
    [undefined, 600],
    [undefined, 100],
    [50, undefined],
    [690, undefined],
    [400, 400],
    [500, 400],
  ])('from change %p to before %p holds those between, newest first', async (from, to) => {
    const { path, rows } = await manyResponses()
    const at = (index: number) => formatTime(rows.start + index)
    const query = [from === undefined ? '' : `since=${at(from)}`, to === undefined ? '' : `until=${at(to)}`]
    const expected = rows.ids.slice(from ?? 0, Math.max(to ?? 700, from ?? 0)).reverse()
    expect(await walk(query.filter(Boolean).join('&'), path)).toEqual(expected)
  })
})

async function walk(query: string, path = '/v1/contacts'): Promise<string[]> {
  const seen: string[] = []
  let cursor: string | null = null
  do {
    const more: string = cursor === null ? '' : `&cursor=${cursor}`
    const { body } = await acme.get(`${path}?limit=100&${query}${more}`)
    seen.push(...body.items.map(({ id }: { id: string }) => id))
    cursor = body.nextCursor
  } while (cursor !== null)
  return seen
}

/** Contacts a millisecond apart, one in four of them unsubscribed. */
async function insertContacts(tenant: TestTenant, count: number): Promise<string[]> {
  const start = app.clock.now()
  const rows = Array.from({ length: count }, (_, i) => {
    const at = formatTime(start + i)
    const email = `c${i}@acme.test`
    const isUnsubscribed = i % 4 === 0
    return {
      email,
      normalisedEmail: email,
      createdAt: at,
      updatedAt: at,
      unsubscribed: isUnsubscribed,
      id: newId(start + i),
    }
  })
  app.clock.advance(count)
  await tenant.perform(async (tx, { tenantId }) => {
    for (let i = 0; i < count; i += 1000) {
      await tx
        .insert(contacts)
        .values(rows.slice(i, i + 1000).map((row) => ({ ...row, tenantId, source: 'api' as const })))
    }
  })
  return rows.map(({ id }) => id)
}

let many: Promise<{ path: string; rows: { start: number; ids: string[] } }> | undefined

/** A form with 700 responses, a millisecond apart. */
function manyResponses() {
  many ??= insertResponses()
  return many
}

async function insertResponses() {
  const form = await createPublished(acme, [{ type: 'nps' }])
  const start = app.clock.now()
  const blank = { status: 'complete' as const, answers: '[]', scores: '{"total":0,"max":0,"percentage":null}' }
  const rows = Array.from({ length: 700 }, (_, i) => {
    const at = formatTime(start + i)
    return { ...blank, id: newId(start + i), startedAt: at, submittedAt: at, updatedAt: at }
  })
  await acme.perform((tx, { tenantId }) =>
    tx.insert(responses).values(rows.map((row) => ({ ...row, tenantId, formId: form.id }))),
  )
  return { path: `/v1/forms/${form.id}/responses`, rows: { start, ids: rows.map(({ id }) => id) } }
}
