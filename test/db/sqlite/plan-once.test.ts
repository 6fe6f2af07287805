import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { planOnce } from '../../../src/db/sqlite/plan-once.ts'
import { startApp } from '../../support/app.ts'
import { noteStatements } from '../../support/data/plans.ts'
import { createTicket } from '../../support/tickets/tickets.ts'

test('only parameters are marked, not what stands in quotes', () => {
  const statement = `select '?', 'it''s ?', "a?b" from t where a = ? and b in (?, ?) limit ?`
  expect(planOnce(statement)).toBe(`select '?', 'it''s ?', "a?b" from t where a = +? and b in (+?, +?) limit +?`)
})

test('values arrive as they are: texts, numbers, bytes and null, compared with columns of any type', () => {
  const sqlite = new Database(':memory:')
  sqlite.run('CREATE TABLE t (a TEXT, b INTEGER, c BLOB)')
  const values = ['007', 7, new Uint8Array([0, 1])]
  sqlite.prepare(planOnce('INSERT INTO t VALUES (?, ?, ?), (NULL, ?, ?)')).run(...values, null, null)
  expect(sqlite.query('SELECT typeof(a), typeof(b), typeof(c), a FROM t').values()).toEqual([
    ['text', 'integer', 'blob', '007'],
    ['null', 'null', 'null', null],
  ])
  const found = sqlite.prepare(planOnce('SELECT ? AS x FROM t WHERE a = ? AND b = ? AND c = ? LIMIT ?'))
  expect(found.values(null, ...values, 1)).toEqual([[null]])
  // As without it: a column of numbers takes a text for the number it is, one of texts takes no number.
  expect(found.values(null, '007', '7', values[2] as Uint8Array, 1)).toHaveLength(1)
  expect(found.values(null, '7', 7, values[2] as Uint8Array, 1)).toEqual([])
  sqlite.close()
})

test('no statement of the service has a value that its plan could depend on', async () => {
  const noted = noteStatements()
  const app = await startApp()
  try {
    const acme = await app.createTenant()
    await createTicket(acme, { mailId: '<a@b.test>' })
    expect((await acme.get('/v1/tickets?status=open&limit=1')).body.items).toHaveLength(1)
  } finally {
    noted.stop()
    await app.close()
  }
  const texts = [...noted.statements].filter((text) => text.includes('?'))
  expect(texts).not.toBeEmpty()
  expect(texts.filter((text) => /(?<!\+)\?/.test(text.replaceAll(/'[^']*'|"[^"]*"/g, '')))).toEqual([])
})
