import { sql } from 'drizzle-orm'
import type { Caller } from '../caller.ts'
import { preparedWrite, send, type Tx } from '../db/index.ts'
import { auditEntries } from '../db/schema.ts'
import type { AuditAction } from '../kinds/audit.ts'
import { formatTime } from '../lib/time.ts'

const insert = preparedWrite((tx) =>
  tx
    .insert(auditEntries)
    .values({
      tenantId: sql.placeholder('tenantId'),
      at: sql.placeholder('at'),
      via: sql.placeholder('via'),
      authorType: sql.placeholder('authorType'),
      authorId: sql.placeholder('authorId'),
      authorName: sql.placeholder('authorName'),
      address: sql.placeholder('address'),
      action: sql.placeholder('action'),
      recordId: sql.placeholder('recordId'),
      fields: sql.placeholder('fields'),
    })
    .prepare(),
)

/**
 * Notes in the audit log who did what to which record, in the transaction of the change (decisions §14). What
 * respondents, visitors and senders of mail do is not in it. `fields` names what changed.
 */
export async function audit(
  tx: Tx,
  caller: Caller,
  action: AuditAction,
  recordId: string | number,
  fields: readonly string[] = [],
): Promise<void> {
  const { tenantId, author, via, address, at } = caller
  if (via === 'public') return
  await send(tx, insert, {
    tenantId,
    at: formatTime(at),
    via,
    authorType: author.type,
    authorId: author.id,
    authorName: author.name,
    address,
    action,
    recordId: String(recordId),
    fields: fields.join() || null,
  })
}
