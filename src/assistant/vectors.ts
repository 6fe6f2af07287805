import { and, eq, isNull, ne, or, sql } from 'drizzle-orm'
import type { Tx } from '../db/index.ts'
import { ofTenant } from '../db/index.ts'
import { articles, articleVectors } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import { formatTime } from '../lib/time.ts'
import { type Due, LeasedWork } from '../work/leased-work.ts'
import { Endpoint } from './endpoint.ts'
import { blocksOf } from './plain.ts'

const MINUTE = 60_000
/** After the last wait, as long each time. */
const RULES = { most: 4, lease: MINUTE, waits: [1, 5, 30, 120, 360].map((minutes) => minutes * MINUTE) }
/** How long the endpoint may take for an article, in milliseconds. */
const TIME = 30_000
/** What a model is given of an article, in characters: models take some 8,000 tokens. */
const ARTICLE = 8000

interface Claim {
  readonly tenantId: string
  readonly sourceId: string
  readonly articleId: string
  readonly revision: number
  readonly attempts: number
}

/** Has a vector made of every article that was written (decisions §13), where there is an endpoint. */
export class Vectors extends LeasedWork<Claim> {
  readonly #endpoint: Endpoint | null
  #complained = false

  constructor(private readonly deps: Pick<Deps, 'config' | 'database' | 'clock' | 'log'>) {
    super(deps, articleVectors, RULES)
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

  override async pullIn(): Promise<void> {
    if (this.#endpoint) await super.pullIn()
  }

  /** Never where there is no endpoint. */
  override async nextDue(now: number): Promise<number | null> {
    return this.#endpoint ? super.nextDue(now) : null
  }

  protected override async take(tx: Tx, { isDue, order, leasedUntil }: Due, most: number): Promise<Claim[]> {
    const due = await tx.select().from(articleVectors).where(isDue).orderBy(order).limit(most)
    const claims = due.map(({ tenantId, sourceId, articleId, revision, attempts }) => ({
      ...{ tenantId, sourceId, articleId, revision },
      attempts: attempts + 1,
    }))
    for (const claim of claims) {
      const { attempts } = claim
      await tx.update(articleVectors).set({ attempts, dueAt: leasedUntil }).where(own(claim))
    }
    return claims
  }

  protected override async perform(claim: Claim): Promise<void> {
    const { database, clock, log } = this.deps
    const endpoint = this.#endpoint
    if (!endpoint) return
    try {
      const text = await this.#textOf(claim)
      const vector = text === '' ? null : await endpoint.vectorOf(text, TIME)
      const isMade = vector !== null || text === ''
      if (isMade) this.#complained = false
      else this.#complain(endpoint)
      const next = clock.now() + this.waitAfter(claim.attempts)
      const model = endpoint.embeddingModel
      const made = { dueAt: null, attempts: 0, model, vector: vector && encode(vector) }
      await database.transaction((tx) => conclude(tx, claim, isMade ? made : { dueAt: formatTime(next) }))
    } catch (error) {
      // It stays due: the lease runs out.
      log.error('a vector of an article could not be stored', { articleId: claim.articleId, error })
    }
  }

  /** Once, until it works again: the next articles will not fare better. */
  #complain({ failure }: Endpoint): void {
    if (this.#complained) return
    this.#complained = true
    this.deps.log.error('the endpoint of the language model makes no vectors of articles; tried again', {
      url: this.deps.config.llm?.url,
      ...failure,
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
      .where(and(ofTenant(articles, tenantId), eq(articles.sourceId, sourceId), eq(articles.id, articleId)))
    if (!article) return ''
    const blocks = blocksOf(article.content ?? '', article.format).map(({ text }) => text)
    return [article.title ?? '', ...blocks].join('\n').trim().slice(0, ARTICLE).toWellFormed()
  }
}

/** Nothing is changed where the article was written again meanwhile, or deleted. */
async function conclude(tx: Tx, claim: Claim, values: Partial<typeof articleVectors.$inferInsert>): Promise<void> {
  await tx
    .update(articleVectors)
    .set(values)
    .where(and(own(claim), eq(articleVectors.revision, claim.revision)))
}

function own({ tenantId, sourceId, articleId }: Claim) {
  return and(
    ofTenant(articleVectors, tenantId),
    eq(articleVectors.sourceId, sourceId),
    eq(articleVectors.articleId, articleId),
  )
}

function encode(vector: Float32Array): string {
  return Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString('base64')
}
