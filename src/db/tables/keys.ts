import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { createdAt, tenantId } from './columns.ts'

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

/** Answers given to requests that carried an Idempotency-Key, kept 24 hours (decisions §1). */
export const idempotencyKeys = sqliteTable(
  'idempotency_keys',
  {
    tenantId: tenantId(),
    key: text('key').notNull(),
    /** Hash of method, path and body: tells a retry from another request. */
    fingerprint: text('fingerprint').notNull(),
    status: integer('status').notNull(),
    location: text('location'),
    body: text('body').notNull(),
    expiresAt: text('expires_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.tenantId, t.key] }), index('idempotency_keys_expires').on(t.expiresAt)],
)
