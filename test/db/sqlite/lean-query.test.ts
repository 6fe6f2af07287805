import { Database } from 'bun:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { and, eq, isNotNull, type SQL, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/bun-sqlite'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { named } from '../../../src/db/lean-query.ts'
import { lean } from '../../../src/db/sqlite/lean.ts'
import { refusalOf } from '../../support/refusal.ts'

const things = sqliteTable('things', {
  id: integer('id').primaryKey(),
  name: text('name').notNull(),
  active: integer('active', { mode: 'boolean' }),
  tags: text('tags', { mode: 'json' }).$type<string[]>(),
  at: integer('at', { mode: 'timestamp_ms' }),
})

const place = sql.placeholder
const at = new Date('2026-01-01T00:00:00.000Z')

let sqlite: Database
let db: ReturnType<typeof drizzle>

beforeEach(() => {
  sqlite = new Database(':memory:')
  sqlite.run('CREATE TABLE things (id INTEGER PRIMARY KEY, name TEXT NOT NULL, active INTEGER, tags TEXT, at INTEGER)')
  sqlite.run(`INSERT INTO things VALUES (1, 'one', 1, '["a","b"]', ${at.getTime()}), (2, 'two', 0, NULL, NULL)`)
  db = drizzle(sqlite)
})
afterEach(() => sqlite.close())

const stored = (id: number) => sqlite.query('SELECT * FROM things WHERE id = ?').get(id)

describe('placeholders', () => {
  test('are bound by name, in the order of the statement, as often as they stand in it', async () => {
    const query = lean(
      db
        .select(named({ id: things.id, sum: sql<number>`${place('b')} * 10 + ${place('a')} + ${place('b')}` }))
        .from(things)
        .where(and(eq(things.name, place('name')), eq(things.id, place('id'))))
        .prepare(),
    )
    expect(await query.execute({ a: 1, name: 'two', b: 3, id: 2, more: 'ignored' })).toEqual([{ id: 2, sum: 34 }])
    expect(await query.execute({ a: 2, name: 'one', b: 4, id: 1 })).toEqual([{ id: 1, sum: 46 }])
    expect(await query.execute({ a: 2, name: 'one', b: 4, id: 2 })).toEqual([])
  })

  test('without a value are a mistake that names them, and nothing runs', async () => {
    const select = lean(
      db
        .select(named({ id: things.id }))
        .from(things)
        .where(eq(things.id, place('id')))
        .prepare(),
    )
    expect(await refusalOf(select.execute({ name: 'one' }))).toContain('no value for the placeholder id')
    const insert = lean(
      db
        .insert(things)
        .values({ id: 3, name: place('name') })
        .prepare(),
    )
    expect(await refusalOf(insert.execute({ name: undefined }))).toContain('no value for the placeholder name')
    expect(stored(3)).toBeNull()
  })

  test('take null for a value', async () => {
    const update = lean(
      db
        .update(things)
        .set({ active: sql`${place('active')}` })
        .where(eq(things.id, 1))
        .prepare(),
    )
    await update.execute({ active: null })
    expect(stored(1)).toMatchObject({ active: null })
  })

  test('that are limits are bound as well', async () => {
    const query = lean(
      db
        .select(named({ id: things.id }))
        .from(things)
        .orderBy(things.id)
        .limit(place('limit'))
        .prepare(),
    )
    expect(await query.execute({ limit: 1 })).toEqual([{ id: 1 }])
  })
})

