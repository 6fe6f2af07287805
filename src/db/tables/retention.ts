import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { retentionRules } from '../../kinds/retention.ts'
import { tenantId } from './tenants.ts'

/**
 * Rules that are to be carried out at once, since somebody has set them, and those that are being carried out: how many records
 * are gone so far, which the audit log says in the end. What was interrupted goes on at the next start.
 */
export const retentionRuns = sqliteTable(
  'retention_runs',
  {
    tenantId: tenantId(),
    rule: text('rule', { enum: retentionRules }).notNull(),
    gone: integer('gone').notNull().default(0),
  },
  (t) => [primaryKey({ columns: [t.tenantId, t.rule] })],
)
