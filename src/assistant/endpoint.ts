import type { LlmConfig } from '../config.ts'
import { type PostResult, post } from '../lib/network/outbound-post.ts'

/** What an endpoint's answer may hold, in bytes: a vector of 4,096 numbers as text takes 100 kB. */
const MOST = 512 * 1024

/** What an administrator is told: the status where one came, and a word. */
export type Failure = Pick<PostResult, 'statusCode' | 'error'>

/** Requests to one endpoint at once; who finds them all under way does without. */
const AT_ONCE = 8

/**
 * A language model behind OpenAI's API. Whatever it does is a result: null where it did not answer, not in time, or
 * with what is no JSON object. The address is the administrator's, so it may be of this machine.
 */
export class Endpoint {
  #underWay = 0
  #failure: Failure | null = null

  constructor(private readonly config: LlmConfig) {}

  /** Whether it takes no more requests for now. */
  get isBusy(): boolean {
    return this.#underWay >= AT_ONCE
  }

  /** What was wrong with the last request; null where it was answered with JSON. */
  get failure(): Failure | null {
    return this.#failure
  }

  /** '' where the endpoint chooses. */
  get embeddingModel(): string {
    return this.config.embeddingModel ?? ''
  }

  /** The text that a model writes to `messages`. */
  async write(messages: readonly Message[], timeoutMs: number): Promise<string | null> {
    const answer = await this.#post('/chat/completions', { ...named(this.config.model), messages }, timeoutMs)
    const content = member(member(member(member(answer, 'choices'), '0'), 'message'), 'content')
    return typeof content === 'string' ? content : null
  }

  /** What `text` means, as a vector of length 1; null too for what is none. */
  async vectorOf(text: string, timeoutMs: number): Promise<Float32Array | null> {
    const answer = await this.#post('/embeddings', { ...named(this.config.embeddingModel), input: text }, timeoutMs)
    const numbers = member(member(member(answer, 'data'), '0'), 'embedding')
    if (!Array.isArray(numbers) || numbers.length === 0 || numbers.length > MOST_NUMBERS) return null
    return normalised(numbers)
  }

  async #post(path: string, body: object, timeoutMs: number): Promise<unknown> {
    if (this.isBusy || timeoutMs <= 0) return null
    this.#underWay += 1
    try {
      const { key, url } = this.config
      const { statusCode, responseBody, error } = await post({
        url: url + path,
        headers: {
          'content-type': 'application/json',
          accept: 'application/json',
          ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        },
        body: JSON.stringify(body),
        timeoutMs,
        bodyMs: timeoutMs,
        keep: MOST,
        allowPrivate: true,
      })
      const answer = statusCode === null || error !== null ? null : parsed(responseBody)
      this.#failure = answer === null ? { statusCode, error: error ?? 'protocol' } : null
      return answer
    } finally {
      this.#underWay -= 1
    }
  }
}

/** Numbers of a vector; models have up to 4,096. */
const MOST_NUMBERS = 8192

export interface Message {
  readonly role: 'system' | 'user'
  readonly content: string
}

function named(model: string | null): { model?: string } {
  return model === null ? {} : { model }
}

/** null for what is no JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** An own member of an object or list, else undefined. */
export function member(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
  return (value as Record<string, unknown>)[name]
}

/** null for numbers that have no direction, or are none. */
function normalised(numbers: readonly unknown[]): Float32Array | null {
  let sum = 0
  for (const number of numbers) {
    if (typeof number !== 'number') return null
    sum += number * number
  }
  const length = Math.sqrt(sum)
  if (!(length > 0 && Number.isFinite(length))) return null
  return Float32Array.from(numbers as number[], (number) => number / length)
}
