import type { PublicSource } from '../articles/sources.ts'
import type { Deps } from '../deps.ts'
import { AddressLimiter } from '../http/limits/public-limit.ts'
import type { Client } from '../lib/network/client-address.ts'
import { answerFrom } from './answer.ts'
import { Endpoint } from './endpoint.ts'
import { KeptAnswers } from './kept-answers.ts'
import { Meaning } from './meaning.ts'
import type { Answered } from './model.ts'
import { type FoundPassage, findPassages } from './passages.ts'

/** Passages of an answer. */
const PASSAGES = 5
/** decisions §13: how long an answer may take in all, in milliseconds. */
const TIME = 10_000
/** Answers that a language model writes for one address in a minute: they cost money. */
const WRITTEN_PER_MINUTE = 10

/** What a question came to. */
export interface Reply extends Pick<Answered, 'answer'> {
  readonly passages: readonly FoundPassage[]
}

/** Answers questions from articles (decisions §13). One for a service. */
export class Assistant {
  readonly #endpoint: Endpoint | null
  readonly #meaning: Meaning | null
  readonly #answers = new KeptAnswers<NonNullable<Answered['answer']>>()
  #complained = false
  readonly #written = new AddressLimiter(WRITTEN_PER_MINUTE)

  constructor(private readonly deps: Pick<Deps, 'config' | 'database' | 'clock' | 'log'>) {
    const { llm } = deps.config
    this.#endpoint = llm && new Endpoint(llm)
    // Of its own, so that answers that take long keep no question waiting.
    this.#meaning = llm && new Meaning(deps, new Endpoint(llm))
  }

  /**
   * The passages that fit a question, and what a language model makes of them. `language` is the reader's, '' the source's
   * own. For public routes.
   */
  async ask(source: PublicSource, language: string, question: string, client: Client): Promise<Reply> {
    const started = performance.now()
    const passages = await this.find(source, language, question, PASSAGES, client)
    const left = () => TIME - (performance.now() - started)
    return { passages, answer: await this.#answer(source, question, passages, client, left) }
  }

  /** At most `limit` articles that fit a question, best first, in the reader's language where they are. For public routes. */
  async find(
    source: PublicSource,
    language: string,
    question: string,
    limit: number,
    client: Client,
  ): Promise<FoundPassage[]> {
    const near = this.#meaning ? await this.#meaning.find(source, language, question, client) : []
    return findPassages(this.deps.database.db, source, language, question, limit, near)
  }

  /** null too for an address that had many written, and only then without asking. */
  async #answer(
    source: PublicSource,
    question: string,
    passages: readonly FoundPassage[],
    client: Client,
    left: () => number,
  ): Promise<Answered['answer']> {
    const endpoint = this.#endpoint
    if (endpoint === null || passages.length === 0) return null
    const now = this.deps.clock.monotonic()
    const versions = passages.map(({ slug, language, updatedAt }) => [slug, language, updatedAt])
    const key = JSON.stringify([source.id, question.trim().toLowerCase(), versions])
    const known = this.#answers.known(key, now)
    if (known !== undefined) return known
    if (this.#written.take(client, now) > 0) return null
    return this.#answers.find(key, now, async () => {
      const answer = await answerFrom(endpoint, question, passages, left())
      this.#complain(endpoint)
      return answer
    })
  }

  /** Once, until it works again: nobody else learns that a key or a model is wrong, since the passages stand alone. */
  #complain({ failure }: Endpoint): void {
    if (failure !== null && !this.#complained) {
      const { llm } = this.deps.config
      this.deps.log.error('the language model gives no answers; the passages stand alone', {
        url: llm?.url,
        ...failure,
      })
    }
    this.#complained = failure !== null
  }
}
