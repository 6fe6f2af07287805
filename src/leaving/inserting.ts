import { eq } from 'drizzle-orm'
import type { AnySQLiteColumn } from 'drizzle-orm/sqlite-core'
import { awaitVectors } from '../articles/rows.ts'
import { audit } from '../audit/record.ts'
import { commandCaller } from '../caller.ts'
import { noteSize, ofTenant, type Tx } from '../db/index.ts'
import { tickets } from '../db/schema.ts'
import { formatTime } from '../lib/time.ts'
import { addMovedTenant } from '../tenants/operations.ts'
import { noteAllChanged } from '../tickets/changed.ts'
import type { Arrival } from './arrival.ts'
import type { Opened } from './opened.ts'
import type { Progress } from './progress.ts'
import { readAll, type Told } from './record.ts'
import type { Row, TenantTable } from './tables.ts'

/** Rows inserted by one statement, and bytes of their lines. */
const BATCH = { rows: 100, bytes: 4 * 1024 * 1024 }

/** After how many rows of a table the engine is told of its size, and again after ten times as many. */
const SIZED_FROM = 1_000

interface Batch {
  readonly told: Told[]
  /** Where the first of them stands, and the last. */
  first: string
  last: string
  size: number
}

const emptyBatch = (): Batch => ({ told: [], first: '', last: '', size: 0 })

interface Inserting {
  readonly arrival: Arrival
  /** Told which records are being inserted: an error of the engine does not say. */
  readonly at: { place: string }
  readonly now: number
  readonly progress: Progress
}

/** Inserts a tenant with all of its records, and what is made of them elsewhere. */
export async function insertAll(
  tx: Tx,
  opened: Opened,
  tables: readonly TenantTable[],
  { arrival, at, now, progress }: Inserting,
): Promise<void> {
  const { tenantId, tenant } = opened
  await addMovedTenant(tx, tenantId, tenant)
  for (const table of tables) {
    let batch = emptyBatch()
    let stored = 0
    let sizedAt = SIZED_FROM
    const send = async () => {
      if (batch.told.length === 0) return
      at.place = `${batch.first} to ${batch.last}`
      await insertBatch(tx, tenantId, table, batch.told, { arrival, now })
      stored += batch.told.length
      if (stored >= sizedAt) {
        await noteSize(tx, table.table)
        sizedAt *= 10
      }
      batch = emptyBatch()
    }
    for (const { told, place, size } of readAll(table, opened.lines(table.name))) {
      batch.told.push(told)
      batch.first ||= place
      batch.last = place
      batch.size += size
      progress(`stored ${place}`)
      if (batch.told.length === BATCH.rows || batch.size > BATCH.bytes) await send()
    }
    await send()
  }
  // What the first exports are without.
  if (!opened.has('ticket_figures')) await noteAllChanged(tx, ofTenant(tickets, tenantId))
  await audit(tx, commandCaller(tenantId, now), 'tenant.imported', tenantId)
}

async function insertBatch(
  tx: Tx,
  tenantId: string,
  kind: TenantTable,
  told: readonly Told[],
  { arrival, now }: { arrival: Arrival; now: number },
): Promise<void> {
  const rows = told.map((one) => ({ ...arrival.stored(kind.name, one), tenantId }))
  if (kind.name === 'alerts') await insertAlerts(tx, kind, arrival, told, rows)
  else await tx.insert(kind.table).values(rows as never)
  if (kind.name === 'articles') await awaitVectors(tx, tenantId, rows.map(nameOfArticle), formatTime(now))
}

const nameOfArticle = ({ sourceId, id }: Row) => ({ sourceId: String(sourceId), id: String(id) })

/** Alerts have other numbers here, by which they say in whose mail they were told of: that of an earlier one. */
async function insertAlerts(
  tx: Tx,
  { table, columns }: TenantTable,
  arrival: Arrival,
  told: readonly Told[],
  rows: readonly Row[],
): Promise<void> {
  const { id, number } = columns as Record<'id' | 'number', AnySQLiteColumn>
  const inserted = await tx
    .insert(table)
    .values(rows as never)
    .returning({ id, number })
  const numbers = new Map(inserted.map((one) => [String(one.id), Number(one.number)]))
  for (const { row } of told) arrival.renumbered(Number(row.number), numbers.get(String(row.id)) as number)
  for (const { row } of told) {
    const mailNumber = typeof row.mailNumber === 'number' ? arrival.numberOf(row.mailNumber) : undefined
    if (mailNumber === undefined) continue
    await tx
      .update(table)
      .set({ mailNumber } as never)
      .where(eq(id, row.id))
  }
}
