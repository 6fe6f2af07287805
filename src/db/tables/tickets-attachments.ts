import { isNotNull } from 'drizzle-orm'
import { foreignKey, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { tenantId } from './tenants.ts'
import { messages } from './tickets.ts'
import { replyDrafts } from './tickets-replies.ts'

/** What is known of a file that came with a message; the file itself lies in the store (`files/`). */
export const attachments = sqliteTable(
  'attachments',
  {
    tenantId: tenantId(),
    id: text('id').notNull(),
    /** Null while it goes with a draft. */
    messageId: text('message_id'),
    draftId: text('draft_id'),
    fileName: text('file_name').notNull(),
    contentType: text('content_type').notNull(),
    /** Bytes. */
    size: integer('size').notNull(),
    /** Of the content, as `sha256sum` writes it. */
    sha256: text('sha256').notNull(),
    /** Among the files of its message: ids of files that were sent at the same time tell no order. */
    position: integer('position').notNull().default(0),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.id] }),
    // A reply gets its final id once it was sent.
    foreignKey({
      columns: [t.tenantId, t.messageId],
      foreignColumns: [messages.tenantId, messages.id],
    }).onUpdate('cascade'),
    foreignKey({ columns: [t.tenantId, t.draftId], foreignColumns: [replyDrafts.tenantId, replyDrafts.id] }).onDelete(
      'cascade',
    ),
    index('attachments_message').on(t.tenantId, t.messageId, t.position, t.id),
    index('attachments_draft').on(t.tenantId, t.draftId, t.id).where(isNotNull(t.draftId)),
  ],
)
