import { Database } from 'bun:sqlite'
import { afterAll, describe, expect, test } from 'bun:test'
import { Column, eq, getTableColumns, getTableName, is, noopDecoder, Param, Placeholder, sql } from 'drizzle-orm'
import { named } from '../../src/db/lean-query.ts'
import { drizzleOver as overPostgres } from '../../src/db/postgres/handle.ts'
import type { Run } from '../../src/db/postgres/lean.ts'
import { contacts, events, webhooks } from '../../src/db/schema.ts'
import { drizzleOver as overSqlite } from '../../src/db/sqlite/dialect.ts'

/*
 * What is inside drizzle, promised by nobody, and taken hold of here: a test for each, so that one that fails after an
 * update of drizzle says which part has changed, and by its name where that part is used.
 */

const sqlite = new Database(':memory:')
for (const table of [contacts, webhooks]) {
  const columns = Object.values(getTableColumns(table)).map((column) => column.name)
  sqlite.run(`CREATE TABLE ${getTableName(table)} (${columns.join()})`)
}
sqlite.run("INSERT INTO contacts (id, last_name) VALUES ('one', 'Lovelace')")
afterAll(() => sqlite.close())

const lastName = named({ lastName: contacts.lastName })
const isWanted = eq(contacts.id, sql.placeholder('id'))

/** Anything: nothing of this is in drizzle's types. */
// biome-ignore lint/suspicious/noExplicitAny: the test looks at what has no type
type Inside = any

describe('a prepared query of SQLite (db/sqlite/lean.ts)', () => {
  const select = (): Inside => overSqlite(sqlite).select(lastName).from(contacts).where(isWanted).prepare()
  const remove = (): Inside => overSqlite(sqlite).delete(contacts).where(isWanted).prepare()

  test('has `executeMethod`, the name of what `execute` calls', async () => {
    expect([select().executeMethod, remove().executeMethod]).toEqual(['all', 'run'])
    const query = select()
    query.all = () => 'called'
    expect(await query.execute({ id: 'one' })).toBe('called')
  })

  test('has `stmt`, the statement that the connection prepared', () => {
    expect(select().stmt.all('one')).toEqual([{ lastName: 'Lovelace' }])
  })

  test('has `query.params`: a Placeholder, or a Param of one and how its column encodes it', () => {
    const add: Inside = overSqlite(sqlite)
      .insert(webhooks)
      .values({ active: sql.placeholder('active') } as Inside)
      .prepare()
    const encoded = add.query.params.filter((param: unknown) => is(param, Param) && is(param.value, Placeholder))
    expect(encoded).toHaveLength(1)
    expect([encoded[0].value.name, encoded[0].encoder.mapToDriverValue(true)]).toEqual(['active', 1])
    const [bare] = select().query.params
    expect([is(bare, Placeholder), bare.name]).toEqual([true, 'id'])
  })

  test('has `fields`, each with its path, when rows come from it, and else none', () => {
    expect(select().fields).toEqual([{ path: ['lastName'], field: lastName.lastName }])
    expect(remove().fields).toBeUndefined()
  })
})

describe('a prepared query of PostgreSQL (db/postgres/lean.ts)', () => {
  const none: Run = async () => []
  const select = (run = none): Inside => overPostgres(run).select(lastName).from(contacts).where(isWanted).prepare()

  test('has `queryString`, with numbered parameters', () => {
    expect(select().queryString).toBe(
      'select "contacts"."last_name" as "lastName" from "contacts" where "contacts"."id" = $1',
    )
  })

  test('has `params`, as those of SQLite are', () => {
    const [bare] = select().params
    expect([is(bare, Placeholder), bare.name]).toEqual([true, 'id'])
  })

  test('has `fields`, as those of SQLite are', () => {
    expect(select().fields).toEqual([{ path: ['lastName'], field: lastName.lastName }])
    const remove: Inside = overPostgres(none).delete(contacts).where(isWanted).prepare()
    expect(remove.fields).toBeUndefined()
  })

  test('is made by `session.prepareQuery`, for queries that were not prepared too (db/postgres/handle.ts)', async () => {
    expect(select().run).toBe(none)
    const db: Inside = overPostgres(none)
    const made: unknown[] = []
    const prepareQuery = db.session.prepareQuery
    db.session.prepareQuery = (...args: unknown[]) => {
      made.push(args)
      return prepareQuery(...args)
    }
    await db.select(lastName).from(contacts)
    await db.execute(sql`SELECT 1`)
    expect(made).toHaveLength(2)
  })

  test('asks `queryWithCache`, which would wrap errors that have to come as they were thrown (db/postgres/handle.ts)', async () => {
    const thrown = Object.assign(new Error('could not serialize'), { code: '40001' })
    const failing: Run = () => Promise.reject(thrown)
    const queries = [select(failing).execute({ id: 'one' }), overPostgres(failing).delete(contacts)]
    for (const query of queries) expect(await Promise.resolve(query).catch((error) => error)).toBe(thrown)
  })
})

describe('a column or an expression', () => {
  test('has `sql.decoder` behind its alias, the column where it is one, and noopDecoder where nothing is said (db/lean-query.ts)', () => {
    const { id, active, count }: Inside = named({ id: contacts.id, active: webhooks.active, count: sql`count(*)` })
    expect([id.sql.decoder === contacts.id, active.sql.decoder === webhooks.active]).toEqual([true, true])
    expect(count.sql.decoder).toBe(noopDecoder)
  })

  test('has `mapFromDriverValue` of Column itself where values are taken as they are (db/lean-query.ts)', () => {
    const asTheyAre = Column.prototype.mapFromDriverValue
    expect([contacts.id.mapFromDriverValue === asTheyAre, webhooks.active.mapFromDriverValue === asTheyAre]).toEqual([
      true,
      false,
    ])
  })

  test('has `columnType`, one of four, and `autoIncrement` where it counts (db/postgres/tables.ts)', () => {
    const { number, tenantId } = getTableColumns(events) as Record<string, Inside>
    expect([number.columnType, number.autoIncrement]).toEqual(['SQLiteInteger', true])
    expect([tenantId.columnType, webhooks.active.columnType]).toEqual(['SQLiteText', 'SQLiteBoolean'])
  })
})
