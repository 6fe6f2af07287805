import { text } from 'drizzle-orm/sqlite-core'

/** Times are stored as the API writes them (decisions §1): as text of one fixed form, which sorts by time. */
export const createdAt = () => text('created_at').notNull()
export const updatedAt = () => text('updated_at').notNull()
