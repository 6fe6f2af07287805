import { sql } from 'drizzle-orm'
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
    /** What its articles are written in (BCP 47); null: the tenant's language. */
    language: text('language'),
    /** What they are translated into, as tags with a blank between two. */
    languages: text('languages').notNull().default(''),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.id] }),
    foreignKey({ columns: [t.tenantId, t.inboxId], foreignColumns: [inboxes.tenantId, inboxes.id] }),
    // A visitor names the source alone.
    index('livechat_sources_id').on(t.id),
  ],
)

/**
 * Articles, and their translations: rows of the same slug in other languages. The text index over title and content is a
 * virtual table kept by triggers: see the `article_search` migrations.
 */
export const articles = sqliteTable(
  'articles',
  {
    /** The row's number, which the text index refers to; never shown. */
    number: integer('number').primaryKey({ autoIncrement: true }),
    tenantId: tenantId(),
    sourceId: text('source_id').notNull(),
    id: text('id').notNull(),
    slug: text('slug').notNull(),
    /** '' of the article itself, in its source's language; the tag of a translation, two small letters. */
    language: text('language').notNull().default(''),
    title: text('title'),
    content: text('content'),
    format: text('format', { enum: articleFormats }).notNull(),
    canonicalUrl: text('canonical_url'),
    indexedAt: text('indexed_at').notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
    /** Since when the article says something else than what this translates; null of one that is up to date. */
    outdatedSince: text('outdated_since'),
  },
  (t) => [
    uniqueIndex('articles_slug').on(t.tenantId, t.sourceId, t.slug, t.language),
    index('articles_list').on(t.tenantId, t.sourceId, t.language, t.id),
    uniqueIndex('articles_id').on(t.tenantId, t.sourceId, t.id),
    foreignKey({ columns: [t.tenantId, t.sourceId], foreignColumns: [livechatSources.tenantId, livechatSources.id] }),
  ],
)

/**
 * What is written of an article and not published: of a new one, or of one that is, beside it. Texts are as they were typed;
 * nothing that the public or the API reads knows of them.
 */
export const articleDrafts = sqliteTable(
  'article_drafts',
  {
    tenantId: tenantId(),
    sourceId: text('source_id').notNull(),
    id: text('id').notNull(),
    /** The article that it is to replace, or to translate; null of a new one. */
    articleId: text('article_id'),
    /** '' of the article itself, else the tag of a translation. */
    language: text('language').notNull().default(''),
    /** When what it is to replace was last written as the draft was begun; null where that was not there. */
    basedOn: text('based_on'),
    slug: text('slug').notNull(),
    title: text('title').notNull(),
    content: text('content').notNull(),
    format: text('format', { enum: articleFormats }).notNull(),
    canonicalUrl: text('canonical_url').notNull(),
    /** Counts how often it was saved, and which page saved it last: who types on another one is told. */
    revision: integer('revision').notNull(),
    writer: text('writer').notNull(),
    createdAt: createdAt(),
    savedAt: text('saved_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.id] }),
    index('article_drafts_source').on(t.tenantId, t.sourceId, t.id),
    uniqueIndex('article_drafts_article').on(t.tenantId, t.sourceId, t.articleId, t.language),
    foreignKey({ columns: [t.tenantId, t.sourceId], foreignColumns: [livechatSources.tenantId, livechatSources.id] }),
    foreignKey({
      columns: [t.tenantId, t.sourceId, t.articleId],
      foreignColumns: [articles.tenantId, articles.sourceId, articles.id],
    }).onDelete('cascade'),
  ],
)

/** Pictures of articles; the file itself lies in the store (`files/`). */
export const articleImages = sqliteTable(
  'article_images',
  {
    tenantId: tenantId(),
    sourceId: text('source_id').notNull(),
    id: text('id').notNull(),
    contentType: text('content_type').notNull(),
    /** Bytes. */
    size: integer('size').notNull(),
    /** Of the content, hexadecimal. */
    sha256: text('sha256').notNull(),
    createdAt: createdAt(),
    /** Since when no article and no draft names it; null while one does. */
    unusedSince: text('unused_since'),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.id] }),
    foreignKey({ columns: [t.tenantId, t.sourceId], foreignColumns: [livechatSources.tenantId, livechatSources.id] }),
    index('article_images_unused').on(t.unusedSince).where(sql`unused_since IS NOT NULL`),
  ],
)

/** Which pictures an article or a draft names. */
export const articleImageUses = sqliteTable(
  'article_image_uses',
  {
    tenantId: tenantId(),
    sourceId: text('source_id').notNull(),
    /** Of the article, or of the draft. */
    holderId: text('holder_id').notNull(),
    imageId: text('image_id').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.sourceId, t.holderId, t.imageId] }),
    index('article_image_uses_image').on(t.tenantId, t.imageId),
    foreignKey({
      columns: [t.tenantId, t.imageId],
      foreignColumns: [articleImages.tenantId, articleImages.id],
    }).onDelete('cascade'),
  ],
)

/** What a help centre is divided into, in order. */
export const articleCategories = sqliteTable(
  'article_categories',
  {
    tenantId: tenantId(),
    sourceId: text('source_id').notNull(),
    id: text('id').notNull(),
    name: text('name').notNull(),
    position: integer('position').notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.id] }),
    index('article_categories_order').on(t.tenantId, t.sourceId, t.position, t.id),
    foreignKey({ columns: [t.tenantId, t.sourceId], foreignColumns: [livechatSources.tenantId, livechatSources.id] }),
  ],
)

/** What categories are called in the languages that articles are translated into. */
export const articleCategoryNames = sqliteTable(
  'article_category_names',
  {
    tenantId: tenantId(),
    categoryId: text('category_id').notNull(),
    language: text('language').notNull(),
    name: text('name').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.categoryId, t.language] }),
    foreignKey({
      columns: [t.tenantId, t.categoryId],
      foreignColumns: [articleCategories.tenantId, articleCategories.id],
    }).onDelete('cascade'),
  ],
)

/** Which category an article belongs to, and where among its articles; one that has none is not here. */
export const articlePlaces = sqliteTable(
  'article_places',
  {
    tenantId: tenantId(),
    sourceId: text('source_id').notNull(),
    articleId: text('article_id').notNull(),
    categoryId: text('category_id').notNull(),
    position: integer('position').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.sourceId, t.articleId] }),
    index('article_places_order').on(t.tenantId, t.categoryId, t.position, t.articleId),
    foreignKey({
      columns: [t.tenantId, t.sourceId, t.articleId],
      foreignColumns: [articles.tenantId, articles.sourceId, articles.id],
    }).onDelete('cascade'),
    foreignKey({
      columns: [t.tenantId, t.categoryId],
      foreignColumns: [articleCategories.tenantId, articleCategories.id],
    }),
  ],
)
