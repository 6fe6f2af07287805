import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { closeForm, publishForm, reopenForm, trashForm } from '../../src/forms/publishing.ts'
import { createWorkspace } from '../../src/tenants/operations.ts'
import { problem } from '../support/api/problem.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'

const MINUTE = 60_000

let app: TestApp
let acme: TestTenant

beforeAll(async () => {
  app = await startApp()
})
beforeEach(async () => {
  acme = await app.createTenant()
})
afterAll(() => app.close())

const create = async (title: string, fields: object = {}): Promise<string> =>
  (await acme.post('/v1/forms', { title, ...fields })).body.id
const titles = async (query = '') =>
  (await acme.get(`/v1/forms${query}`)).body.items.map(({ title }: { title: string }) => title)

describe('listing forms', () => {
  test('shows list items, newest first', async () => {
    await create('First')
    app.clock.advance(MINUTE)
    const id = await create('Second', { active: true, questions: [{ type: 'nps' }] })
    const { status, body } = await acme.get('/v1/forms')
    expect(status).toBe(200)
    expect(body.nextCursor).toBeNull()
    expect(body.items[1].title).toBe('First')
    expect(body.items[0]).toEqual({
      id,
      title: 'Second',
      status: 'active',
      workspaceId: acme.workspaceId,
      publishedAt: null,
      updatedAt: new Date(app.clock.now()).toISOString(),
    })
  })

  test('pages without skipping or repeating, though forms come and go meanwhile', async () => {
    const ids: string[] = []
    for (const title of ['A', 'B', 'C', 'D', 'E']) ids.push(await create(title))
    const first = (await acme.get('/v1/forms?limit=2')).body
    await create('F')
    await acme.perform((tx, caller) => trashForm(tx, caller, ids[3] as string))
    const second = (await acme.get(`/v1/forms?limit=2&cursor=${first.nextCursor}`)).body
    const third = (await acme.get(`/v1/forms?limit=2&cursor=${second.nextCursor}`)).body
    const seen = [first, second, third].map(({ items }) => items.map(({ title }: { title: string }) => title))
    expect(seen).toEqual([['E', 'D'], ['C', 'B'], ['A']])
    expect(third.nextCursor).toBeNull()
  })

  test('filters by workspace', async () => {
    const { id } = await acme.perform((tx, caller) => createWorkspace(tx, caller, { name: 'Second' }))
    await create('Here')
    await create('There', { workspaceId: id })
    expect(await titles(`?workspace_id=${id}`)).toEqual(['There'])
    expect(await titles(`?workspace_id=${id.toUpperCase()}`)).toEqual(['There'])
    expect(await titles(`?workspace_id=${acme.workspaceId}`)).toEqual(['Here'])
    expect(await titles(`?workspace_id=${crypto.randomUUID()}`)).toEqual([])
    expect(await titles(`?workspace_id=${id}&updated_since=2099-01-01T00:00:00Z`)).toEqual([])
  })

  test('filters by the time of the last change, inclusively', async () => {
    const old = await create('Old')
    app.clock.advance(MINUTE)
    const then = new Date(app.clock.now()).toISOString()
    await create('New')
    expect(await titles(`?updated_since=${then}`)).toEqual(['New'])
    await acme.perform((tx, caller) => publishForm(tx, caller, old))
    expect(await titles(`?updated_since=${then}`)).toEqual(['New', 'Old'])
    expect(await titles(`?updated_since=${then.replace('.000Z', '.001Z')}`)).toEqual([])
  })

  test.each([
    ['workspace_id=main', 'workspace_id: must be a UUID'],
    ['updated_since=2026-02-30T00:00:00Z', 'updated_since: must be an RFC 3339 date-time'],
    ['updated_since=2026-03-01', 'updated_since: must be an RFC 3339 date-time'],
    ['workspaceId=x', 'workspaceId: unknown query parameter'],
    ['limit=-1', 'limit: must be a whole number of 0 or more'],
    ['cursor=abc', 'cursor: is not a cursor of this list'],
  ])('%s is a 400', async (query, message) => {
    const { status, body } = await acme.get(`/v1/forms?${query}`)
    expect([status, body.error]).toEqual([400, 'invalid_request'])
    expect(body.message).toStartWith(message)
  })
})

