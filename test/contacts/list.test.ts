import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createTestContact } from '../support/api/contacts.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'

// What holds for every list is in lists.test.ts.

let app: TestApp
let acme: TestTenant
let ids: string[]

beforeAll(async () => {
  app = await startApp()
  acme = await app.createTenant()
  ids = []
  for (const email of ['Ada@acme.test', 'grace@navy.test', 'alan@acme.test']) {
    app.clock.advance(1000)
    ids.push((await createTestContact(acme, { email })).id)
  }
})
afterAll(() => app.close())

async function found(query: string) {
  const { body } = await acme.get(`/v1/contacts?${query}`)
  return body.items.map(({ id }: { id: string }) => ids.indexOf(id))
}

test.each(['Ada@acme.test', 'ADA@ACME.TEST', '%20ada@acme.test%20'])(
  'email=%s finds the contact of that address',
  async (email) => {
    expect(await found(`email=${email}`)).toEqual([0])
  },
)

test.each(['ada', 'acme.test', '%25@acme.test', 'ada@acme.tes', '', '*', 'ada@acme.test,grace@navy.test'])(
  'email=%s finds none',
  async (email) => {
    expect(await found(`email=${email}`)).toEqual([])
  },
)

test('unsubscribed tells the two kinds apart', async () => {
  await acme.post(`/v1/contacts/${ids[1]}/unsubscribe`)
  expect(await found('unsubscribed=true')).toEqual([1])
  expect(await found('unsubscribed=false')).toEqual([2, 0])
  expect(await found('')).toEqual([2, 1, 0])
})

test('updated_since finds what changed, not only what is new, in the order of creation', async () => {
  app.clock.advance(1000)
  const since = new Date(app.clock.now()).toISOString()
  expect(await found(`updated_since=${since}`)).toEqual([])
  await acme.put(`/v1/contacts/${ids[0]}`, { name: 'Ada' })
  await acme.put(`/v1/contacts/${ids[2]}`, { name: 'Alan' })
  expect(await found(`updated_since=${since}`)).toEqual([2, 0])
})

test('filters narrow each other', async () => {
  const since = new Date(app.clock.now()).toISOString()
  await acme.post(`/v1/contacts/${ids[0]}/unsubscribe`)
  expect(await found(`unsubscribed=true&updated_since=${since}&email=ada@acme.test`)).toEqual([0])
  expect(await found(`unsubscribed=true&email=alan@acme.test`)).toEqual([])
})
