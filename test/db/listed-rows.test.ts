import { afterEach, beforeEach, expect, test } from 'bun:test'
import { and, asc, eq, sql } from 'drizzle-orm'
import { isOneOf, listedRows, ofTenant, preparedWrite, sendAll, type Tx } from '../../src/db/index.ts'
import { contacts } from '../../src/db/schema.ts'
import { startApp, type TestApp, type TestTenant } from '../support/app.ts'

/* Many rows, each with values of its own: in a statement for each, or in one for all of them. */

let app: TestApp
let acme: TestTenant
beforeEach(async () => {
  app = await startApp()
  acme = await app.createTenant()
})
afterEach(() => app.close())

const rename = {
  each: preparedWrite((tx) =>
    tx
      .update(contacts)
      .set({
        name: sql`${sql.placeholder('name')}`,
        unsubscribed: sql`cast(${sql.placeholder('size')} as bigint) > 100`,
      })
      .where(eq(contacts.email, sql.placeholder('email')))
      .prepare(),
  ),
  list: preparedWrite((tx) =>
    tx
      .update(contacts)
      .set({ name: sql`listed.name`, unsubscribed: sql`listed.size > 100` })
      .from(listedRows(tx, sql.placeholder('rows'), { email: 'text', name: 'text', size: 'number' }))
      .where(and(isOneOf(tx, contacts.email, sql.placeholder('keys')), eq(contacts.email, sql`listed.email`)))
      .prepare(),
  ),
}

test('either way writes the same into the rows that are named, and into no other', async () => {
  for (const n of [1, 2, 3]) await acme.post('/v1/contacts', { email: `c${n}@x.test`, name: `Old ${n}` })
  const read = () =>
    app.database.db
      .select({ name: contacts.name, unsubscribed: contacts.unsubscribed })
      .from(contacts)
      .where(ofTenant(contacts, acme.tenantId))
      .orderBy(asc(contacts.email))
  for (const writesLists of [false, true]) {
    const values = [
      { email: 'c1@x.test', name: `“${writesLists}”, 'quoted'`, size: 9_007_199_254_740_991 },
      { email: 'c3@x.test', name: `ß ${writesLists}`, size: 9 },
    ]
    await app.database.transaction(async (tx) => {
      const handle: Tx = Object.assign(Object.create(tx), { engine: { ...tx.engine, writesLists } })
      await sendAll(handle, rename, values, 'email')
    })
    expect(await read()).toEqual([
      { name: `“${writesLists}”, 'quoted'`, unsubscribed: true },
      { name: 'Old 2', unsubscribed: false },
      { name: `ß ${writesLists}`, unsubscribed: false },
    ])
  }
})
