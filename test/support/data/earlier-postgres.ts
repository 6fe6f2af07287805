import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import postgres from 'postgres'
import { embeddedMigrations } from '../../../src/db/postgres/embedded-migrations.ts'

const JOURNAL = join(import.meta.dir, '../../../drizzle/postgres/meta/_journal.json')

/** Of each table, the columns that are written: what is generated comes by itself. */
const COLUMNS = `SELECT table_name AS name, array_agg(column_name::text) AS columns FROM information_schema.columns
  WHERE table_schema = 'public' AND is_generated = 'NEVER' AND table_name <> 'migrations' GROUP BY table_name`

/**
 * Fills the empty database at `to` with what an earlier version would have left: the tables of the time before the migration
 * `before`, and the rows of the database at `from` that fit into them.
 */
export async function fillAsBefore(before: string, from: string, to: string): Promise<void> {
  const { entries } = JSON.parse(readFileSync(JOURNAL, 'utf8')) as { entries: { tag: string }[] }
  const count = entries.findIndex(({ tag }) => tag.endsWith(before))
  if (count === -1) throw new Error(`there is no migration ${before}`)
  const [later, earlier] = [from, to].map((url) => postgres(url, { max: 1, onnotice: () => {} }))
  if (!later || !earlier) return
  try {
    await earlier.unsafe('CREATE TABLE migrations (position bigint PRIMARY KEY, hash text NOT NULL)')
    for (const [position, { hash, statements }] of embeddedMigrations().slice(0, count).entries()) {
      for (const statement of statements) await earlier.unsafe(statement)
      await earlier.unsafe('INSERT INTO migrations (position, hash) VALUES ($1, $2)', [position, hash])
    }
    // Rows come in any order, and what triggers write comes with them.
    await earlier.unsafe('SET session_replication_role = replica')
    const known = await later.unsafe<{ name: string; columns: string[] }[]>(COLUMNS)
    for (const { name, columns } of await earlier.unsafe<{ name: string; columns: string[] }[]>(COLUMNS)) {
      const both = columns.filter((column) => known.find((table) => table.name === name)?.columns.includes(column))
      if (both.length === 0) continue
      const list = both.map((column) => `"${column}"`).join(', ')
      const [row] = await later.unsafe(`SELECT json_agg(t)::text AS rows FROM (SELECT ${list} FROM "${name}") t`)
      await earlier.unsafe(
        `INSERT INTO "${name}" (${list}) OVERRIDING SYSTEM VALUE SELECT ${list} FROM json_populate_recordset(NULL::"${name}", $1::text::json)`,
        [row?.rows ?? '[]'],
      )
    }
  } finally {
    await Promise.all([later.end(), earlier.end()])
  }
}