describe('what is written', () => {
  const insert = () =>
    lean(
      db
        .insert(things)
        .values({ id: place('id'), name: 'constant', active: place('active'), tags: place('tags'), at: place('at') })
        .prepare(),
    )

  test('is encoded as its column says, constants as they are', async () => {
    await insert().execute({ id: 3, active: true, tags: ['c', 'ü'], at })
    await insert().execute({ id: 4, active: false, tags: [], at: new Date(0) })
    expect(stored(3)).toEqual({ id: 3, name: 'constant', active: 1, tags: '["c","ü"]', at: at.getTime() })
    expect(stored(4)).toEqual({ id: 4, name: 'constant', active: 0, tags: '[]', at: 0 })
  })

  test('is encoded in conditions too, beside constants of every kind', async () => {
    const query = lean(
      db
        .select(named({ id: things.id }))
        .from(things)
        .where(and(eq(things.active, place('active')), eq(things.name, 'one'), eq(things.at, at)))
        .prepare(),
    )
    expect(await query.execute({ active: true })).toEqual([{ id: 1 }])
    expect(await query.execute({ active: false })).toEqual([])
  })

  test('inside raw SQL is bound as it is given', async () => {
    const query = lean(
      db
        .update(things)
        .set({ name: sql`${things.name} || ${place('suffix')} || ${'!'}` })
        .where(eq(things.id, place('id')))
        .prepare(),
    )
    await query.execute({ suffix: '-and-a-half', id: 1 })
    expect([stored(1), stored(2)]).toMatchObject([{ name: 'one-and-a-half!' }, { name: 'two' }])
  })

  test('is told of by a returning clause, decoded', async () => {
    const query = lean(
      db
        .update(things)
        .set({ active: sql`${place('active')}` })
        .where(eq(things.id, place('id')))
        .returning({ id: things.id, active: things.active, tags: things.tags })
        .prepare(),
    )
    expect(await query.execute({ id: 1, active: 0 })).toEqual([{ id: 1, active: false, tags: ['a', 'b'] }])
    const withNames = lean(
      db
        .insert(things)
        .values({ id: place('id'), name: 'x', tags: ['d'] })
        .returning(named({ number: things.id, labels: things.tags }))
        .prepare(),
    )
    expect(await withNames.execute({ id: 5 })).toEqual([{ number: 5, labels: ['d'] }])
  })
})

describe('rows', () => {
  const all = {
    id: things.id,
    label: things.name,
    active: things.active,
    tags: things.tags,
    at: things.at,
  }
  const expected = [
    { id: 1, label: 'one', active: true, tags: ['a', 'b'], at },
    { id: 2, label: 'two', active: false, tags: null, at: null },
  ]

  test('whose fields are all named are decoded as their columns say, null left null', async () => {
    const query = lean(db.select(named(all)).from(things).orderBy(things.id).prepare())
    expect(await query.execute()).toEqual(expected)
    // The statement is kept, and its rows are new ones each time.
    expect(await query.execute()).toEqual(expected)
  })

  test('whose fields are not are the same', async () => {
    expect(await lean(db.select(all).from(things).orderBy(things.id).prepare()).execute()).toEqual(expected)
    const nested = lean(
      db
        .select({ id: things.id, more: { label: things.name, tags: things.tags } })
        .from(things)
        .prepare(),
    )
    expect(await nested.execute()).toEqual([
      { id: 1, more: { label: 'one', tags: ['a', 'b'] } },
      { id: 2, more: { label: 'two', tags: null } },
    ])
  })

  test('of which some fields are named are drizzle’s to map', async () => {
    const query = lean(
      db
        .select({ ...named({ label: things.name }), tags: things.tags })
        .from(things)
        .where(isNotNull(things.tags))
        .prepare(),
    )
    expect(await query.execute()).toEqual([{ label: 'one', tags: ['a', 'b'] }])
  })

  test('of an expression are as SQLite has them, or as mapWith says', async () => {
    const count: SQL<number> = sql<number>`count(*)`
    const isEven: SQL<boolean> = sql`max(${things.id}) % 2 = 0`.mapWith((value: number) => value === 1)
    const query = lean(
      db
        .select(named({ count, isEven, none: sql<null>`NULL` }))
        .from(things)
        .prepare(),
    )
    expect(await query.execute()).toEqual([{ count: 2, isEven: true, none: null }])
  })

  test('of two tables with a column of the same name keep both apart', async () => {
    const query = lean(
      db
        .select(named({ first: things.name, second: sql<string>`other.name` }))
        .from(things)
        .innerJoin(sql`things AS other`, sql`other.id = ${things.id} + 1`)
        .prepare(),
    )
    expect(await query.execute()).toEqual([{ first: 'one', second: 'two' }])
  })
})
