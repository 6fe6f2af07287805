import { and, eq, sql } from 'drizzle-orm'
import type { Caller } from '../caller.ts'
import { isOneOf, ofTenant, prepared, type Reader, type Tx } from '../db/index.ts'
import { keysetList, type Page, type PageRequest } from '../db/lists/keyset.ts'
import { articleDrafts, articles } from '../db/schema.ts'
import { notFound, refusal, rule } from '../errors.ts'
import { limitSize } from '../lib/html/limits.ts'
import { isUuid } from '../lib/ids.ts'
import { cut } from '../lib/text/one-line.ts'
import { formatTime } from '../lib/time.ts'
import { noteImages } from './images.ts'
import { type Article, MAX_CONTENT } from './model.ts'
import { requireLanguage, requireSource } from './sources.ts'

/* What is written of articles and not published (decisions §20). For the console: no key, and nobody outside, gets to see it. */

/** What is kept of a line that was typed, in characters: more than may be published, so that it is refused then and not lost. */
const KEPT_OF_LINE = 4000

/** An article as it was typed so far; an empty slug is made of the title when it is published. */
export interface Writing {
  readonly slug: string
  readonly title: string
  readonly content: string
  readonly format: Article['format']
  readonly canonicalUrl: string
}

/** Which article is written: a published one, by its slug, or its translation; or a new one, by the id of its draft. */
export type Written = { readonly article: string; readonly language?: string } | { readonly draft: string }

/** What a page says about the draft that it was written from. */
export interface DraftSeen {
  /** 0: there was none. */
  readonly revision: number
  /** The page itself, so that it goes on though it never heard that the server had what it sent. */
  readonly writer: string
}

const identity = {
  id: articleDrafts.id,
  /** Of the published article that it is to replace, or to translate; null of a new one. */
  articleSlug: sql<string | null>`${articles.slug}`,
  language: articleDrafts.language,
  title: articleDrafts.title,
  savedAt: articleDrafts.savedAt,
}
export interface DraftSummary {
  readonly id: string
  readonly articleSlug: string | null
  /** '' of the article itself, else that of a translation. */
  readonly language: string
  readonly title: string
  readonly savedAt: string
}

export interface ArticleDraft extends Writing, DraftSummary {
  readonly revision: number
  readonly writer: string
  /** When the published article was last written as this was begun; null of a new one. */
  readonly basedOn: string | null
}

const ofArticle = and(
  eq(articles.tenantId, articleDrafts.tenantId),
  eq(articles.sourceId, articleDrafts.sourceId),
  eq(articles.id, articleDrafts.articleId),
)

const draftList = keysetList({
  name: 'article drafts',
  select: (db) => db.select(identity).from(articleDrafts).leftJoin(articles, ofArticle),
  tenantId: articleDrafts.tenantId,
  key: articleDrafts.id,
  keyOf: (row) => row.id,
  filters: { sourceId: (value) => eq(articleDrafts.sourceId, value) },
  within: ['sourceId'],
})

/** A page of a source's drafts, the newest first. Throws `not_found` for an unknown source, `invalid_request` for a foreign cursor. */
export async function listDrafts(
  db: Reader,
  tenantId: string,
  sourceId: string,
  page: PageRequest,
): Promise<Page<DraftSummary>> {
  await requireSource(db, tenantId, sourceId)
  return draftList(db, tenantId, page, { sourceId })
}

const draftedSlugs = prepared((db) =>
  db
    .select({ slug: articles.slug, language: articleDrafts.language })
    .from(articles)
    .innerJoin(articleDrafts, ofArticle)
    .where(
      and(
        ofTenant(articles),
        eq(articles.sourceId, sql.placeholder('sourceId')),
        isOneOf(db, articles.slug, sql.placeholder('slugs')),
      ),
    )
    .prepare(),
)

/** The languages in which these articles have drafts beside them, by slug; '' is the article's own. */
export async function findDrafted(
  db: Reader,
  tenantId: string,
  sourceId: string,
  slugs: readonly string[],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const rows = await draftedSlugs(db).execute({ tenantId, sourceId, slugs: JSON.stringify(slugs) })
  const bySlug = Map.groupBy(rows, ({ slug }) => slug)
  return new Map([...bySlug].map(([slug, some]) => [slug, new Set(some.map(({ language }) => language))]))
}

const whole = {
  ...identity,
  slug: articleDrafts.slug,
  content: articleDrafts.content,
  format: articleDrafts.format,
  canonicalUrl: articleDrafts.canonicalUrl,
  revision: articleDrafts.revision,
  writer: articleDrafts.writer,
  basedOn: articleDrafts.basedOn,
}

const draftById = prepared((db) =>
  db
    .select(whole)
    .from(articleDrafts)
    .leftJoin(articles, ofArticle)
    .where(
      and(
        ofTenant(articleDrafts),
        eq(articleDrafts.sourceId, sql.placeholder('sourceId')),
        eq(articleDrafts.id, sql.placeholder('id')),
      ),
    )
    .prepare(),
)

const draftOfArticle = prepared((db) =>
  db
    .select(whole)
    .from(articles)
    .innerJoin(articleDrafts, ofArticle)
    .where(
      and(
        ofTenant(articles),
        eq(articles.sourceId, sql.placeholder('sourceId')),
        eq(articles.slug, sql.placeholder('slug')),
        eq(articles.language, ''),
        eq(articleDrafts.language, sql.placeholder('language')),
      ),
    )
    .prepare(),
)

