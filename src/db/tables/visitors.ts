import { sql } from 'drizzle-orm'
import { foreignKey, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { livechatSources } from './articles.ts'
import { createdAt } from './columns.ts'
import { contacts } from './contacts.ts'
import { tenantId } from './tenants.ts'

/** People who chat on a source's site, each known by a token that their browser keeps. */
export const visitors = sqliteTable(
  'visitors',
  {
    tenantId: tenantId(),
    id: text('id').notNull(),
    sourceId: text('source_id').notNull(),
    /** Null until they write for the first time, and once the contact is deleted. */
    contactId: text('contact_id'),
    name: text('name'),
    /** As they typed it, so that nobody knows whether it is theirs (decisions §7), unless it is verified. */
    email: text('email'),
    /** Whether a signed identity says that the address is theirs. */
    isVerified: integer('is_verified', { mode: 'boolean' }).notNull().default(false),
    tokenHash: text('token_hash').notNull(),
    /** When they wrote for the first time. */
    wroteAt: text('wrote_at'),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.id] }),
    foreignKey({ columns: [t.tenantId, t.sourceId], foreignColumns: [livechatSources.tenantId, livechatSources.id] }),
    foreignKey({ columns: [t.tenantId, t.contactId], foreignColumns: [contacts.tenantId, contacts.id] }),
    uniqueIndex('visitors_token').on(t.tokenHash),
    index('visitors_contact').on(t.tenantId, t.contactId),
    index('visitors_silent').on(t.createdAt).where(sql`wrote_at IS NULL`),
  ],
)
