import { sql } from 'drizzle-orm'
import { index, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { createdAt, updatedAt } from './columns.ts'
import { tenantId } from './tenants.ts'

export const organisations = sqliteTable(
  'organisations',
  {
    tenantId: tenantId(),
    id: text('id').notNull(),
    name: text('name').notNull(),
    /** Lower-cased. */
    domain: text('domain'),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.id] }),
    index('organisations_domain').on(t.tenantId, t.domain, t.id),
    // They are looked for by how their names begin, in small letters: `organisations/search.ts`.
    index('organisations_name').on(t.tenantId, sql`lower(name)`, t.id),
  ],
)
