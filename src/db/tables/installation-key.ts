import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** One row: which key the sealed values of this database were sealed with (decisions §11). */
export const secretKey = sqliteTable('secret_key', {
  id: integer('id').primaryKey(),
  /** Tells the key from another, and nothing of it. */
  fingerprint: text('fingerprint').notNull(),
})
