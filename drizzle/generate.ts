import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { generateDrizzleJson, generateMigration } from 'drizzle-kit/api'
import { derivedTables } from '../src/db/postgres/tables.ts'

/*
 * `bun run migration [--name NAME]`: writes the migrations from the tables of the last ones to those of now, SQLite's
 * with drizzle-kit's own command. That wants the tables of PostgreSQL in a file; ours are derived from SQLite's.
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
  const command = ['drizzle-kit', 'generate', '--config', 'drizzle/sqlite.config.ts', ...process.argv.slice(2)]
  const sqlite = Bun.spawnSync([process.execPath, 'x', ...command], { stdio: ['inherit', 'inherit', 'inherit'] })
  if (sqlite.exitCode !== 0) process.exit(sqlite.exitCode)
  const { journal, now, statements } = await missingMigration()
  if (statements.length > 0) write(journal, now, statements)
}

function write(journal: Journal, now: object, statements: readonly string[]): void {
  const { name = 'migration' } = parseArgs({ options: { name: { type: 'string' } } }).values
  const idx = journal.entries.length
  const tag = `${numberOf(idx)}_${name}`
  mkdirSync(META, { recursive: true })
  writeFileSync(join(FOLDER, `${tag}.sql`), `${statements.join('\n--> statement-breakpoint\n')}\n`)
  writeFileSync(join(META, `${numberOf(idx)}_snapshot.json`), `${JSON.stringify(now, null, 2)}\n`)
  journal.entries.push({ idx, version: '7', when: Date.now(), tag, breakpoints: true })
  writeFileSync(JOURNAL, `${JSON.stringify(journal, null, 2)}\n`)
  process.stdout.write(`drizzle/postgres/${tag}.sql\n`)
}
