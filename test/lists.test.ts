import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createApp } from '../src/app.ts'
import { type ListCase, type OpenList, pagedLists, wholeLists } from './support/api/lists.ts'
import { problem } from './support/api/problem.ts'
import { startApp, type TestApp, type TestTenant } from './support/app.ts'

let app: TestApp
let acme: TestTenant
let other: TestTenant

beforeAll(async () => {
  app = await startApp()
  acme = await app.createTenant()
  other = await app.createTenant('Other')
})
afterAll(() => app.close())

/** `path` with one more query parameter. */
const asked = (path: string, query: string) => `${path}${path.includes('?') ? '&' : '?'}${query}`

/** Adds rows, each a millisecond younger than the one before. */
async function fill(list: OpenList, count: number): Promise<string[]> {
  const ids = []
  for (let i = 0; i < count; i++) {
    app.clock.advance(1)
    ids.push(await list.add())
  }
  return ids
}

/** The ids of all pages, with what `between` does after each. */
async function walk(
  tenant: TestTenant,
  { idOf }: ListCase,
  path: string,
  limit: number,
  between?: (seen: string[]) => Promise<unknown>,
) {
  const seen: string[] = []
  const sizes: number[] = []
  let cursor: string | null = null
  do {
    const { status, body } = await tenant.get(
      asked(path, `limit=${limit}${cursor === null ? '' : `&cursor=${cursor}`}`),
    )
    expect(status).toBe(200)
    seen.push(...body.items.map(idOf))
    sizes.push(body.items.length)
    cursor = body.nextCursor
    await between?.(seen)
  } while (cursor !== null)
  return { seen, sizes }
}

/** The cursor of a list's second page. */
async function cursorOf(tenant: TestTenant, path: string): Promise<string> {
  const { nextCursor } = (await tenant.get(asked(path, 'limit=1'))).body
  expect(nextCursor).toBeString()
  return nextCursor
}

