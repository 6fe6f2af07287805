import type { PublicSource } from '../articles/sources.ts'
import type { Deps } from '../deps.ts'
import type { Client } from '../lib/client-address.ts'
import type { Answered } from './model.ts'
import { type FoundPassage, findPassages } from './passages.ts'

/** Passages of an answer. */
const PASSAGES = 5

/** What a question came to. */
export interface Reply extends Pick<Answered, 'answer'> {
  readonly passages: readonly FoundPassage[]
}

/** Answers questions from articles (decisions §13). One for a service. */
export class Assistant {
  constructor(private readonly deps: Pick<Deps, 'config' | 'database' | 'clock' | 'log'>) {}

  /** The passages that fit a question. For public routes. */
  async ask(source: PublicSource, question: string, _client: Client): Promise<Reply> {
    const passages = await this.find(source, question, PASSAGES)
    return { passages, answer: null }
  }

  /** At most `limit` articles that fit a question, best first. For public routes. */
  find(source: PublicSource, question: string, limit: number): Promise<FoundPassage[]> {
    return findPassages(this.deps.database.db, source, question, limit)
  }
}
