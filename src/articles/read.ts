import { articles } from '../db/schema.ts'

/** The columns of an article as lists show it. */
export const summaryRow = {
  sourceId: articles.sourceId,
  slug: articles.slug,
  title: articles.title,
  format: articles.format,
  canonicalUrl: articles.canonicalUrl,
  indexedAt: articles.indexedAt,
  createdAt: articles.createdAt,
  updatedAt: articles.updatedAt,
}
