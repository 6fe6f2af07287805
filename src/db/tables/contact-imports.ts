import { sql } from 'drizzle-orm'
import { foreignKey, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { encodings, type ImportPlan, importStates } from '../../kinds/contact-imports.ts'
import { createdAt, tenantId } from './columns.ts'

/** Files of contacts, and how far each has been taken in. The file lies in the store while it is a draft or runs. */
export const contactImports = sqliteTable(
  'contact_imports',
  {
    tenantId: tenantId(),
    id: text('id').notNull(),
    fileName: text('file_name').notNull(),
    /** Bytes. */
    size: integer('size').notNull(),
    /** Of the file, as `sha256sum` writes it. */
    sha256: text('sha256').notNull(),
    encoding: text('encoding', { enum: encodings }).notNull(),
    delimiter: text('delimiter').notNull(),
    /** Lines of the file, as an editor counts them. */
    lines: integer('lines').notNull(),
    state: text('state', { enum: importStates }).notNull(),
    /** What is to become of it; null for a draft. */
    plan: text('plan', { mode: 'json' }).$type<ImportPlan>(),
    /** Lines that are done with, from the first: what a restart goes on behind. */
    doneLines: integer('done_lines').notNull().default(0),
    created: integer('created').notNull().default(0),
    updated: integer('updated').notNull().default(0),
    /** Contacts that stay as they were. */
    unchanged: integer('unchanged').notNull().default(0),
    refused: integer('refused').notNull().default(0),
    /** Goes up each time a process takes the import on: one that finds another number than its own has lost it. */
    attempts: integer('attempts').notNull().default(0),
    failures: integer('failures').notNull().default(0),
    /** When another process goes on with it, should the one that works on it die; null while there is nothing to do. */
    dueAt: text('due_at'),
    /** When nobody needs it any more; null while it runs. */
    expiresAt: text('expires_at'),
    /** The user on whose behalf it happens, and where they were when they began it. */
    userId: text('user_id').notNull(),
    userName: text('user_name').notNull(),
    address: text('address'),
    endedAt: text('ended_at'),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.id] }),
    index('contact_imports_due').on(t.dueAt).where(sql`due_at IS NOT NULL`),
    index('contact_imports_expiring').on(t.expiresAt).where(sql`expires_at IS NOT NULL`),
  ],
)

/** Lines that were not taken, and why. */
export const refusedLines = sqliteTable(
  'refused_lines',
  {
    tenantId: tenantId(),
    importId: text('import_id').notNull(),
    /** Counted from 1; of a record of several lines, its first. */
    line: integer('line').notNull(),
    /** What it is about: a field of a contact, `columns[2]`, or null for the line as a whole. */
    field: text('field'),
    /** The rule that it breaks, as JSON. Lines of older versions have its English. */
    rule: text('rule').notNull(),
    /** The line itself. */
    content: text('content').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.importId, t.line] }),
    foreignKey({
      columns: [t.tenantId, t.importId],
      foreignColumns: [contactImports.tenantId, contactImports.id],
    }).onDelete('cascade'),
  ],
)
