import { join } from 'node:path'
import { fillAsBefore } from './earlier-postgres.ts'
import { copyDatabaseOf, engineOf, remakeDatabaseOf, runSql } from './postgres.ts'
import { emptyFolder, type Program, record } from './program.ts'

/** The version before this migration. */
const BEFORE = 'leaving'

/** On PostgreSQL: an installation as an earlier version left it, with a company, which copies are made of. */
export async function earlierSite(program: Program) {
  const made = emptyFolder()
  await record(program, ['tenant', 'create', '--name', 'Acme'], { cwd: made })
  const original = join(made, 'data')
  await remakeDatabaseOf(original, (from, to) => fillAsBefore(BEFORE, from, to))
  return {
    /** A database of that version, and what a node on it has to be told. */
    async copy() {
      const dataDir = join(emptyFolder(), 'data')
      await copyDatabaseOf(original, dataDir)
      const environment = await engineOf(dataDir)
      return { environment, url: String(environment.FRONTDESK_DATABASE_URL) }
    },
  }
}

/** How many migrations a database has behind it. */
export async function appliedIn(url: string): Promise<number> {
  const [row] = await runSql(url, 'SELECT count(*)::integer AS count FROM migrations')
  return row?.count
}
