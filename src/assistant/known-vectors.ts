import { and, asc, eq, gt, isNotNull, sql } from 'drizzle-orm'
import type { PublicSource } from '../articles/sources.ts'
import { isOneOf, ofTenant, prepared, type Reader, remembered } from '../db/index.ts'
import { articles, articleVectors } from '../db/schema.ts'

/** Memory that vectors may take together, in bytes: those of 10,000 articles at 1,536 numbers. */
const MEMORY = 64 * 1024 * 1024
/** Rows read, and multiplications done, before others get their turn. */
const ROWS = 1000
const VECTORS = 200
const WORK = 1_000_000

/** Vectors of one source by article, as far as they were read. */
interface Known {
  /** What the table was when they were. */
  state: object
  /** By the id of its row. */
  readonly byArticle: Map<string, { readonly revision: number; readonly vector: Float32Array; readonly name: Name }>
  size: number
}

/** What a row is: an article, or a translation of it. */
interface Name {
  readonly slug: string
  readonly language: string
}

/** Another object whenever the table was written. */
const stateOfVectors = remembered([articleVectors], async () => ({}))

const revisionsAfter = prepared((db) =>
  db
    .select({
      articleId: articleVectors.articleId,
      revision: articleVectors.revision,
      slug: articles.slug,
      language: articles.language,
    })
    .from(articleVectors)
    .innerJoin(
      articles,
      and(
        ofTenant(articles, articleVectors.tenantId),
        eq(articles.sourceId, articleVectors.sourceId),
        eq(articles.id, articleVectors.articleId),
      ),
    )
    .where(
      and(
        ofTenant(articleVectors),
        eq(articleVectors.sourceId, sql.placeholder('sourceId')),
        gt(articleVectors.articleId, sql.placeholder('after')),
        eq(articleVectors.model, sql.placeholder('model')),
        isNotNull(articleVectors.vector),
      ),
    )
    .orderBy(asc(articleVectors.articleId))
    .limit(ROWS)
    .prepare(),
)

/** Keeps the vectors of articles in memory, for comparing all of a source with a question. */
export class KnownVectors {
  /** In the order they were last asked for. */
  readonly #known = new Map<string, Known>()
  readonly #underWay = new Map<string, Promise<Known>>()

  constructor(
    private readonly db: Reader,
    private readonly model: string,
    private readonly memory = MEMORY,
  ) {}

  /**
   * Slugs of the `limit` articles whose vectors are nearest to `wanted`, nearest first, none below `least` (a cosine): those
   * of the articles as they are written, and of their translations into `language`.
   */
  async nearest(
    source: PublicSource,
    language: string,
    wanted: Float32Array,
    limit: number,
    least: number,
  ): Promise<string[]> {
    const { byArticle } = await this.#of(source)
    const near = new Map<string, number>()
    let work = 0
    for (const { vector, name } of byArticle.values()) {
      if (vector.length !== wanted.length || (name.language !== '' && name.language !== language)) continue
      const cosine = product(vector, wanted)
      if (cosine >= Math.max(least, near.get(name.slug) ?? least)) near.set(name.slug, cosine)
      work += vector.length
      if (work < WORK) continue
      work = 0
      await Bun.sleep(0)
    }
    return [...near]
      .toSorted(([, a], [, b]) => b - a)
      .slice(0, limit)
      .map(([slug]) => slug)
  }

  async #of(source: PublicSource): Promise<Known> {
    const state = await stateOfVectors(this.db, '')
    const known = this.#known.get(source.id)
    if (known?.state === state) return known
    const reading = this.#underWay.get(source.id) ?? this.#read(source, state)
    return reading
  }

  #read(source: PublicSource, state: object): Promise<Known> {
    const reading = this.#refresh(source, state).finally(() => this.#underWay.delete(source.id))
    this.#underWay.set(source.id, reading)
    return reading
  }

  /** Reads what is new, and lets go of what is no longer there. */
  async #refresh({ tenantId, id: sourceId }: PublicSource, state: object): Promise<Known> {
    const before = this.#known.get(sourceId)
    const known: Known = { state, byArticle: new Map(), size: 0 }
    for (let after = ''; ; ) {
      const rows = await revisionsAfter(this.db).execute({ tenantId, sourceId, after, model: this.model })
      const wanted = rows.filter(({ articleId, revision }) => {
        const kept = before?.byArticle.get(articleId)
        if (kept?.revision === revision) known.byArticle.set(articleId, kept)
        return kept?.revision !== revision
      })
      for (let at = 0; at < wanted.length; at += VECTORS) {
        await this.#load(tenantId, sourceId, wanted.slice(at, at + VECTORS), known)
        await Bun.sleep(0)
      }
      const last = rows.at(-1)
      if (rows.length < ROWS || !last) break
      after = last.articleId
    }
    for (const { vector } of known.byArticle.values()) known.size += vector.byteLength
    this.#keep(sourceId, known)
    return known
  }

  async #load(
    tenantId: string,
    sourceId: string,
    wanted: readonly ({ articleId: string } & Name)[],
    into: Known,
  ): Promise<void> {
    const ids = JSON.stringify(wanted.map(({ articleId }) => articleId))
    const names = new Map(wanted.map(({ articleId, slug, language }) => [articleId, { slug, language }]))
    const rows = await this.db
      .select({
        articleId: articleVectors.articleId,
        revision: articleVectors.revision,
        vector: articleVectors.vector,
      })
      .from(articleVectors)
      .where(
        and(
          ofTenant(articleVectors, tenantId),
          eq(articleVectors.sourceId, sourceId),
          isOneOf(this.db, articleVectors.articleId, ids),
        ),
      )
    for (const { articleId, revision, vector } of rows) {
      const name = names.get(articleId)
      if (vector !== null && name) into.byArticle.set(articleId, { revision, vector: decode(vector), name })
    }
  }

  #keep(sourceId: string, known: Known): void {
    this.#known.delete(sourceId)
    this.#known.set(sourceId, known)
    let size = 0
    for (const { size: one } of this.#known.values()) size += one
    for (const [oldest, { size: one }] of this.#known) {
      if (size <= this.memory) return
      this.#known.delete(oldest)
      size -= one
    }
  }
}

function decode(text: string): Float32Array {
  const bytes = Buffer.from(text, 'base64')
  return new Float32Array(new Uint8Array(bytes).buffer, 0, Math.floor(bytes.length / 4))
}

function product(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let i = 0; i < a.length; i += 1) sum += (a[i] as number) * (b[i] as number)
  return sum
}
