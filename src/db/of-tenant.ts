import { eq, type SQL, sql } from 'drizzle-orm'
import type { AnySQLiteColumn } from 'drizzle-orm/sqlite-core'

/**
 * The condition that every query of a tenant's data begins with: rows of `table` that are the tenant's. Without
 * `tenantId`, of a prepared query: the tenant is its placeholder of that name.
 */
export function ofTenant(
  table: { readonly tenantId: AnySQLiteColumn },
  tenantId: string | SQL | AnySQLiteColumn = sql.placeholder('tenantId') as unknown as SQL,
): SQL {
  return eq(table.tenantId, tenantId)
}
