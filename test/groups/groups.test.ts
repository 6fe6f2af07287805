import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createGroup } from '../../src/groups/operations.ts'
import { startApp, type TestApp } from '../support/app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

describe('listing groups', () => {
  test('shows all of them, newest first, with the contacts they have now', async () => {
    const tenant = await app.createTenant()
    const news = await tenant.perform((tx, caller) =>
      createGroup(tx, caller, { name: 'News', consentWording: 'I want news', consentGroupType: 'marketing' }),
    )
    const empty = await tenant.perform((tx, caller) => createGroup(tx, caller, { name: 'Empty' }))
    for (const email of ['a@acme.test', 'b@acme.test']) {
      await tenant.post('/v1/contacts', { email, groupIds: [news.id] })
    }
    const answer = await tenant.get('/v1/groups')
    expect(answer.body).toEqual({
      items: [
        {
          id: empty.id,
          name: 'Empty',
          consentWording: null,
          consentGroupType: null,
          contactCount: 0,
          createdAt: '2026-03-01T09:00:00.000Z',
        },
        { ...news, contactCount: 2, consentWording: 'I want news', consentGroupType: 'marketing' },
      ],
      nextCursor: null,
    })
  })

  test("leaves other tenants' groups and their members out, though their ids are the same numbers", async () => {
    const [one, two] = [await app.createTenant(), await app.createTenant()]
    const { id } = await one.perform((tx, caller) => createGroup(tx, caller, { name: 'One' }))
    const theirs = await two.perform((tx, caller) => createGroup(tx, caller, { name: 'Two' }))
    expect(theirs.id).toBe(id)
    await one.post('/v1/contacts', { email: 'a@acme.test', groupIds: [id] })
    expect((await two.get('/v1/groups')).body.items).toEqual([{ ...theirs, contactCount: 0 }])
  })

  test('needs contacts:read', async () => {
    const { key } = await (await app.createTenant()).createKey(['contacts:write'])
    expect((await app.request('GET', '/v1/groups', { key })).status).toBe(403)
  })
})
