import { Database as Sqlite } from 'bun:sqlite'
import { readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DATABASE_FILE } from '../../../src/db/index.ts'
import { applyFirst } from '../../../src/db/sqlite/migrations.ts'

const JOURNAL = join(import.meta.dir, '../../../drizzle/sqlite/meta/_journal.json')

/**
 * Makes of a closed data folder the one that an earlier version would have left: with the tables of the time before the
 * migration `before` and the rows that fit into them, and without a key. `change` may then do what that version did.
 */
export function asBefore(before: string, dataDir: string, change: (sqlite: Sqlite) => void): void {
  const { entries } = JSON.parse(readFileSync(JOURNAL, 'utf8')) as { entries: { tag: string }[] }
  const count = entries.findIndex(({ tag }) => tag.endsWith(before))
  if (count === -1) throw new Error(`there is no migration ${before}`)
  const file = join(dataDir, DATABASE_FILE)
  const earlier = `${file}.earlier`
  const sqlite = new Sqlite(earlier)
  sqlite.run('PRAGMA journal_mode = WAL')
  applyFirst(sqlite, count)
  sqlite.run('PRAGMA foreign_keys = OFF')
  sqlite.run('ATTACH ? AS later', [file])
  const tables = sqlite
    .query<{ name: string }, []>(
      "SELECT name FROM main.sqlite_schema WHERE type = 'table' AND name NOT LIKE 'article_search%' AND name NOT LIKE 'message_search%' AND name NOT LIKE 'sqlite_%' AND name NOT IN ('migrations', 'searched_messages')",
    )
    .all()
  const columnsOf = (schema: string, table: string) =>
    sqlite.query<{ name: string }, string[]>('SELECT name FROM pragma_table_info(?, ?)').all(table, schema)
  for (const { name } of tables) {
    const later = new Set(columnsOf('later', name).map((column) => column.name))
    const columns = columnsOf('main', name)
      .map((column) => column.name)
      .filter((column) => later.has(column))
    if (columns.length > 0) sqlite.run(`INSERT INTO main.${name} (${columns}) SELECT ${columns} FROM later.${name}`)
  }
  sqlite.run('DETACH later')
  change(sqlite)
  sqlite.close()
  for (const name of [file, `${file}-wal`, `${file}-shm`, join(dataDir, 'secret.key')]) rmSync(name, { force: true })
  renameSync(earlier, file)
}