describe.each(Object.entries(pagedLists))('the list of %s', (_, list) => {
  const initial = list.initial ?? 0

  test('is empty to begin with, then newest first, without rows of other tenants', async () => {
    const tenant = await app.createTenant()
    const mine = await list.open(tenant)
    const before = (await tenant.get(mine.path)).body
    expect([before.items.length, before.nextCursor]).toEqual([initial, null])
    await fill(await list.open(other), 2)
    const ids = await fill(mine, 3)
    const { body } = await tenant.get(mine.path)
    expect(body.items.map(list.idOf).slice(0, 3)).toEqual(ids.reverse())
    expect([body.items.length, body.nextCursor]).toEqual([3 + initial, null])
  })

  test('has pages of 25 unless told otherwise, and of 100 at most', async () => {
    const tenant = await app.createTenant()
    const mine = await list.open(tenant)
    await Promise.all(Array.from({ length: 101 }, () => mine.add()))
    for (const [query, size] of [
      ['', 25],
      ['limit=0', 25],
      ['limit=00', 25],
      ['limit=1', 1],
      ['limit=99', 99],
      ['limit=100', 100],
      ['limit=101', 100],
      ['limit=2147483648', 100],
      [`limit=${'9'.repeat(400)}`, 100],
    ] as const) {
      const { status, body } = await tenant.get(asked(mine.path, query))
      expect([query, status, body.items?.length]).toEqual([query, 200, size])
      expect(body.nextCursor).toBeString()
    }
  })

  test.each(['-1', '1.5', 'ten', '', '%205', '1e2', '0x10', '%2B5', 'NaN', 'Infinity', 'null'])(
    'refuses limit=%s',
    async (limit) => {
      const { path } = await list.open(acme)
      const { status, body } = await acme.get(asked(path, `limit=${limit}`))
      expect([status, body]).toEqual([400, problem('invalid_request', 'limit: must be a whole number of 0 or more')])
    },
  )

  test('shows each row once to who walks it while rows come and go', async () => {
    const tenant = await app.createTenant()
    const mine = await list.open(tenant)
    const ids = await fill(mine, 10)
    const goes = new Set<string>()
    const { seen, sizes } = await walk(tenant, list, mine.path, 3, async (soFar) => {
      if (soFar.length > 6) return
      await fill(mine, 2)
      // The row the cursor stands on, one seen before, and one still to come.
      const coming = ids.find((id) => !soFar.includes(id) && !goes.has(id))
      for (const id of [soFar.at(-1), soFar.at(-3), coming]) {
        if (id === undefined) continue
        goes.add(id)
        await mine.remove(id)
      }
    })
    const originals = seen.filter((id) => ids.includes(id))
    expect(new Set(seen).size).toBe(seen.length)
    expect(originals).toEqual(ids.filter((id) => seen.includes(id)).reverse())
    for (const id of ids) if (!goes.has(id)) expect(seen).toContain(id)
    for (const size of sizes.slice(0, -1)) expect(size).toBe(3)
  })

  test('ends without a cursor when the last page is full', async () => {
    const tenant = await app.createTenant()
    const mine = await list.open(tenant)
    await fill(mine, 6 - initial)
    expect((await walk(tenant, list, mine.path, 3)).sizes).toEqual([3, 3])
    expect((await walk(tenant, list, mine.path, 6)).sizes).toEqual([6])
    expect((await walk(tenant, list, mine.path, 5)).sizes).toEqual([5, 1])
  })

  test('refuses cursors that are malformed, altered, or of another tenant, parent or list', async () => {
    const tenant = await app.createTenant()
    const [mine, sibling, theirs] = [await list.open(tenant), await list.open(tenant), await list.open(other)]
    for (const each of [mine, sibling, theirs]) await fill(each, 2)
    const cursor = await cursorOf(tenant, mine.path)
    const middle = cursor.length >> 1
    const strangers = [
      '',
      'x',
      '%00',
      '%F0%9F%98%80',
      `${cursor}A`,
      `${cursor}%3D`,
      `%20${cursor}`,
      cursor.slice(0, -1),
      cursor.slice(1),
      cursor.slice(0, middle) + (cursor[middle] === 'A' ? 'B' : 'A') + cursor.slice(middle + 1),
      Buffer.from('019ca8b6-0000-7000-8000-000000000000').toString('base64url'),
      await cursorOf(other, theirs.path),
    ]
    if (sibling.path !== mine.path) strangers.push(await cursorOf(tenant, sibling.path))
    for (const otherList of Object.values(pagedLists)) {
      if (otherList.route === list.route) continue
      const foreign = await otherList.open(tenant)
      await Promise.all([foreign.add(), foreign.add()])
      strangers.push(await cursorOf(tenant, foreign.path))
    }
    for (const stranger of strangers) {
      const { status, body } = await tenant.get(asked(mine.path, `cursor=${stranger}`))
      expect([stranger, status, body]).toEqual([
        stranger,
        400,
        problem('invalid_request', 'cursor: is not a cursor of this list'),
      ])
    }
    expect((await tenant.get(asked(mine.path, `cursor=${'x'.repeat(1001)}`))).status).toBe(400)
    expect((await tenant.get(asked(mine.path, `cursor=${cursor}`))).status).toBe(200)
  })

  test.each(['emial', 'Limit', 'constructor', '__proto__', 'sort', 'limit[]'])(
    'refuses the unknown query parameter %s by name',
    async (parameter) => {
      const { path } = await list.open(acme)
      const { status, body } = await acme.get(asked(path, `${encodeURIComponent(parameter)}=1`))
      expect([status, body]).toEqual([400, problem('invalid_request', `${parameter}: unknown query parameter`)])
    },
  )

  test('needs its scope', async () => {
    const tenant = await app.createTenant()
    const { path } = await list.open(tenant)
    const able = (await tenant.createKey([list.scope])).key
    const unable = (await tenant.createKey(allBut(list.scope))).key
    expect((await app.request('GET', path, { key: able })).status).toBe(200)
    const refused = await app.request('GET', asked(path, 'limit=x'), { key: unable })
    expect([refused.status, refused.body.error]).toEqual([403, 'insufficient_scope'])
    expect(refused.body.message).toContain(list.scope)
  })

  test('refuses filters that are not of their form', async () => {
    const { path } = await list.open(acme)
    for (const [filter, schema] of Object.entries(queryOf(list.route))) {
      for (const value of badValues(schema)) {
        const { status, body } = await acme.get(asked(path, `${filter}=${encodeURIComponent(value)}`))
        expect([filter, value, status, body.error]).toEqual([filter, value, 400, 'invalid_request'])
        expect(body.message).toStartWith(`${filter}: `)
      }
    }
  })

  test('shows nothing of an id that is unknown, or of another tenant', async () => {
    const { path } = await list.open(acme)
    const foreign = await foreignIds()
    for (const [filter, schema] of Object.entries(queryOf(list.route))) {
      if (schema.format !== 'uuid') continue
      for (const value of foreign) {
        const { status, body } = await acme.get(asked(path, `${filter}=${value}`))
        expect([status, body]).toEqual([200, { items: [], nextCursor: null }])
      }
    }
  })

  if (list.since === undefined) return
  test('shows what changed at a time or later', async () => {
    const tenant = await app.createTenant()
    const mine = await list.open(tenant)
    await fill(mine, 5)
    const { items } = (await tenant.get(mine.path)).body
    for (const [count, { updatedAt }] of items.entries()) {
      const offset = new Date(Date.parse(updatedAt) + 2 * 3600 * 1000).toISOString().replace('Z', '+02:00')
      for (const at of [updatedAt, offset]) {
        const path = asked(mine.path, `${list.since}=${encodeURIComponent(at)}`)
        expect((await walk(tenant, list, path, 2)).seen).toEqual(items.slice(0, count + 1).map(list.idOf))
      }
    }
    const later = new Date(Date.parse(items[0].updatedAt) + 1).toISOString()
    expect((await tenant.get(asked(mine.path, `${list.since}=${later}`))).body).toEqual({ items: [], nextCursor: null })
  })
})

