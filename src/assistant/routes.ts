import { Elysia } from 'elysia'
import { articlePath, readerLanguage } from '../articles/languages.ts'
import { findPublicSource, type PublicSource } from '../articles/sources.ts'
import type { Deps } from '../deps.ts'
import { invalid, rule } from '../errors.ts'
import { CORS, PREFLIGHT } from '../http/answers/cors.ts'
import { api } from '../http/api.ts'
import { clientOf } from '../http/context.ts'
import { errors, noQuery } from '../http/requests/schemas.ts'
import { isBlank } from '../lib/input/read.ts'
import { acceptedLanguages, checkLanguage } from '../lib/language/languages.ts'
import type { Assistant } from './assistant.ts'
import { Answered, type Passage, Question } from './model.ts'
import type { FoundPassage } from './passages.ts'

/** `POST /chat/{sourceId}/ask` (decisions §13): for the chat and headless clients, from any site and without a key. */
export function assistantRoutes(deps: Deps, assistant: Assistant) {
  const { db } = deps.database
  const { baseUrl } = deps.config

  return new Elysia({ prefix: '/chat/:sourceId', tags: ['Assistant'] })
    .use(api(deps))
    .onTransform(({ set }) => {
      Object.assign(set.headers, CORS)
    })
    .options('/ask', () => new Response(null, { status: 204, headers: PREFLIGHT }), {
      scope: 'public',
      detail: { hide: true },
    })
    .post(
      '/ask',
      async ({ request, params, body: { question, language } }) => {
        const source = await findPublicSource(db, params.sourceId)
        if (isBlank(question)) throw invalid('question', rule('not_blank'))
        const wanted = language
          ? [checkLanguage(language)]
          : acceptedLanguages(request.headers.get('accept-language') ?? '')
        const reads = readerLanguage(source, wanted)
        const { passages, answer } = await assistant.ask(source, reads, question, clientOf(request))
        return { passages: passages.map((passage) => shown(passage, source, baseUrl)), answer }
      },
      {
        scope: 'public',
        query: noQuery,
        body: Question,
        response: { 200: Answered, ...errors(404, 413) },
        detail: {
          operationId: 'askQuestion',
          summary: 'Ask the articles',
          description:
            'Finds the articles of the source that fit a question. Where a language model is configured it answers from ' +
            'these passages and names those that it used; that takes 10 seconds at most, and without it the passages stand alone.',
        },
      },
    )
}

/** As the API shows it. */
function shown(passage: FoundPassage, source: PublicSource, baseUrl: string): Passage {
  const { slug, language, title, excerpt, canonicalUrl } = passage
  return { slug, title, excerpt: excerpt.text, url: canonicalUrl ?? baseUrl + articlePath(source.id, slug, language) }
}
