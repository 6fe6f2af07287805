import { and, asc, eq, isNotNull, lte, notExists, sql } from 'drizzle-orm'
import type { Caller } from '../caller.ts'
import { isOneOf, ofTenant, prepared, type Reader, type Tx } from '../db/index.ts'
import { articleImages, articleImageUses } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import { invalid, notFound, rule } from '../errors.ts'
import { isUuid, newId } from '../lib/ids.ts'
import { formatTime } from '../lib/time.ts'
import { requireSource } from './sources.ts'

/* Pictures of articles (decisions §20): files of the tenant, which articles and drafts name by their addresses. */

/** The largest picture, in bytes. */
export const MAX_IMAGE = 10 * 1024 * 1024
/** Pictures that one article or draft keeps from being removed. */
const MOST_IN_ARTICLE = 500
/** How long a picture that nothing uses is kept, in milliseconds: drafts are discarded, and texts put back. */
const UNUSED_KEPT = 30 * 24 * 60 * 60 * 1000
/** Records removed in one transaction. */
const STEP = 100

const TYPES: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/webp', 'image/gif'])

/** What is known of a stored picture. */
export interface ArticleImage {
  readonly id: string
  /** One of the four that browsers show and that cannot hold a script, as the content says. */
  readonly contentType: string
  readonly size: number
}

/** Where the help centre serves a picture: a path, right on every hostname the service is offered on. Nobody guesses it. */
export function imagePath(sourceId: string, id: string): string {
  return `/help/${sourceId}/images/${id}`
}

/**
 * Stores a picture for the articles of a source. It is removed when none has used it for 30 days. Throws `not_found` for an
 * unknown source, `too_large`, and `invalid_request` for what is no PNG, JPEG, GIF or WebP.
 */
export async function addImage(
  { database, files }: Pick<Deps, 'database' | 'files'>,
  caller: Caller,
  sourceId: string,
  content: AsyncIterable<Uint8Array>,
): Promise<ArticleImage> {
  const { tenantId, at } = caller
  await requireSource(database.db, tenantId, sourceId)
  const name = { kind: 'article_images', tenantId, id: newId(at) } as const
  try {
    const { contentType, size, sha256 } = await files.store(name, content, MAX_IMAGE)
    if (!TYPES.has(contentType)) throw invalid('file', rule('picture'))
    const image = { id: name.id, contentType, size }
    const since = formatTime(at)
    await database.transaction((tx) =>
      tx.insert(articleImages).values({ ...image, tenantId, sourceId, sha256, createdAt: since, unusedSince: since }),
    )
    return image
  } catch (error) {
    // What a store out of reach keeps of it is swept: no record knows it.
    await files.remove(name).catch(() => {})
    throw error
  }
}

const imageById = prepared((db) =>
  db
    .select({ id: articleImages.id, contentType: articleImages.contentType, size: articleImages.size })
    .from(articleImages)
    .where(
      and(
        ofTenant(articleImages),
        eq(articleImages.id, sql.placeholder('id')),
        eq(articleImages.sourceId, sql.placeholder('sourceId')),
      ),
    )
    .prepare(),
)

/** A picture of a source. Throws `not_found`. */
export async function getImage(db: Reader, tenantId: string, sourceId: string, id: string): Promise<ArticleImage> {
  const [found] = isUuid(id) ? await imageById(db).execute({ tenantId, sourceId, id: id.toLowerCase() }) : []
  if (!found) throw notFound('image')
  return found
}

const knownImages = prepared((db) =>
  db
    .select({ id: articleImages.id })
    .from(articleImages)
    .where(and(ofTenant(articleImages), isOneOf(db, articleImages.id, sql.placeholder('ids'))))
    .prepare(),
)

/** Which of `ids` are pictures of the tenant. */
export async function findKnownImages(
  db: Reader,
  tenantId: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await knownImages(db).execute({ tenantId, ids: JSON.stringify(ids) })
  return new Set(rows.map(({ id }) => id))
}

/**
 * Notes which pictures an article or a draft uses, by the addresses in its content; null: it is gone. What nothing uses any
 * more is removed in a while. For the operations of this folder, in the transaction of the change.
 */
