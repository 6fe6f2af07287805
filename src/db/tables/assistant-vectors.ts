import { sql } from 'drizzle-orm'
import { foreignKey, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { articles } from './articles.ts'
import { tenantId } from './tenants.ts'

/**
 * What an article means, as a model of the configured endpoint has it: for questions in other words. A row for every
 * article, written with it, which a job fills in; where there is no endpoint it waits for one.
 */
export const articleVectors = sqliteTable(
  'article_vectors',
  {
    tenantId: tenantId(),
    sourceId: text('source_id').notNull(),
    articleId: text('article_id').notNull(),
    /** When it is made next; null once it is there, or has been given up. */
    dueAt: text('due_at'),
    attempts: integer('attempts').notNull().default(0),
    /** Counts how often the article was written: a vector made of an earlier text is not kept. */
    revision: integer('revision').notNull().default(1),
    /** By which model; null while there is none. */
    model: text('model'),
    /** 32-bit floats of length 1 together, little endian, in Base64. */
    vector: text('vector'),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.sourceId, t.articleId] }),
    foreignKey({
      columns: [t.tenantId, t.sourceId, t.articleId],
      foreignColumns: [articles.tenantId, articles.sourceId, articles.id],
    }),
    index('article_vectors_due').on(t.dueAt).where(sql`due_at IS NOT NULL`),
  ],
)
