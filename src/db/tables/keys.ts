import { primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { createdAt } from './columns.ts'
import { tenantId } from './tenants.ts'

export const apiKeys = sqliteTable(
  'api_keys',
  {
    tenantId: tenantId(),
    id: text('id').notNull(),
    name: text('name').notNull(),
    /** What stays visible of the key after its creation. */
    prefix: text('prefix').notNull(),
    /** SHA-256 of the whole key: 256 random bits need no slow hash. */
    hash: text('hash').notNull(),
    scopes: text('scopes', { mode: 'json' }).$type<string[]>().notNull(),
    expiresAt: text('expires_at'),
    revokedAt: text('revoked_at'),
    lastUsedAt: text('last_used_at'),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ columns: [t.tenantId, t.id] }), uniqueIndex('api_keys_hash').on(t.hash)],
)
