import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { eq, isNull } from 'drizzle-orm'
import type { Database, Reader, Tx } from '../db/index.ts'
import { noteOnce } from '../db/installation-values.ts'
import { auditHeads, installation } from '../db/schema.ts'
import { AUDIT_FILE } from '../folder/names.ts'
import { replaceFile } from '../lib/disk/durable.ts'
import { formatTime } from '../lib/time.ts'
import { type ChainKey, sealOf } from './key.ts'

/*
 * Earlier versions linked entries without a key. Their chains are sealed once, as long as they were then, and never again:
 * the database notes that it was done and so does the data folder, which who can only write the database cannot reach.
 */

/** Whether the database says that its chains are sealed. */
export async function isKeyed(db: Reader): Promise<boolean> {
  const [row] = await db.select().from(installation).where(eq(installation.name, 'audit_keyed'))
  return row !== undefined
}

/** Whether the data folder says so. */
export function isKeyedIn(dataDir: string): boolean {
  return existsSync(join(dataDir, AUDIT_FILE))
}

/**
 * Seals the chains that an earlier version left, unless this installation's have been: then one without a seal is somebody
 * else's work, which `frontdesk check` shows. For a start. Returns how many were sealed now.
 */
export async function sealOlderChains(
  dataDir: string,
  database: Database,
  key: ChainKey,
  now: number,
): Promise<number> {
  const sealed = isKeyedIn(dataDir) ? 0 : await database.transaction((tx) => sealAll(tx, key, now))
  if (!isKeyedIn(dataDir)) replaceFile(join(dataDir, AUDIT_FILE), `${formatTime(now)}\n`)
  return sealed
}

async function sealAll(tx: Tx, key: ChainKey, now: number): Promise<number> {
  if (!(await noteOnce(tx, 'audit_keyed', formatTime(now)))) return 0
  const older = await tx.select().from(auditHeads).where(isNull(auditHeads.seal))
  for (const { tenantId, ...head } of older) {
    const { count } = head
    const seal = sealOf(key, tenantId, { ...head, plain: count })
    await tx.update(auditHeads).set({ plain: count, seal }).where(eq(auditHeads.tenantId, tenantId))
  }
  return older.length
}
