import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createOrganisation } from '../../src/organisations/operations.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'
import { problem } from '../support/problem.ts'
import { refusalOf } from '../support/refusal.ts'

let app: TestApp
let acme: TestTenant

beforeAll(async () => {
  app = await startApp()
  acme = await app.createTenant()
})
afterAll(() => app.close())

const create = (tenant: TestTenant, name: string, domain?: string) =>
  tenant.perform((tx, caller) => createOrganisation(tx, caller, { name, domain }))

describe('reading an organisation', () => {
  test('shows its shape, with the contacts it has now', async () => {
    const { id } = await create(acme, ' Acme ', 'Acme.TEST')
    await acme.post('/v1/contacts', { email: 'joins@acme.test' })
    const { body: leaver } = await acme.post('/v1/contacts', { email: 'leaves@acme.test' })
    await acme.delete(`/v1/contacts/${leaver.id}`)
    const answer = await acme.get(`/v1/organisations/${id}`)
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      id,
      name: 'Acme',
      domain: 'acme.test',
      contactCount: 1,
      createdAt: '2026-03-01T09:00:00.000Z',
      updatedAt: '2026-03-01T09:00:00.000Z',
    })
    const { body: list } = await acme.get('/v1/organisations')
    expect(list.items).toContainEqual(answer.body)
  })

  test("another tenant's is not found, as an id of no form or of nobody is", async () => {
    const other = await app.createTenant('Other')
    const { id } = await create(other, 'Theirs')
    const answers = await Promise.all(
      [id, '019ca8b6-0000-7000-8000-000000000000', 'nonsense', '%00'].map((path) =>
        acme.get(`/v1/organisations/${path}`),
      ),
    )
    for (const answer of answers) {
      expect([answer.status, answer.body]).toEqual([404, problem('not_found', 'organisation not found')])
    }
  })

  test('needs contacts:read', async () => {
    const { key } = await acme.createKey(['contacts:write'])
    for (const path of ['/v1/organisations', '/v1/organisations/x']) {
      const answer = await app.request('GET', path, { key })
      expect([answer.status, answer.body.error]).toEqual([403, 'insufficient_scope'])
    }
  })
})

describe('listing organisations', () => {
  test('by domain finds exactly those of it, whatever its case', async () => {
    const tenant = await app.createTenant()
    const mine = await create(tenant, 'One', 'one.test')
    await create(tenant, 'Sub', 'sub.one.test')
    await create(tenant, 'None')
    const { body } = await tenant.get('/v1/organisations?domain=ONE.test')
    expect(body).toEqual({ items: [mine], nextCursor: null })
    expect((await tenant.get('/v1/organisations?domain=nobody.test')).body.items).toEqual([])
    expect((await tenant.get('/v1/organisations?domain=')).body.items).toEqual([])
  })
})

describe('creating an organisation', () => {
  test.each(['not a domain', 'nodot', '-a.test', 'a..test', '@a.test'])('refuses the domain %p', async (domain) => {
    expect(await refusalOf(create(acme, 'Bad', domain))).toStartWith('domain: must be a domain')
  })

  test.each(['', '  ', 'x'.repeat(256)])('refuses the name %p', async (name) => {
    expect(await refusalOf(create(acme, name))).toBe('name: must be 1 to 255 characters')
  })
})
