import { base } from './values.ts'
import { ConfigError, type Environment } from './variables.ts'

/** An endpoint that speaks OpenAI's API. */
export interface LlmConfig {
  /** What `/chat/completions` and `/embeddings` are appended to. */
  readonly url: string
  /** Null: the endpoint chooses. */
  readonly model: string | null
  /** Makes vectors for the search; null: the endpoint chooses. */
  readonly embeddingModel: string | null
  readonly key: string | null
}

/** The model may be two, of which the second makes vectors. */
export function llm(env: Environment): LlmConfig | null {
  const found = base(env, 'FRONTDESK_LLM_URL')
  const lacking = (['FRONTDESK_LLM_MODEL', 'FRONTDESK_LLM_KEY'] as const).find((name) => env[name])
  if (!found && lacking) throw new ConfigError(`FRONTDESK_LLM_URL: must be set where ${lacking} is`)
  if (!found) return null
  if (/\/(chat\/completions|embeddings)$/.test(found)) {
    throw new ConfigError(
      'FRONTDESK_LLM_URL: must end before /chat/completions and /embeddings, which are appended to it',
    )
  }
  const models = (env.FRONTDESK_LLM_MODEL ?? '').split(',').map((name) => name.trim())
  if (models.length > 2 || (env.FRONTDESK_LLM_MODEL && models.includes(''))) {
    throw new ConfigError('FRONTDESK_LLM_MODEL: must be the name of a model, or of two with a comma between')
  }
  if (env.FRONTDESK_LLM_KEY && !/^[\x21-\x7e]+$/.test(env.FRONTDESK_LLM_KEY)) {
    throw new ConfigError('FRONTDESK_LLM_KEY: must be printable ASCII without blanks')
  }
  const [model = '', embeddingModel = model] = models
  return {
    url: found,
    model: model || null,
    embeddingModel: embeddingModel || null,
    key: env.FRONTDESK_LLM_KEY || null,
  }
}
