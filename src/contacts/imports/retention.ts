import { and, asc, eq, isNotNull, lte, sql } from 'drizzle-orm'
import { isOneOf, ofTenant, prepared, type Reader, type Tx } from '../../db/index.ts'
import { contactImports, refusedLines } from '../../db/schema.ts'
import type { Deps } from '../../deps.ts'
import { AppError } from '../../errors.ts'
import { formatTime } from '../../lib/time.ts'

/* Files that wait for nobody any more, and what became of files long ago. For the scheduler: of all tenants. */

/** Refused lines removed in one transaction. */
const STEP = 500

const firstExpiring = prepared((db) =>
  db
    .select({ at: contactImports.expiresAt })
    .from(contactImports)
    .where(isNotNull(contactImports.expiresAt))
    .orderBy(asc(contactImports.expiresAt))
    .limit(1)
    .prepare(),
)

/** When the next of them is to go, in milliseconds since 1970, or null. */
export async function nextImportExpiry(db: Reader): Promise<number | null> {
  const [first] = await firstExpiring(db).execute()
  return first?.at ? Date.parse(first.at) : null
}

/**
 * Removes one that is to go, or 500 of its refused lines where it has more. The record goes before its file: a crash in
 * between leaves a file that no record knows (`installation/orphans.ts`). Says whether more may be left.
 */
export async function expireImports({
  database,
  files,
  clock,
}: Pick<Deps, 'database' | 'files' | 'clock'>): Promise<boolean> {
  const gone = await database.transaction((tx) => removeOne(tx, clock.now()))
  if (gone === null) return false
  if (gone.isWhole) await dropFile(files, gone)
  return true
}

async function removeOne(tx: Tx, now: number) {
  const [old] = await tx
    .select({ tenantId: contactImports.tenantId, id: contactImports.id })
    .from(contactImports)
    .where(and(isNotNull(contactImports.expiresAt), lte(contactImports.expiresAt, formatTime(now))))
    .orderBy(asc(contactImports.expiresAt))
    .limit(1)
  if (!old) return null
  const { tenantId, id } = old
  const ofImport = and(ofTenant(refusedLines, tenantId), eq(refusedLines.importId, id))
  const some = await tx
    .select({ line: refusedLines.line })
    .from(refusedLines)
    .where(ofImport)
    .orderBy(asc(refusedLines.line))
    .limit(STEP)
  const last = some.at(-1)
  if (last) await tx.delete(refusedLines).where(and(ofImport, lte(refusedLines.line, last.line)))
  if (some.length === STEP) return { ...old, isWhole: false }
  await tx.delete(contactImports).where(and(ofTenant(contactImports, tenantId), eq(contactImports.id, id)))
  return { ...old, isWhole: true }
}

/** Removes a file that no record needs any more; one that stays behind is swept (`installation/orphans.ts`). */
export async function dropFile(
  files: Deps['files'],
  { tenantId, id }: { tenantId: string; id: string },
): Promise<void> {
  await files.remove({ kind: 'contact_imports', tenantId, id }).catch((error) => {
    if (!(error instanceof AppError)) throw error
  })
}

const knownFiles = prepared((db) =>
  db
    .select({ id: contactImports.id })
    .from(contactImports)
    .where(
      and(
        ofTenant(contactImports),
        isOneOf(db, contactImports.id, sql.placeholder('ids')),
        sql`${contactImports.state} IN ('draft', 'running')`,
      ),
    )
    .prepare(),
)

/** Which of `ids` are files of the tenant that wait or are being taken in. */
export async function findKnownImports(
  db: Reader,
  tenantId: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await knownFiles(db).execute({ tenantId, ids: JSON.stringify(ids) })
  return new Set(rows.map(({ id }) => id))
}
