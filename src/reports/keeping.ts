import type { Database } from '../db/index.ts'
import { hasChanged, takeChanged, tenantWithChanges } from '../tickets/changed.ts'
import { writeFigures } from './ticket-figures.ts'

/** Tickets whose figures are made in one transaction: other writers wait for that long. */
const STEP = 100

/** Tickets of one tenant that have changed. */
export interface ChangedTickets {
  readonly tenantId: string
  readonly ticketIds: readonly string[]
}

/** Brings the figures of some tickets that have changed up to date. Returns which; null when there were none. For the scheduler. */
export function keepSomeFigures(database: Database): Promise<ChangedTickets | null> {
  return database.transaction(async (tx) => {
    const tenantId = await tenantWithChanges(tx)
    if (tenantId === null) return null
    const ticketIds = await takeChanged(tx, tenantId, STEP)
    await writeFigures(tx, tenantId, ticketIds)
    return { tenantId, ticketIds }
  })
}

/** Brings the figures of all tickets of a tenant up to date: what a report is read after. */
export async function keepFigures(database: Database, tenantId: string): Promise<void> {
  while (await hasChanged(database.db, tenantId)) {
    await database.transaction(async (tx) => writeFigures(tx, tenantId, await takeChanged(tx, tenantId, STEP)))
  }
}
