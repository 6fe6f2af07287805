import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { retentionRules } from '../../kinds/retention.ts'
import { tenantId } from './tenants.ts'

/** For how long a tenant keeps what (decisions §22). What has no row is kept as for everybody. */
export const retentionDays = sqliteTable(
  'retention_days',
  {
    tenantId: tenantId(),
    rule: text('rule', { enum: retentionRules }).notNull(),
    /** Null: for good. */
    days: integer('days'),
  },
  (t) => [primaryKey({ columns: [t.tenantId, t.rule] })],
)
