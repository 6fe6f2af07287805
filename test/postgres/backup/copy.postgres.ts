import { expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { copyToPostgres } from '../../../src/db/copy.ts'
import { searchInbox } from '../../../src/tickets/search/search.ts'
import { furnish } from '../../support/api/furnished.ts'
import { snapshot } from '../../support/api/snapshot.ts'
import { startApp } from '../../support/app.ts'
import { emptyDatabase } from '../../support/processes/nodes.ts'
import { emptyFolder, ownExecutable, record, run, serve } from '../../support/processes/program.ts'
import { refusalOf } from '../../support/refusal.ts'
import { createTicket } from '../../support/tickets/tickets.ts'

const program = await ownExecutable()

const onSqlite = { FRONTDESK_DATABASE_URL: '' }

test('a data folder is copied whole, and goes on where it stood', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'frontdesk-copy-'))
  const before = await startApp({ dataDir, environment: onSqlite })
  const { tenant, ids } = await furnish(await before.createTenant())
  await tenant.post('/v1/contacts', { email: 'odd@acme.test', name: 'a\0b', lastName: '\uFDD0' })
  const rows = await snapshot(before)
  const contacts = (await tenant.get('/v1/contacts')).text
  expect(await refusalOf(copyToPostgres(dataDir, 'postgres://127.0.0.1:1/none'))).toContain('FRONTDESK_DATABASE_URL')
  await before.close()

  const empty = await emptyDatabase()
  const copied = await copyToPostgres(dataDir, empty.url)
  expect(copied.find(({ table }) => table === 'contacts')?.rows).toBe(3)
  expect(await refusalOf(copyToPostgres(dataDir, empty.url))).toContain('the database is not empty')

  // Else the engine guesses how to find a row, and a large folder takes hours to copy.
  const unknown = await empty.sql`SELECT relname FROM pg_stat_user_tables WHERE n_live_tup > 0 AND last_analyze IS NULL`
  expect(unknown.map(({ relname }) => relname).filter((name) => name !== 'migrations')).toEqual([])

  const after = await startApp({ dataDir, environment: { FRONTDESK_DATABASE_URL: empty.url } })
  expect(await snapshot(after)).toEqual(rows)
  const shown = await after.request('GET', '/v1/contacts', { key: tenant.key })
  expect(shown.text).toBe(contacts)
  const upload = await after.request('GET', `/v1/uploads/${ids.uploads}`, { key: tenant.key })
  expect(upload.status).toBe(200)
  const perform: typeof tenant.perform = (work) => after.database.transaction((tx) => work(tx, tenant.caller()))
  const ticket = await createTicket({ ...tenant, perform })
  expect(ticket.sequentialNumber).toBe(4)
  const later = await createTicket({ ...tenant, perform }, { text: 'a kettle' })
  const { items } = await searchInbox(after.database.db, tenant.tenantId, 'kettle', { cursor: undefined, limit: 5 })
  expect(items.map(({ id }) => id)).toEqual([later.id])
  await after.close()
  await empty.sql.end()
  rmSync(dataDir, { recursive: true, force: true })
})

test('a folder that holds nothing, or is served, is not copied', async () => {
  const { url, sql } = await emptyDatabase()
  await sql.end()
  expect(await refusalOf(copyToPostgres('/nowhere', url))).toContain('/nowhere is no data folder yet')
})

test('the command says which key opens the copy, with which the service starts', async () => {
  const cwd = emptyFolder()
  const onSqlite = { FRONTDESK_DATABASE_URL: '', FRONTDESK_SECRET_KEY: '' }
  await record(program, ['tenant', 'create', '--name', 'Acme'], { cwd, environment: onSqlite })
  await (await serve(program, { cwd, environment: onSqlite })).stop()
  const { url, sql } = await emptyDatabase()
  const { code, stdout } = await run(program, ['copy', '--to', url], { cwd })
  expect([code, stdout]).toEqual([0, expect.stringMatching(/sealed with the key in \S*data\/secret\.key/)])
  const key = readFileSync(join(cwd, 'data/secret.key'), 'utf8').trim()
  expect(stdout).not.toContain(key)
  const service = await serve(program, { cwd, environment: { FRONTDESK_DATABASE_URL: url, FRONTDESK_SECRET_KEY: key } })
  await service.stop()
  await sql.end()
})
