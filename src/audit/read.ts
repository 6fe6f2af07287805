import { and, eq, gte, isNotNull, lt, sql } from 'drizzle-orm'
import { named, ofTenant, prepared, type Reader } from '../db/index.ts'
import { keysetList, type PageRequest } from '../db/lists/keyset.ts'
import { auditEntries, auditHeads } from '../db/schema.ts'

const entryList = keysetList({
  name: 'audit',
  select: (db) =>
    db
      .select({
        position: auditEntries.position,
        at: auditEntries.at,
        via: auditEntries.via,
        authorType: auditEntries.authorType,
        authorId: auditEntries.authorId,
        authorName: auditEntries.authorName,
        address: auditEntries.address,
        action: auditEntries.action,
        recordId: auditEntries.recordId,
        fields: auditEntries.fields,
      })
      .from(auditEntries),
  tenantId: auditEntries.tenantId,
  key: auditEntries.position,
  keyOf: (row) => String(row.position),
  filters: {
    authorId: (value) => eq(auditEntries.authorId, value),
    via: (value) => eq(auditEntries.via, value),
    recordId: (value) => eq(auditEntries.recordId, value),
    // The actions of one kind of record are a stretch of the alphabet.
    kindFrom: (value) => gte(auditEntries.action, value),
    kindTo: (value) => lt(auditEntries.action, value),
    first: (value) => gte(auditEntries.position, value),
    end: (value) => lt(auditEntries.position, value),
  },
  always: isNotNull(auditEntries.position),
})

/** What of the audit log is wanted. */
export interface AuditFilters {
  /** A person's or a key's id. */
  readonly authorId?: string | undefined
  readonly via?: 'mcp' | 'command' | 'job' | undefined
  readonly recordId?: string | undefined
  /** A kind of record: the first word of an action. */
  readonly kind?: string | undefined
  /** Times as they are stored: from the one on, and before the other. */
  readonly from?: string | undefined
  readonly until?: string | undefined
}

/**
 * A page of the audit log, newest first, of entries that have their place in the chain: a moment after the change. Throws
 * `invalid_request` for a foreign cursor. For admins.
 */
export async function listAudit(db: Reader, tenantId: string, page: PageRequest, filters: AuditFilters) {
  const { kind, from, until, ...equal } = filters
  return entryList(db, tenantId, page, {
    ...equal,
    kindFrom: kind && `${kind}.`,
    kindTo: kind && `${kind}/`,
    first: from === undefined ? undefined : await positionAt(db, tenantId, from),
    end: until === undefined ? undefined : await positionAt(db, tenantId, until),
  })
}

export type AuditRecord = Awaited<ReturnType<typeof listAudit>>['rows'][number]

const lengthOf = prepared((db) =>
  db
    .select(named({ count: auditHeads.count, dropped: auditHeads.dropped }))
    .from(auditHeads)
    .where(ofTenant(auditHeads))
    .prepare(),
)

const timeAt = prepared((db) =>
  db
    .select(named({ at: auditEntries.at }))
    .from(auditEntries)
    .where(and(ofTenant(auditEntries), eq(auditEntries.position, sql.placeholder('position'))))
    .prepare(),
)

/**
 * The place of the first entry at `time` or later. The chain goes by time, as far as clocks do, and has no holes behind those
 * that are no longer kept: halving it needs no index, which every change would have to pay for.
 */
async function positionAt(db: Reader, tenantId: string, time: string): Promise<number> {
  const [head] = await lengthOf(db).execute({ tenantId })
  let [low, high] = [(head?.dropped ?? 0) + 1, (head?.count ?? 0) + 1]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const [entry] = await timeAt(db).execute({ tenantId, position: middle })
    if (entry && entry.at < time) low = middle + 1
    else high = middle
  }
  return low
}