describe.each(Object.entries(wholeLists))('the whole list of %s', (_, list) => {
  test('is newest first, whatever cursor and limit say, without rows of other tenants', async () => {
    const tenant = await app.createTenant()
    const ids = []
    for (let i = 0; i < 30; i++) {
      app.clock.advance(1)
      ids.push((await list.add(tenant)).id)
    }
    await list.add(other)
    for (const query of ['', '?limit=1', '?limit=-1', '?limit=x&cursor=x', '?cursor=', `?cursor=${'x'.repeat(2000)}`]) {
      const { status, body } = await tenant.get(list.route.replace(/\/$/, query))
      expect([query, status, body.nextCursor]).toEqual([query, 200, null])
      expect(body.items.map(({ id }: { id: string }) => id).slice(0, 30)).toEqual(ids.toReversed())
      expect(body.items).toHaveLength(30 + list.initial)
    }
  })

  test('refuses an unknown query parameter by name, and a key without its scope', async () => {
    const tenant = await app.createTenant()
    const { status, body } = await tenant.get(list.route.replace(/\/$/, '?active=1'))
    expect([status, body.message]).toEqual([400, 'active: unknown query parameter'])
    const { key } = await tenant.createKey(allBut(list.scope))
    expect((await app.request('GET', list.route, { key })).status).toBe(403)
  })
})

test('every route that answers with a page is among them', () => {
  const routes = [...pageRoutes()].map(({ path }) => path).sort()
  const known = new Set([...Object.values(pagedLists), ...Object.values(wholeLists)].map(({ route }) => route))
  expect(routes).toEqual([...known].sort())
})

function allBut(scope: string): string[] {
  return ['forms:read', 'responses:read', 'contacts:read', 'tickets:read', 'webhooks:manage'].filter((s) => s !== scope)
}

interface Schema {
  properties?: Record<string, Schema>
  format?: string
  pattern?: string
}

function* pageRoutes() {
  for (const { method, path, hooks } of createApp(app.deps).routes) {
    // A visitor's own lists come by their token, and are tested with the chat.
    if (!path.startsWith('/v1/')) continue
    const page = (hooks.response as Record<number, Schema> | undefined)?.[200]?.properties
    if (method === 'GET' && page?.items && page.nextCursor) yield { path, query: hooks.query as Schema }
  }
}

function queryOf(route: string): Record<string, Schema> {
  return [...pageRoutes()].find(({ path }) => path === route)?.query.properties ?? {}
}

function badValues({ format, pattern }: Schema): string[] {
  if (format === 'uuid')
    return ['', 'x', '019ca8b6-0000-7000-8000-00000000000', '019ca8b6-0000-7000-8000-0000000000000', 'null']
  if (format === 'date-time') {
    return [
      '',
      '2026-03-01',
      '2026-03-01T09:00:00',
      '2026-02-30T09:00:00Z',
      '2026-03-01T25:00:00Z',
      '1772355600000',
      'now',
      '2026-03-01T09:00:00 02:00',
    ]
  }
  return pattern === undefined || pattern === '^\\d+$' ? [] : ['', 'x', 'TRUE', '1', ' true', 'Complete', 'open ']
}

/** One id of every kind that another tenant has, and one of nobody. */
async function foreignIds(): Promise<string[]> {
  const contact = await pagedLists.contacts?.open(other).then((list) => list.add())
  const inbox = await wholeLists.inboxes?.add(other)
  return ['019ca8b6-0000-7000-8000-000000000000', other.workspaceId, String(contact), String(inbox?.id)]
}
