import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { and, eq, inArray, sql } from 'drizzle-orm'
import { listOf, prepared } from '../db/index.ts'
import { uploads } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import { isReceiving, namesIn, uploadFiles } from './files.ts'
import { UNUSED_KEPT } from './limits.ts'

/** How often they are looked for, in milliseconds: it reads every folder. */
export const ORPHANS_EVERY = 60 * 60 * 1000

const known = prepared((db) =>
  db
    .select({ id: uploads.id })
    .from(uploads)
    .where(and(eq(uploads.tenantId, sql.placeholder('tenantId')), inArray(uploads.id, listOf(sql.placeholder('ids')))))
    .prepare(),
)

/**
 * Removes files that no record knows: what a crash, or a disk that failed, left of an upload. One that is being
 * received, or was written a short while ago, stays.
 */
export async function removeOrphans({
  database,
  config,
  clock,
}: Pick<Deps, 'database' | 'config' | 'clock'>): Promise<void> {
  const before = clock.now() - UNUSED_KEPT
  for await (const { tenantId, path } of uploadFiles(config.dataDir).folders()) {
    const names = await namesIn(path)
    if (names.length === 0) continue
    const rows = await known(database.db).execute({ tenantId, ids: JSON.stringify(names) })
    const ids = new Set(rows.map(({ id }) => id))
    for (const name of names) {
      const file = join(path, name)
      if (ids.has(name) || isReceiving(file)) continue
      const found = await stat(file).catch(() => null)
      if (found?.isFile() && found.mtimeMs < before) await rm(file, { force: true })
    }
  }
}
