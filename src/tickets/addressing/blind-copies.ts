import { and, desc, eq, isNotNull, sql } from 'drizzle-orm'
import { ofTenant, prepared, type Reader } from '../../db/index.ts'
import { messages } from '../../db/schema.ts'
import { normaliseEmail } from '../../lib/input/email.ts'
import { inConversation } from '../thread/public-thread.ts'

/** Messages of a ticket, the newest, that are looked at: those with blind copies, and those without. */
const ASKED = 100

const withBlindCopies = prepared((db) =>
  db
    .select({ id: messages.id, bcc: messages.bcc })
    .from(messages)
    .where(and(ofTenant(messages), eq(messages.ticketId, sql.placeholder('ticketId')), isNotNull(messages.bcc)))
    .orderBy(desc(messages.id))
    .limit(ASKED)
    .prepare(),
)

const newestSent = prepared((db) =>
  db
    .select({ id: messages.id, to: messages.to, cc: messages.cc })
    .from(messages)
    .where(and(inConversation(), eq(messages.direction, 'outbound')))
    .orderBy(desc(messages.id))
    .limit(ASKED)
    .prepare(),
)

/**
 * Who reads along in a ticket without its customer being told, as `normaliseEmail` writes them: they got a blind copy, and
 * no later message of ours names them for all to see. What they write must not lead to them being named.
 */
export async function blindReaders(db: Reader, tenantId: string, ticketId: string): Promise<ReadonlySet<string>> {
  const copied = await withBlindCopies(db).execute({ tenantId, ticketId })
  if (copied.length === 0) return new Set()
  const since = new Map<string, string>()
  for (const { id, bcc } of copied) {
    for (const address of bcc ?? []) {
      const reader = normaliseEmail(address)
      if (!since.has(reader)) since.set(reader, id)
    }
  }
  for (const { id, to, cc } of await newestSent(db).execute({ tenantId, ticketId })) {
    for (const address of [...to, ...cc]) {
      const named = normaliseEmail(address)
      const copiedIn = since.get(named)
      if (copiedIn !== undefined && id > copiedIn) since.delete(named)
    }
  }
  return new Set(since.keys())
}
