import type { PublicSource } from '../articles/sources.ts'
import type { Deps } from '../deps.ts'
import { AddressLimiter } from '../http/limits/public-limit.ts'
import type { Client } from '../lib/network/client-address.ts'
import type { Endpoint } from './endpoint.ts'
import { KeptAnswers } from './kept-answers.ts'
import { KnownVectors } from './known-vectors.ts'

/** How long a question waits for what others mean by it, in milliseconds. */
const TIME = 500
/** An endpoint that did not answer in time is left alone for so long, in milliseconds. */
const REST = 30_000
/** Questions of one address in a minute that the endpoint is asked about. */
const PER_MINUTE = 30
/** Articles that mean much the same. */
const NEAREST = 10
/** The least cosine of two texts that have anything to do with each other. */
const LEAST = 0.25

/** Finds articles that mean what a question means, in other words. One for a service. */
export class Meaning {
  readonly #vectors: KnownVectors
  readonly #questions = new KeptAnswers<Float32Array>()
  readonly #asked = new AddressLimiter(PER_MINUTE)
  #restsUntil = Number.NEGATIVE_INFINITY

  constructor(
    private readonly deps: Pick<Deps, 'database' | 'clock' | 'log'>,
    private readonly endpoint: Endpoint,
  ) {
    this.#vectors = new KnownVectors(deps.database.db, endpoint.embeddingModel)
  }

  /** Slugs of articles, nearest first; none where the endpoint fails, or takes longer than half a second. */
  async find(source: PublicSource, language: string, question: string, client: Client): Promise<string[]> {
    const { promise: tooLate, resolve } = Promise.withResolvers<string[]>()
    const wait = { isForEndpoint: false }
    const timer = setTimeout(() => {
      // Its own time out may come a moment later, and the next question before it.
      if (wait.isForEndpoint) this.#rest()
      resolve([])
    }, TIME)
    const found = this.#nearest(source, language, question, client, wait).catch((error) => {
      this.deps.log.error('articles could not be compared with a question', { sourceId: source.id, error })
      return []
    })
    return Promise.race([found, tooLate]).finally(() => clearTimeout(timer))
  }

  async #nearest(
    source: PublicSource,
    language: string,
    question: string,
    client: Client,
    wait: { isForEndpoint: boolean },
  ): Promise<string[]> {
    const vector = await this.#vectorOf(question, client, wait)
    return vector === null ? [] : this.#vectors.nearest(source, language, vector, NEAREST, LEAST)
  }

  async #vectorOf(question: string, client: Client, wait: { isForEndpoint: boolean }): Promise<Float32Array | null> {
    const key = question.trim().toLowerCase()
    const now = this.deps.clock.monotonic()
    const known = this.#questions.known(key, now)
    if (known !== undefined) return known
    if (this.endpoint.isBusy || now < this.#restsUntil || this.#asked.take(client, now) > 0) return null
    wait.isForEndpoint = true
    const vector = await this.#questions.find(key, now, () => this.endpoint.vectorOf(question, TIME))
    wait.isForEndpoint = false
    if (vector === null) this.#rest()
    return vector
  }

  #rest(): void {
    this.#restsUntil = this.deps.clock.monotonic() + REST
  }
}
