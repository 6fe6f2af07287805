import { and, asc, eq, gt, isNotNull, isNull, lte, ne, or, sql } from 'drizzle-orm'
import { prepared, type Tx } from '../db/index.ts'
import { articles, articleVectors } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import { formatTime } from '../lib/time.ts'
import { Endpoint } from './endpoint.ts'
import { blocksOf } from './plain.ts'

const MINUTE = 60_000
/** How long after each failure it is tried again, in milliseconds; after the last one, as long each time. */
const WAITS = [1, 5, 30, 120, 360].map((minutes) => minutes * MINUTE)
/** One that is being made is due again after so long, should the process die. */
const LEASE = 2 * MINUTE
/** How long the endpoint may take for an article, in milliseconds. */
const TIME = 30_000
/** Articles at once. */
const MOST = 4
/** What a model is given of an article, in characters: models take some 8,000 tokens. */
const ARTICLE = 8000

interface Claim {
  readonly tenantId: string
  readonly sourceId: string
  readonly articleId: string
  readonly revision: number
  readonly attempts: number
}

const earliest = prepared((db) =>
  db
    .select({ at: articleVectors.dueAt })
    .from(articleVectors)
    .where(isNotNull(articleVectors.dueAt))
    .orderBy(asc(articleVectors.dueAt))
    .limit(1)
    .prepare(),
)

/**
 * Has a vector made of every article that was written (decisions §13), where there is an endpoint. The table is the
 * truth: what is taken is due again after a while, and only a vector of the newest text, or that text being empty, ends that.
 */
export class Vectors {
  readonly #underWay = new Set<Promise<void>>()
  readonly #endpoint: Endpoint | null
  #stopping = false
  #complained = false

  constructor(private readonly deps: Pick<Deps, 'config' | 'database' | 'clock' | 'log'>) {
    this.#endpoint = deps.config.llm && new Endpoint(deps.config.llm)
  }

  /** What another model made is made anew. Before anything is done. */
  async begin(): Promise<void> {
    const endpoint = this.#endpoint
    if (!endpoint) return
    const dueAt = formatTime(this.deps.clock.now())
    const isAnothers = or(isNull(articleVectors.model), ne(articleVectors.model, endpoint.embeddingModel))
    await this.deps.database.transaction((tx) =>
      tx
        .update(articleVectors)
        .set({ dueAt, attempts: 0 })
        .where(and(isNull(articleVectors.dueAt), isAnothers)),
    )
    await this.pullIn()
  }

  /** Nothing waits longer than any wait can be, whatever clock it was planned by. */
  async pullIn(): Promise<void> {
    if (!this.#endpoint) return
    const now = this.deps.clock.now()
    const longest = WAITS.at(-1) as number
    await this.deps.database.transaction((tx) =>
      tx
        .update(articleVectors)
        .set({ dueAt: formatTime(now) })
        .where(and(isNotNull(articleVectors.dueAt), gt(articleVectors.dueAt, formatTime(now + longest)))),
    )
  }

  /** When the next is due, in milliseconds since 1970, or null; null too while there is no room, or no endpoint. */
  async nextDue(): Promise<number | null> {
    if (!this.#endpoint || this.#stopping || this.#underWay.size >= MOST) return null
    const [first] = await earliest(this.deps.database.db).execute()
    return first?.at ? Date.parse(first.at) : null
  }

  /** Takes what is due, as far as there is room, and begins to have it made. Returns whether there may be more. */
  async start(now: number): Promise<boolean> {
    const endpoint = this.#endpoint
    if (!endpoint) return false
    const room = MOST - this.#underWay.size
    const claims = await this.deps.database.transaction((tx) => takeDue(tx, now, room))
    for (const claim of claims) {
      const making = this.#make(endpoint, claim).finally(() => this.#underWay.delete(making))
      this.#underWay.add(making)
    }
    return claims.length === room
  }

  /** Resolves when none is being made. */
  async idle(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay)
  }

  /** Begins nothing new, and resolves when what is under way has ended, or after `graceMs`. */
  async stop(graceMs: number): Promise<void> {
    this.#stopping = true
    const { promise: over, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, graceMs)
    await Promise.race([this.idle(), over])
    clearTimeout(timer)
  }

  async #make(endpoint: Endpoint, claim: Claim): Promise<void> {
    const { database, clock, log } = this.deps
    try {
      const text = await this.#textOf(claim)
      const vector = text === '' ? null : await endpoint.vectorOf(text, TIME)
      const isMade = vector !== null || text === ''
      if (isMade) this.#complained = false
      else this.#complain()
      const next = clock.now() + (WAITS[Math.min(claim.attempts, WAITS.length) - 1] as number)
      const model = endpoint.embeddingModel
      const made = { dueAt: null, attempts: 0, model, vector: vector && encode(vector) }
      await database.transaction((tx) => settle(tx, claim, isMade ? made : { dueAt: formatTime(next) }))
    } catch (error) {
      // It stays due: the lease runs out.
      log.error('a vector of an article could not be stored', { articleId: claim.articleId, error })
    }
  }

  /** Once, until it works again: the next articles will not fare better. */
  #complain(): void {
    if (this.#complained) return
    this.#complained = true
    this.deps.log.error('the endpoint of the language model makes no vectors of articles; tried again', {
      url: this.deps.config.llm?.url,
    })
  }

  async #textOf({ tenantId, sourceId, articleId }: Claim): Promise<string> {
    const [article] = await this.deps.database.db
      .select({
        title: articles.title,
        format: articles.format,
        content: sql<string | null>`substr(${articles.content}, 1, ${2 * ARTICLE})`,
      })
      .from(articles)
      .where(and(eq(articles.tenantId, tenantId), eq(articles.sourceId, sourceId), eq(articles.id, articleId)))
    if (!article) return ''
    const blocks = blocksOf(article.content ?? '', article.format).map(({ text }) => text)
    return [article.title ?? '', ...blocks].join('\n').trim().slice(0, ARTICLE).toWellFormed()
  }
}

async function takeDue(tx: Tx, now: number, most: number): Promise<Claim[]> {
  const due = await tx
    .select()
    .from(articleVectors)
    .where(and(isNotNull(articleVectors.dueAt), lte(articleVectors.dueAt, formatTime(now))))
    .orderBy(asc(articleVectors.dueAt))
    .limit(most)
  const claims = due.map(({ tenantId, sourceId, articleId, revision, attempts }) => ({
    ...{ tenantId, sourceId, articleId, revision },
    attempts: attempts + 1,
  }))
  for (const claim of claims) {
    const { attempts } = claim
    await tx
      .update(articleVectors)
      .set({ attempts, dueAt: formatTime(now + LEASE) })
      .where(own(claim))
  }
  return claims
}

/** Nothing is changed where the article was written again meanwhile, or deleted. */
async function settle(tx: Tx, claim: Claim, values: Partial<typeof articleVectors.$inferInsert>): Promise<void> {
  await tx
    .update(articleVectors)
    .set(values)
    .where(and(own(claim), eq(articleVectors.revision, claim.revision)))
}

function own({ tenantId, sourceId, articleId }: Claim) {
  return and(
    eq(articleVectors.tenantId, tenantId),
    eq(articleVectors.sourceId, sourceId),
    eq(articleVectors.articleId, articleId),
  )
}

function encode(vector: Float32Array): string {
  return Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString('base64')
}
