import { sql } from 'drizzle-orm'
import { foreignKey, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { articleFormats } from '../../kinds/articles.ts'
import { createdAt, tenantId, updatedAt } from './columns.ts'
import { inboxes } from './tickets.ts'

/** Live-chat sources: where a live-chat inbox takes its articles from. */
export const livechatSources = sqliteTable(
  'livechat_sources',
  {
    tenantId: tenantId(),
    id: text('id').notNull(),
    inboxId: text('inbox_id').notNull(),
    name: text('name').notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.id] }),
    foreignKey({ columns: [t.tenantId, t.inboxId], foreignColumns: [inboxes.tenantId, inboxes.id] }),
    // A visitor names the source alone.
    index('livechat_sources_id').on(t.id),
  ],
)

/** The text index over title and content is a virtual table kept by triggers: see the `article_search` migrations. */
export const articles = sqliteTable(
  'articles',
  {
    /** The row's number, which the text index refers to; never shown. */
    number: integer('number').primaryKey({ autoIncrement: true }),
    tenantId: tenantId(),
    sourceId: text('source_id').notNull(),
    id: text('id').notNull(),
    slug: text('slug').notNull(),
    title: text('title'),
    content: text('content'),
    format: text('format', { enum: articleFormats }).notNull(),
    canonicalUrl: text('canonical_url'),
    indexedAt: text('indexed_at').notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (t) => [
    uniqueIndex('articles_slug').on(t.tenantId, t.sourceId, t.slug),
    uniqueIndex('articles_id').on(t.tenantId, t.sourceId, t.id),
    foreignKey({ columns: [t.tenantId, t.sourceId], foreignColumns: [livechatSources.tenantId, livechatSources.id] }),
  ],
)

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
