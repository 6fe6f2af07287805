import { afterAll, beforeAll, expect, test } from 'bun:test'
import postgres from 'postgres'
import { startFragile } from '../../support/processes/nodes.ts'

// So few connections that the server soon keeps what ended transactions have read and written in less detail.
const settings = { max_connections: 60 }
const SERIALIZABLE = 'BEGIN ISOLATION LEVEL SERIALIZABLE READ WRITE'
/** So many conflicts in a row come of no others that are under way: there are none. */
const PERSISTENT = 20

let fragile: Awaited<ReturnType<typeof startFragile>>
beforeAll(async () => {
  fragile = await startFragile(settings)
})
afterAll(() => fragile.close())

/** Runs one transaction after the other, nobody beside it, until the server sees conflicts in each. */
async function untilAllConflict(sql: postgres.Sql, statement: string): Promise<void> {
  let inARow = 0
  for (let count = 0; inARow < PERSISTENT; count++) {
    if (count === 20_000) throw new Error('the server never saw conflicts')
    try {
      await sql.unsafe(`${SERIALIZABLE}; ${statement}; COMMIT`)
      inARow = 0
    } catch (error) {
      await sql.unsafe('ROLLBACK')
      if ((error as { code?: string }).code !== '40001') throw error
      inARow++
    }
  }
}

test('an old transaction in another database of the server keeps nobody from writing', async () => {
  const { app, server } = fragile
  const tenant = await app.createTenant()
  const { id } = (await tenant.post('/v1/contacts', { email: 'ada@acme.test' })).body
  const elsewhere = new URL(server.url)
  elsewhere.pathname = '/elsewhere'
  const [own, reader] = [postgres(server.url, { max: 1 }), postgres(server.url, { max: 1 })]
  await own.unsafe('CREATE DATABASE elsewhere')
  const old = postgres(elsewhere.href, { max: 1 })
  await old.unsafe('CREATE TABLE kept (id int)')
  await old.unsafe(`${SERIALIZABLE}; INSERT INTO kept VALUES (1)`)

  const update = `UPDATE contacts SET name = 'Ada' WHERE id = '${id}'`
  // One that was read past is what the later ones are in conflict with.
  await reader.unsafe(`${SERIALIZABLE}; SELECT * FROM contacts WHERE id = '${id}'`)
  await own.unsafe(`${SERIALIZABLE}; ${update}; COMMIT`)
  await reader.unsafe(`UPDATE tenants SET name = 'Acme'; COMMIT`)
  await untilAllConflict(own, update)

  const { status, body } = await tenant.put(`/v1/contacts/${id}`, { lastName: 'Lovelace' })
  expect([status, body.lastName]).toEqual([200, 'Lovelace'])
  await Promise.all([old, own, reader].map((sql) => sql.end()))
})
