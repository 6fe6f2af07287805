import { expect, test } from 'bun:test'
import { missingMigration } from '../../drizzle/generate.ts'

test('PostgreSQL’s migrations make the tables that are derived from SQLite’s', async () => {
  expect((await missingMigration()).statements).toEqual([])
})
