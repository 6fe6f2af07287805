import { sql } from 'drizzle-orm'
import { foreignKey, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { createdAt } from './columns.ts'
import { forms } from './forms.ts'
import { tenantId } from './tenants.ts'
import { visitors } from './visitors.ts'

/** What is known of a file that a respondent sent; the file itself lies in the store (`files/`). */
export const uploads = sqliteTable(
  'uploads',
  {
    tenantId: tenantId(),
    id: text('id').notNull(),
    /** The form it was sent to, the only one whose answers can name it. */
    formId: text('form_id').notNull(),
    /** The response that uses it; no other can. Null until then, and again once its answer is replaced. */
    responseId: text('response_id'),
    fileName: text('file_name').notNull(),
    contentType: text('content_type').notNull(),
    size: integer('size').notNull(),
    /** Keyed hash of the address it came from, for the limit of what is unclaimed; null once a complete response has it. */
    senderHash: text('sender_hash'),
    /** Of the content, as `sha256sum` writes it; null for files that earlier versions stored. */
    sha256: text('sha256'),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.id] }),
    foreignKey({ columns: [t.tenantId, t.formId], foreignColumns: [forms.tenantId, forms.id] }),
    index('uploads_response').on(t.tenantId, t.responseId),
    index('uploads_sender').on(t.senderHash, t.size, t.createdAt).where(sql`sender_hash IS NOT NULL`),
    index('uploads_unused').on(t.createdAt).where(sql`response_id IS NULL`),
  ],
)

/**
 * What is known of a file that a visitor sent to a chat and said nothing with yet. It lies among the attachments, of
 * which the message that names it makes it one under the same id.
 */
export const chatUploads = sqliteTable(
  'chat_uploads',
  {
    tenantId: tenantId(),
    id: text('id').notNull(),
    /** Whose messages alone can name it. */
    visitorId: text('visitor_id').notNull(),
    fileName: text('file_name').notNull(),
    contentType: text('content_type').notNull(),
    size: integer('size').notNull(),
    /** Keyed hash of the address it came from, for the limit of what is unclaimed. */
    senderHash: text('sender_hash').notNull(),
    /** Of the content, as `sha256sum` writes it. */
    sha256: text('sha256').notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.id] }),
    foreignKey({ columns: [t.tenantId, t.visitorId], foreignColumns: [visitors.tenantId, visitors.id] }).onDelete(
      'cascade',
    ),
    index('chat_uploads_visitor').on(t.tenantId, t.visitorId),
    index('chat_uploads_sender').on(t.senderHash, t.size, t.createdAt),
    index('chat_uploads_old').on(t.createdAt),
  ],
)
