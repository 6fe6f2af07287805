import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { tenantId } from './tenants.ts'

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
