import { and, asc, eq, gt, inArray, sql } from 'drizzle-orm'
import { isOneOf, ofTenant, type Reader, type Tx } from '../db/index.ts'
import { deliveredBatches, eventQueue, tenants, webhookNumbers } from '../db/schema.ts'
import { AppError } from '../errors.ts'
import { fileKinds } from '../kinds/files.ts'
import type { Parts } from '../parts.ts'
import { type TenantTable, tenantTables } from './tables.ts'

/*
 * A tenant leaves with everything (decisions §22). Rows go some at a time, those that others point to last, then the files, and in
 * the end the tenant itself: one whose deletion was interrupted is there as long as anything of it is, and it is gone on with.
 */

/** Rows deleted in one transaction: other tenants' writers wait meanwhile. */
const STEP = 100
/** Numbers of rows that are looked at in one query. */
const LOOKED = 5_000
/** How often all tables are gone through: a service that runs may still have something to write, and then no more. */
const ROUNDS = 10

type DeletionParts = Pick<Parts, 'database' | 'files'>

/** What is gone. */
export interface Deleted {
  readonly rows: number
  readonly files: number
}

/**
 * Deletes everything of a tenant for good, beside a service that runs, too; nobody can sign in or use a key from the first moment.
 * Interrupted, it goes on when it is called again. For the command line.
 */
export async function deleteTenant({ database, files }: DeletionParts, tenantId: string): Promise<Deleted> {
  await database.transaction((tx) => tx.update(tenants).set({ leaving: true }).where(eq(tenants.id, tenantId)))
  const all = tenantTables()
  // What says that there is such a tenant goes last.
  const tables = [...doorsOf(all), ...all.filter(({ name }) => name !== 'workspaces')]
  let rows = 0
  for (let round = 0; round < ROUNDS; round++) {
    const gone = await deleteRows(database, tables, tenantId)
    rows += gone
    if (gone > 0) continue
    const removed = await removeFiles(files, tenantId)
    await database.transaction(async (tx) => {
      for (const { table } of all.filter((one) => !isNumbered(one)))
        await tx.delete(table).where(ofTenant(table, tenantId))
      await tx.delete(tenants).where(eq(tenants.id, tenantId))
    })
    return { rows, files: removed }
  }
  throw new AppError('unavailable', 'the service still writes for this tenant: call this again in a moment')
}

/** By which people and programs come in: these go first. */
function doorsOf(all: readonly TenantTable[]): TenantTable[] {
  const doors = ['api_keys', 'oauth_tokens', 'oauth_grants', 'sessions', 'password_links', 'passkeys', 'mailboxes']
  return all.filter(({ name }) => doors.includes(name))
}

async function deleteRows(
  { db, transaction }: DeletionParts['database'],
  tables: readonly TenantTable[],
  tenantId: string,
): Promise<number> {
  let rows = await deleteDeliveries(db, transaction, tenantId)
  for (const table of tables) {
    rows += isNumbered(table)
      ? await deleteNumbered(db, transaction, table, tenantId)
      : await deleteKeyed(transaction, table, tenantId)
  }
  return rows
}

const isNumbered = ({ key }: TenantTable) => key.length === 1 && key[0]?.name === 'number'

type Transaction = DeletionParts['database']['transaction']

/** Rows whose key begins with the tenant. */
async function deleteKeyed(transaction: Transaction, { table, key }: TenantTable, tenantId: string): Promise<number> {
  const columns = sql.join([...key], sql`, `)
  let rows = 0
  for (;;) {
    const gone = await transaction((tx) => {
      const some = sql`(SELECT ${columns} FROM ${table} WHERE ${ofTenant(table, tenantId)} LIMIT ${STEP})`
      return tx
        .delete(table)
        .where(and(ofTenant(table, tenantId), sql`(${columns}) IN ${some}`))
        .returning({ tenantId: table.tenantId })
    })
    rows += gone.length
    if (gone.length < STEP) return rows
  }
}

/** Rows that are numbered over all tenants: some have no index by tenant, so they are gone through once in their order. */
async function deleteNumbered(
  db: Reader,
  transaction: Transaction,
  { table, key, name }: TenantTable,
  tenantId: string,
): Promise<number> {
  const [number] = key as [TenantTable['key'][number]]
  let rows = 0
  for (let after = 0; ; ) {
    const looked = await db
      .select({ number, tenantId: table.tenantId })
      .from(table)
      .where(gt(number, after))
      .orderBy(asc(number))
      .limit(LOOKED)
    const own = looked.flatMap((row) => (row.tenantId === tenantId ? [Number(row.number)] : []))
    for (let at = 0; at < own.length; at += STEP) {
      const some = JSON.stringify(own.slice(at, at + STEP))
      await transaction(async (tx: Tx) => {
        // Those that wait to be given to webhooks.
        if (name === 'events') await tx.delete(eventQueue).where(isOneOf(tx, eventQueue.number, some))
        await tx.delete(table).where(isOneOf(tx, number, some))
      })
    }
    rows += own.length
    if (looked.length < LOOKED) return rows
    after = Number(looked.at(-1)?.number)
  }
}

/** Deliveries name their subscription by a number alone. */
async function deleteDeliveries(db: Reader, transaction: Transaction, tenantId: string): Promise<number> {
  const numbers = await db
    .select({ number: webhookNumbers.number })
    .from(webhookNumbers)
    .where(ofTenant(webhookNumbers, tenantId))
  let rows = 0
  for (const { number } of numbers) {
    for (;;) {
      const gone = await transaction((tx) => {
        const some = tx
          .select({ number: deliveredBatches.number })
          .from(deliveredBatches)
          .where(eq(deliveredBatches.webhookNumber, number))
          .limit(STEP)
        return tx
          .delete(deliveredBatches)
          .where(inArray(deliveredBatches.number, some))
          .returning({ number: deliveredBatches.number })
      })
      rows += gone.length
      if (gone.length < STEP) break
    }
  }
  return rows
}

/** Of every kind, those in the trash, too. */
async function removeFiles(files: DeletionParts['files'], tenantId: string): Promise<number> {
  let removed = 0
  for (const kind of fileKinds) {
    for (const part of ['kept', 'trash'] as const) {
      for await (const some of files.list(kind, part)) {
        if (some.tenantId !== tenantId) continue
        for (const file of some.files) await file.remove()
        removed += some.files.length
      }
    }
  }
  return removed
}
