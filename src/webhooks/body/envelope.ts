import type { StoredEvent } from '../../events/log.ts'
import { eventTypes } from '../../kinds/events.ts'

/** One event of a delivery, or of the log, as JSON (api.md §6). */
export function eventJson({ eventId, event, timestamp, payload }: StoredEvent): string {
  const head = JSON.stringify({ eventId, event, eventType: eventTypes[event], timestamp })
  return `${head.slice(0, -1)},"payload":${payload}}`
}

/** How the body of a delivery begins (api.md §6 Batching and envelope): what is the batch's own. */
export function bodyHead(head: { batchId: string; subscriberId: string; timestamp: string }): string {
  const { batchId, subscriberId, timestamp } = head
  return `${JSON.stringify({ batchId, subscriberId, timestamp }).slice(0, -1)},"events":[`
}

/** How it goes on, to the end: the events, as `eventJson` writes them. Other batches may have the same. */
export function bodyList(events: readonly string[]): string {
  return `${events.join()}]}`
}
