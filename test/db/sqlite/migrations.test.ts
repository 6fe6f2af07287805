import { Database as Sqlite } from 'bun:sqlite'
import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generateSQLiteDrizzleJson, generateSQLiteMigration } from 'drizzle-kit/api'
import { DATABASE_FILE, openDatabase } from '../../../src/db/index.ts'
import * as schema from '../../../src/db/schema.ts'

const migrationsFolder = join(import.meta.dir, '../../../drizzle/sqlite')
const dataDir = mkdtempSync(join(tmpdir(), 'frontdesk-test-'))
afterAll(() => rmSync(dataDir, { recursive: true, force: true }))

test('drizzle-kit has nothing to add to its last snapshot', async () => {
  const newest = readdirSync(join(migrationsFolder, 'meta'))
    .filter((name) => name.endsWith('_snapshot.json'))
    .sort()
    .at(-1) as string
  const last = JSON.parse(readFileSync(join(migrationsFolder, 'meta', newest), 'utf8'))
  expect(await generateSQLiteMigration(last, await generateSQLiteDrizzleJson(schema, last.id))).toEqual([])
})

test('the migrations make the tables, indexes and references that the code declares', async () => {
  await (await openDatabase({ dataDir })).close()
  const migrated = describeTables(new Sqlite(join(dataDir, DATABASE_FILE)))
  const declared = describeTables(await fromDeclarations())
  for (const [name, table] of declared) expect([name, migrated.get(name)]).toEqual([name, table])
  expect([...migrated.keys()].filter((name) => !declared.has(name))).toEqual(['migrations'])
})

async function fromDeclarations(): Promise<Sqlite> {
  const sqlite = new Sqlite(':memory:')
  const nothing = await generateSQLiteDrizzleJson({})
  const statements = await generateSQLiteMigration(nothing, await generateSQLiteDrizzleJson(schema))
  for (const statement of statements) sqlite.run(statement)
  return sqlite
}

/** What matters of each table, whatever order it was made in; the text index and its shadow tables are left out. */
function describeTables(sqlite: Sqlite): Map<string, object> {
  const names = sqlite
    .query<{ name: string }, []>(
      `SELECT name FROM sqlite_master
       WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'article_search%' AND name NOT LIKE 'message_search%' ORDER BY name`,
    )
    .all()
  const rows = (query: string) => sqlite.query<Record<string, unknown>, []>(query).all()
  const sorted = (list: string[]) => list.sort()
  return new Map(
    names.map(({ name }) => [
      name,
      {
        columns: sorted(
          rows(`PRAGMA table_info('${name}')`).map(({ cid: _, ...column }) => JSON.stringify(column).toLowerCase()),
        ),
        indexes: sorted(
          rows(`PRAGMA index_list('${name}')`).map((index) =>
            [
              index.unique,
              index.partial,
              // Not what lies in it beside its key: one that is the table itself holds all columns.
              ...rows(`PRAGMA index_xinfo('${index.name}')`)
                .filter((c) => c.key === 1)
                .map((c) => `${c.name} ${c.desc}`),
            ].join(),
          ),
        ),
        references: sorted(
          rows(`PRAGMA foreign_key_list('${name}')`).map(({ id: _, ...key }) => JSON.stringify(key).toLowerCase()),
        ),
      },
    ]),
  )
}
