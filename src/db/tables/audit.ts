import { sql } from 'drizzle-orm'
import { type AnySQLiteColumn, index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { auditActions, vias } from '../../kinds/audit.ts'
import { authorTypes } from '../../kinds/tickets.ts'
import { tenantId } from './tenants.ts'

/**
 * Whether an entry says what a contact agreed to or took back, in the words of the index that holds these alone. SQLite
 * asks it of every new entry, and makes a table of a list each time: IN would cost as much as a third of the entry.
 */
export const isConsent = (action: AnySQLiteColumn) =>
  sql`(${action} = 'contact.subscribed' OR ${action} = 'contact.unsubscribed' OR ${action} = 'contact.group_joined' OR ${action} = 'contact.group_left')`

/**
 * The audit log (decisions §14). Rows are only ever added; `position` and `hash`, their link in the tenant's chain, are
 * filled in right after the commit: see `audit/chain.ts`.
 */
export const auditEntries = sqliteTable(
  'audit_entries',
  {
    number: integer('number').primaryKey({ autoIncrement: true }),
    tenantId: tenantId(),
    at: text('at').notNull(),
    via: text('via', { enum: vias }).notNull(),
    authorType: text('author_type', { enum: authorTypes }).notNull(),
    authorId: text('author_id'),
    authorName: text('author_name'),
    /** The client's. */
    address: text('address'),
    action: text('action', { enum: auditActions }).notNull(),
    recordId: text('record_id').notNull(),
    /**
     * Names of the fields that changed, with commas between: never their values, which may be people's. Of a contact that
     * joined or left a group, its id.
     */
    fields: text('fields'),
    /** Place in the tenant's chain, from 1; null until it is linked. */
    position: integer('position'),
    hash: text('hash'),
  },
  (t) => [
    uniqueIndex('audit_entries_position').on(t.tenantId, t.position).where(sql`${t.position} IS NOT NULL`),
    // What a contact agreed to and took back is shown with the contact; other entries cost nothing here.
    index('audit_entries_consent').on(t.tenantId, t.recordId, t.number).where(isConsent(t.action)),
    index('audit_entries_unlinked').on(t.number).where(sql`${t.position} IS NULL`),
    // What somebody did, and what happened to a record. Made as entries are linked, not while somebody waits.
    index('audit_entries_author').on(t.tenantId, t.authorId, t.position).where(sql`${t.position} IS NOT NULL`),
    index('audit_entries_record').on(t.tenantId, t.recordId, t.position).where(sql`${t.position} IS NOT NULL`),
  ],
)

/** How long each tenant's chain is and which hash it ends with, kept apart so that a chain cut off is noticed. */
export const auditHeads = sqliteTable('audit_heads', {
  tenantId: tenantId().primaryKey(),
  count: integer('count').notNull(),
  hash: text('hash').notNull(),
  /** How many entries, the oldest, an earlier version linked without a key; null until the seal is first made. */
  plain: integer('plain'),
  /** How many entries, the oldest, are no longer kept, and the hash of the last of them: where the chain begins. */
  dropped: integer('dropped').notNull().default(0),
  droppedHash: text('dropped_hash'),
  /** All of this under the installation's key: see `audit/key.ts`. */
  seal: text('seal'),
})
