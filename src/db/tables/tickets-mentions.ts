import { foreignKey, index, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { tenantId } from './tenants.ts'
import { messages } from './tickets.ts'
import { users } from './users.ts'

/** Whom notes name (decisions §20). */
export const mentions = sqliteTable(
  'mentions',
  {
    tenantId: tenantId(),
    messageId: text('message_id').notNull(),
    userId: text('user_id').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.messageId, t.userId] }),
    foreignKey({ columns: [t.tenantId, t.messageId], foreignColumns: [messages.tenantId, messages.id] })
      .onDelete('cascade')
      .onUpdate('cascade'),
    foreignKey({ columns: [t.tenantId, t.userId], foreignColumns: [users.tenantId, users.id] }).onDelete('cascade'),
    index('mentions_user').on(t.tenantId, t.userId),
  ],
)
