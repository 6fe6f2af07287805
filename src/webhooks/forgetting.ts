import type { Tx } from '../db/index.ts'
import { deleteEvents, eventsHolding } from '../events/erasure.ts'
import { forgetQueued } from './batches/fan-out.ts'

/* Events that are not to be known any more, before their time. What subscriptions were given of them stays with these. */

/** Takes these events out of the log; those that no subscription was given yet are given to nobody any more. */
export async function forgetEvents(tx: Tx, tenantId: string, numbers: readonly number[]): Promise<void> {
  if (numbers.length === 0) return
  await forgetQueued(tx, numbers)
  await deleteEvents(tx, tenantId, numbers)
}

/** The same of all that hold one of these responses. For their deletion. */
export async function forgetEventsHolding(tx: Tx, tenantId: string, responseIds: readonly string[]): Promise<void> {
  await forgetEvents(tx, tenantId, await eventsHolding(tx, tenantId, responseIds))
}
