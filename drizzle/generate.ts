import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { generateDrizzleJson, generateMigration } from 'drizzle-kit/api'
import { derivedTables } from '../src/db/postgres/tables.ts'

/*
 * `bun drizzle/postgres.ts NAME`: writes the migration from the tables of the last one to those of now, with drizzle-kit.
 * Its own command wants the tables of PostgreSQL in a file; ours are derived from SQLite's.
 */

const FOLDER = join(import.meta.dir, 'postgres')
const META = join(FOLDER, 'meta')
const JOURNAL = join(META, '_journal.json')

interface Journal {
  version: string
  dialect: string
  entries: { idx: number; version: string; when: number; tag: string; breakpoints: boolean }[]
}

/** Statements that are missing in the migrations, and the snapshot after them. */
export async function missingMigration() {
  const journal: Journal = existsSync(JOURNAL)
    ? JSON.parse(readFileSync(JOURNAL, 'utf8'))
    : { version: '7', dialect: 'postgresql', entries: [] }
  const before = journal.entries.at(-1)
  const last = before
    ? JSON.parse(readFileSync(join(META, `${numberOf(before.idx)}_snapshot.json`), 'utf8'))
    : undefined
  const now = generateDrizzleJson(derivedTables(), last?.id)
  const statements = await generateMigration(last ?? generateDrizzleJson({}), now)
  return { journal, now, statements }
}

const numberOf = (idx: number) => String(idx).padStart(4, '0')

if (import.meta.main) {
  const { journal, now, statements } = await missingMigration()
  if (statements.length === 0) {
    process.stdout.write('PostgreSQL: nothing changed\n')
  } else {
    const idx = journal.entries.length
    const tag = `${numberOf(idx)}_${process.argv[2] ?? 'migration'}`
    mkdirSync(META, { recursive: true })
    writeFileSync(join(FOLDER, `${tag}.sql`), `${statements.join('\n--> statement-breakpoint\n')}\n`)
    writeFileSync(join(META, `${numberOf(idx)}_snapshot.json`), `${JSON.stringify(now, null, 2)}\n`)
    journal.entries.push({ idx, version: '7', when: Date.now(), tag, breakpoints: true })
    writeFileSync(JOURNAL, `${JSON.stringify(journal, null, 2)}\n`)
    process.stdout.write(`PostgreSQL: drizzle/postgres/${tag}.sql\n`)
  }
}
