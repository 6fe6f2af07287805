import { foreignKey, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { articleFormats } from '../../kinds/articles.ts'
import { createdAt, updatedAt } from './columns.ts'
import { inboxes } from './inboxes.ts'
import { tenantId } from './tenants.ts'

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