export async function noteImages(
  tx: Tx,
  caller: Caller,
  sourceId: string,
  holderId: string,
  content: string | null,
): Promise<void> {
  const { tenantId, at } = caller
  const named = idsIn(content ?? '', sourceId)
  const ofHolder = and(
    ofTenant(articleImageUses, tenantId),
    eq(articleImageUses.sourceId, sourceId),
    eq(articleImageUses.holderId, holderId),
  )
  const rows = await tx.select({ imageId: articleImageUses.imageId }).from(articleImageUses).where(ofHolder)
  const before = new Set(rows.map(({ imageId }) => imageId))
  const known = named.length === 0 ? new Set<string>() : await findKnownImages(tx, tenantId, named)
  const used = named.filter((id) => known.has(id))
  const added = used.filter((id) => !before.has(id))
  const gone = [...before].filter((id) => !used.includes(id))
  if (added.length > 0) {
    const uses = added.map((imageId) => ({ tenantId, sourceId, holderId, imageId }))
    await tx.insert(articleImageUses).values(uses)
    await tx
      .update(articleImages)
      .set({ unusedSince: null })
      .where(own(tx, tenantId, added))
  }
  if (gone.length === 0) return
  await tx.delete(articleImageUses).where(and(ofHolder, isOneOf(tx, articleImageUses.imageId, JSON.stringify(gone))))
  const isUsed = tx
    .select({ one: sql`1` })
    .from(articleImageUses)
    .where(and(ofTenant(articleImageUses, articleImages.tenantId), eq(articleImageUses.imageId, articleImages.id)))
  await tx
    .update(articleImages)
    .set({ unusedSince: formatTime(at) })
    .where(and(own(tx, tenantId, gone), notExists(isUsed)))
}

function own(tx: Tx, tenantId: string, ids: readonly string[]) {
  return and(ofTenant(articleImages, tenantId), isOneOf(tx, articleImages.id, JSON.stringify(ids)))
}

/** The ids of the source's pictures that a content names, in whatever format. */
function idsIn(content: string, sourceId: string): string[] {
  if (!content.includes('/images/')) return []
  const found = new Set<string>()
  for (const [, source, id = ''] of content.matchAll(/\/help\/([0-9a-f-]{36})\/images\/([0-9a-f-]{36})/g)) {
    if (source === sourceId && isUuid(id)) found.add(id)
    if (found.size === MOST_IN_ARTICLE) break
  }
  return [...found]
}

const longestUnused = prepared((db) =>
  db
    .select({ since: articleImages.unusedSince })
    .from(articleImages)
    .where(isNotNull(articleImages.unusedSince))
    .orderBy(asc(articleImages.unusedSince))
    .limit(1)
    .prepare(),
)

/** When the next picture has been unused for long enough, in milliseconds since 1970, or null. */
export async function nextUnusedImageExpiry(db: Reader): Promise<number | null> {
  const [first] = await longestUnused(db).execute()
  return first?.since ? Date.parse(first.since) + UNUSED_KEPT : null
}

/**
 * Forgets pictures that no article and no draft has used for 30 days, and says so in the log. Their files, which no record
 * knows then, are swept into the trash for a week (`installation/orphans.ts`). Says whether more is left.
 */
export async function removeUnusedImages({ database, clock, log }: Pick<Deps, 'database' | 'clock' | 'log'>) {
  const before = formatTime(clock.now() - UNUSED_KEPT)
  const removed = await database.transaction((tx) => {
    const unused = tx
      .select({ tenantId: articleImages.tenantId, id: articleImages.id })
      .from(articleImages)
      .where(and(isNotNull(articleImages.unusedSince), lte(articleImages.unusedSince, before)))
      .limit(STEP)
    return tx
      .delete(articleImages)
      .where(sql`(${articleImages.tenantId}, ${articleImages.id}) IN ${unused}`)
      .returning({ tenantId: articleImages.tenantId, id: articleImages.id })
  })
  if (removed.length > 0) log.info('pictures that no article used for 30 days are forgotten', { images: removed })
  return removed.length === STEP
}