describe('what a key cannot see', () => {
  test('another tenant’s form reads like one that does not exist', async () => {
    const id = await create('Ours')
    const other = await app.createTenant('Other')
    for (const path of [id, crypto.randomUUID(), 'x', '1', '%00']) {
      const { status, body } = await other.get(`/v1/forms/${path}`)
      expect([path, status, body]).toEqual([path, 404, problem('not_found', 'form not found')])
    }
    expect((await other.get('/v1/forms')).body.items).toEqual([])
    expect((await other.get(`/v1/forms?workspace_id=${acme.workspaceId}`)).body.items).toEqual([])
    expect((await acme.get(`/v1/forms/${id.toUpperCase()}`)).body.id).toBe(id)
  })

  test.each([
    ['GET', '/v1/forms', 'forms:read'],
    ['GET', `/v1/forms/${crypto.randomUUID()}`, 'forms:read'],
    ['GET', '/v1/workspaces', 'forms:read'],
    ['POST', '/v1/forms', 'forms:write'],
  ])('%s %s needs %s', async (method, path, scope) => {
    const { key } = await acme.createKey(['contacts:read'])
    const { status, body } = await app.request(method, path, { key, ...(method === 'POST' ? { body: {} } : {}) })
    expect([status, body.error]).toEqual([403, 'insufficient_scope'])
    expect(body.message).toContain(scope)
  })
})

describe('what happens to a form outside the API', () => {
  const state = async (id: string) => {
    const { status, publishedAt, updatedAt } = (await acme.get(`/v1/forms/${id}`)).body
    return [status, publishedAt, updatedAt]
  }

  test('publishing, closing and re-opening change status and times, repeating them nothing', async () => {
    const id = await create('Survey')
    const created = new Date(app.clock.now()).toISOString()
    expect(await state(id)).toEqual(['inactive', null, created])

    app.clock.advance(MINUTE)
    const published = new Date(app.clock.now()).toISOString()
    const item = await acme.perform((tx, caller) => publishForm(tx, caller, id))
    expect(item).toEqual((await acme.get('/v1/forms')).body.items[0])
    expect(await state(id)).toEqual(['active', published, published])

    app.clock.advance(MINUTE)
    await acme.perform((tx, caller) => publishForm(tx, caller, id))
    expect(await state(id)).toEqual(['active', published, published])

    const closed = new Date(app.clock.now()).toISOString()
    await acme.perform((tx, caller) => closeForm(tx, caller, id))
    expect(await state(id)).toEqual(['inactive', published, closed])

    app.clock.advance(MINUTE)
    const reopened = new Date(app.clock.now()).toISOString()
    await acme.perform((tx, caller) => reopenForm(tx, caller, id))
    expect(await state(id)).toEqual(['active', published, reopened])
  })

  test('a trashed form is as if gone', async () => {
    const id = await create('Survey')
    const item = await acme.perform((tx, caller) => trashForm(tx, caller, id))
    expect(item.id).toBe(id)
    expect((await acme.get(`/v1/forms/${id}`)).status).toBe(404)
    expect(await titles()).toEqual([])
    for (const change of [publishForm, closeForm, reopenForm, trashForm]) {
      const refused = await acme.perform((tx, caller) => change(tx, caller, id)).catch((error) => error.code)
      expect(refused).toBe('not_found')
    }
  })

  test('another tenant’s form cannot be changed', async () => {
    const id = await create('Survey')
    const other = await app.createTenant('Other')
    for (const change of [publishForm, closeForm, reopenForm, trashForm]) {
      const refused = await other.perform((tx, caller) => change(tx, caller, id)).catch((error) => error.code)
      expect(refused).toBe('not_found')
    }
    expect((await state(id)).slice(0, 2)).toEqual(['inactive', null])
  })
})

describe('listing workspaces', () => {
  test('shows the tenant’s own, newest first, and ignores cursor and limit', async () => {
    const { id } = await acme.perform((tx, caller) => createWorkspace(tx, caller, { name: 'Second' }))
    const whole = {
      items: [
        { id, name: 'Second' },
        { id: acme.workspaceId, name: 'Main' },
      ],
      nextCursor: null,
    }
    expect((await acme.get('/v1/workspaces')).body).toEqual(whole)
    expect((await acme.get('/v1/workspaces?cursor=x&limit=-1')).body).toEqual(whole)
    expect((await acme.get('/v1/workspaces?name=Main')).status).toBe(400)
  })
})
