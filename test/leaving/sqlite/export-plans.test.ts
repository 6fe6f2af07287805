import { Database as Sqlite } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { DATABASE_FILE } from '../../../src/db/index.ts'
import { startApp } from '../../support/app.ts'
import { exported, scratch } from '../../support/data/moving.ts'
import { noteStatements, planOf } from '../../support/data/plans.ts'

/** One more than an export reads at a time. */
const CONTACTS = 101

test('an export goes on where it was: no page of it goes over the records before', async () => {
  const app = await startApp()
  const tenant = await app.createTenant()
  for (let i = 0; i < CONTACTS; i++) await tenant.post('/v1/contacts', { email: `c${i}@acme.test` })
  const noted = noteStatements()
  await exported(app, tenant.tenantId, scratch())
  noted.stop()
  const pages = [...noted.statements].filter((statement) => / > \(/.test(statement))
  const sqlite = new Sqlite(join(app.dataDir, DATABASE_FILE), { readonly: true })
  const plans = pages.map((statement) => planOf(sqlite, statement)?.steps)
  sqlite.close()
  await app.close()
  expect(plans).toContainEqual([expect.stringMatching(/^SEARCH contacts USING .*\(tenant_id=\? AND id>\?\)$/)])
  expect(plans.flat().filter((step) => !/>\?\)/.test(step ?? ''))).toEqual([])
})