/** The draft of a new article, or the one beside a published article; null where there is none. */
export async function findDraft(
  db: Reader,
  tenantId: string,
  sourceId: string,
  of: Written,
): Promise<ArticleDraft | null> {
  if ('draft' in of && !isUuid(of.draft)) return null
  const [found] =
    'draft' in of
      ? await draftById(db).execute({ tenantId, sourceId, id: of.draft.toLowerCase() })
      : await draftOfArticle(db).execute({ tenantId, sourceId, slug: of.article, language: of.language ?? '' })
  return found ?? null
}

const publishedRow = prepared((db) =>
  db
    .select({ id: articles.id, updatedAt: articles.updatedAt })
    .from(articles)
    .where(
      and(
        ofTenant(articles),
        eq(articles.sourceId, sql.placeholder('sourceId')),
        eq(articles.slug, sql.placeholder('slug')),
        eq(articles.language, sql.placeholder('language')),
      ),
    )
    .prepare(),
)

/**
 * Keeps what has been written of an article so far, in place of what was kept before; `newId` is the id of a draft that
 * begins beside a published article. Throws `not_found`, `conflict` where another page has saved or published it since,
 * and `invalid_request` for more content than may be published.
 */
export async function saveDraft(
  tx: Tx,
  caller: Caller,
  sourceId: string,
  of: Written,
  input: Writing,
  { seen, newId }: { seen: DraftSeen; newId: string },
): Promise<ArticleDraft> {
  const { tenantId } = caller
  await requireSource(tx, tenantId, sourceId)
  limitSize(input.content, MAX_CONTENT, 'content')
  const language = 'article' in of ? (of.language ?? '') : ''
  if (language !== '') await requireLanguage(tx, tenantId, sourceId, language)
  const published = async (slug: string, wanted: string) =>
    (await publishedRow(tx).execute({ tenantId, sourceId, slug, language: wanted }))[0]
  const article = 'article' in of ? await published(of.article, '') : undefined
  if ('article' in of && !article) throw notFound('article')
  const replaced = 'article' in of && language !== '' ? await published(of.article, language) : article
  const known = await findDraft(tx, tenantId, sourceId, of)
  requireSeenDraft(known, seen)
  const { slug, title, canonicalUrl, content, format } = input
  const savedAt = formatTime(caller.at)
  const values = {
    ...{
      slug: cut(slug, KEPT_OF_LINE),
      title: cut(title, KEPT_OF_LINE),
      canonicalUrl: cut(canonicalUrl, KEPT_OF_LINE),
    },
    ...{ content, format, savedAt, writer: seen.writer },
  }
  if (known) {
    await tx
      .update(articleDrafts)
      .set({ ...values, revision: known.revision + 1 })
      .where(own(tenantId, sourceId, known.id))
  } else {
    const id = ('draft' in of ? of.draft : newId).toLowerCase()
    const begun = { articleId: article?.id ?? null, language, basedOn: replaced?.updatedAt ?? null, revision: 1 }
    // An id that is not free is another source's, or a draft's of the same moment: nobody types on two pages at once.
    const [made] = await tx
      .insert(articleDrafts)
      .values({ tenantId, sourceId, id, ...begun, ...values, createdAt: savedAt })
      .onConflictDoNothing()
      .returning({ id: articleDrafts.id })
    if (!made) throw changed()
  }
  const kept = (await findDraft(tx, tenantId, sourceId, of)) as ArticleDraft
  await noteImages(tx, caller, sourceId, kept.id, content)
  return kept
}

/** Throws `conflict` where the draft is not the one that a page was written from, or has been saved from. */
export function requireSeenDraft(known: ArticleDraft | null, { revision, writer }: DraftSeen): void {
  if ((known?.revision ?? 0) !== revision && known?.writer !== writer) throw changed()
}

const changed = () => refusal('conflict', rule('draft_changed'))

/** Forgets a draft; the published article stays as it is. Throws `not_found`. */
export async function discardDraft(tx: Tx, caller: Caller, sourceId: string, id: string): Promise<ArticleDraft> {
  const { tenantId } = caller
  const draft = await findDraft(tx, tenantId, sourceId, { draft: id })
  if (!draft) throw notFound('draft')
  await tx.delete(articleDrafts).where(own(tenantId, sourceId, draft.id))
  await noteImages(tx, caller, sourceId, draft.id, null)
  return draft
}

/** Forgets the drafts of an article, by its id: those of all languages, or that of one. For the operations of this folder. */
export async function discardDraftsOf(
  tx: Tx,
  caller: Caller,
  sourceId: string,
  articleId: string,
  language?: string,
): Promise<void> {
  const drafts = await tx
    .delete(articleDrafts)
    .where(
      and(
        ofTenant(articleDrafts, caller.tenantId),
        eq(articleDrafts.sourceId, sourceId),
        eq(articleDrafts.articleId, articleId),
        language === undefined ? undefined : eq(articleDrafts.language, language),
      ),
    )
    .returning({ id: articleDrafts.id })
  for (const { id } of drafts) await noteImages(tx, caller, sourceId, id, null)
}

function own(tenantId: string, sourceId: string, id: string) {
  return and(ofTenant(articleDrafts, tenantId), eq(articleDrafts.sourceId, sourceId), eq(articleDrafts.id, id))
}
