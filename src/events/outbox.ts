import { sql } from 'drizzle-orm'
import type { Caller } from '../caller.ts'
import { preparedWrite, send, type Tx } from '../db/index.ts'
import { events } from '../db/schema.ts'
import type { EventName } from '../kinds/events.ts'
import { newId } from '../lib/ids.ts'
import { formatTime } from '../lib/time.ts'
import type { Payloads } from './catalog.ts'

const insert = preparedWrite((tx) =>
  tx
    .insert(events)
    .values({
      tenantId: sql.placeholder('tenantId'),
      eventId: sql.placeholder('eventId'),
      event: sql.placeholder('event'),
      timestamp: sql.placeholder('timestamp'),
      payload: sql.placeholder('payload'),
      transactionNumber: tx.engine.transactionNumber,
      responseId: sql.placeholder('responseId'),
    })
    .prepare(),
)

/** Writes an event into the outbox, in the transaction of the change it tells of: both happen or neither does. */
export async function emit<E extends EventName>(tx: Tx, caller: Caller, event: E, payload: Payloads[E]): Promise<void> {
  await send(tx, insert, {
    tenantId: caller.tenantId,
    eventId: newId(caller.at),
    event,
    timestamp: formatTime(caller.at),
    payload: JSON.stringify(payload),
    responseId: 'response' in payload ? payload.response.id : null,
  })
}
