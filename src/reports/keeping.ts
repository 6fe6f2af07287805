import type { Database } from '../db/index.ts'
import { hasChanged, takeChanged, tenantWithChanges } from '../tickets/changed.ts'
import { writeFigures } from './ticket-figures.ts'

/** Tickets whose figures are made in one transaction: other writers wait for that long. */
const STEP = 100

/** Brings the figures of some tickets that have changed up to date. Says whether there may be more. For the scheduler. */
export function keepSomeFigures(database: Database): Promise<boolean> {
  return database.transaction(async (tx) => {
    const tenantId = await tenantWithChanges(tx)
    if (tenantId === null) return false
    await writeFigures(tx, tenantId, await takeChanged(tx, tenantId, STEP))
    return true
  })
}

/** Brings the figures of all tickets of a tenant up to date: what a report is read after. */
export async function keepFigures(database: Database, tenantId: string): Promise<void> {
  while (await hasChanged(database.db, tenantId)) {
    await database.transaction(async (tx) => writeFigures(tx, tenantId, await takeChanged(tx, tenantId, STEP)))
  }
}
