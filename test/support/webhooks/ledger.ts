import { asc } from 'drizzle-orm'
import { events } from '../../../src/db/schema.ts'
import { openDataOf } from '../data/postgres.ts'
import type { Receiver } from './receiver.ts'

interface Sent {
  batchId: string
  eventIds: string[]
  bytes: string
}

/** What a subscription got, in order, however often. */
function sentTo(receiver: Receiver, subscriberId: string): Sent[] {
  return receiver.requests
    .map(({ body }) => new TextDecoder().decode(body))
    .map((bytes) => ({ bytes, ...JSON.parse(bytes) }))
    .filter((envelope) => envelope.subscriberId === subscriberId)
    .map(({ bytes, batchId, events }) => ({
      bytes,
      batchId,
      eventIds: events.map(({ eventId }: { eventId: string }) => eventId),
    }))
}

/** The outbox of a data folder that nobody serves: ids of all events, oldest first, and which contact each tells of. */
export async function outboxOf(dataDir: string): Promise<{ eventId: string; contactId: string }[]> {
  const database = await openDataOf(dataDir)
  const rows = await database.db.select().from(events).orderBy(asc(events.number))
  await database.close()
  return rows.map(({ eventId, payload }) => ({ eventId, contactId: JSON.parse(payload).id }))
}

/**
 * What is wrong with what a subscription got, given everything that happened since it subscribed: nothing, if each
 * event came, in one batch only, batches came in order, and a batch that came again had the same bytes.
 */
export function faultsOf(receiver: Receiver, subscriberId: string, outbox: readonly string[]): string[] {
  const faults: string[] = []
  const bytesOf = new Map<string, string>()
  const inOrder: string[] = []
  for (const { batchId, eventIds, bytes } of sentTo(receiver, subscriberId)) {
    const before = bytesOf.get(batchId)
    if (before === undefined) inOrder.push(...eventIds)
    else if (before !== bytes) faults.push(`batch ${batchId} came again with other bytes`)
    bytesOf.set(batchId, bytes)
  }
  const seen = new Set(inOrder)
  if (seen.size !== inOrder.length) faults.push(`${inOrder.length - seen.size} events came in more than one batch`)
  const lost = outbox.filter((eventId) => !seen.has(eventId))
  if (lost.length > 0) faults.push(`${lost.length} of ${outbox.length} events never came`)
  const expected = outbox.filter((eventId) => seen.has(eventId))
  const wrong = inOrder.findIndex((eventId, i) => eventId !== expected[i])
  if (wrong >= 0) faults.push(`event ${wrong} of ${inOrder.length} is out of order`)
  return faults
}
