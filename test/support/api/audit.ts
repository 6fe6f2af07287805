import { and, asc, eq } from 'drizzle-orm'
import { auditEntries } from '../../../src/db/schema.ts'
import type { TestApp, TestTenant } from '../app.ts'

/** What the audit log says of a record, or of all, oldest first. */
export function auditOf({ database }: TestApp, { tenantId }: TestTenant, recordId?: string | number) {
  const isOf = recordId === undefined ? undefined : eq(auditEntries.recordId, String(recordId))
  return database.db
    .select({ action: auditEntries.action, fields: auditEntries.fields })
    .from(auditEntries)
    .where(and(eq(auditEntries.tenantId, tenantId), isOf))
    .orderBy(asc(auditEntries.number))
}
