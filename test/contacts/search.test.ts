import { afterAll, beforeAll, expect, test } from 'bun:test'
import { searchContacts } from '../../src/contacts/search.ts'
import { createTestContact } from '../support/api/contacts.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'

let app: TestApp
let acme: TestTenant

beforeAll(async () => {
  app = await startApp()
  acme = await app.createTenant()
  for (const name of ['Pia', 'Pia', 'Pina']) await createTestContact(acme, { name, lastName: 'Pagina' })
})
afterAll(() => app.close())

test.each([
  [1, [1, 1, 1]],
  [2, [2, 1]],
  [3, [3]],
  [4, [3]],
])('pages of %d end with the last contact that is found, and none is empty', async (limit, expected) => {
  const sizes: number[] = []
  const seen: string[] = []
  for (let cursor: string | null | undefined; cursor !== null && sizes.length < 10; ) {
    const found = await searchContacts(app.database.db, acme.tenantId, { cursor, limit }, { text: 'pi' })
    sizes.push(found.items.length)
    seen.push(...found.items.map(({ id }) => id))
    cursor = found.nextCursor
  }
  expect(sizes).toEqual(expected)
  expect(new Set(seen).size).toBe(3)
})
