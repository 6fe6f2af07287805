import { Elysia } from 'elysia'
import type { Deps } from '../deps.ts'
import { api } from '../http/api.ts'
import { created, noContent, ok, writer } from '../http/idempotency/write.ts'
import { noQuery, page, problem, readPage, wholeList, wholeListQuery } from '../http/requests/schemas.ts'
import { Article, ArticleFilters, ArticleInput, ArticleSummary, Source } from './model.ts'
import { deleteArticle, getArticle, listArticles, upsertArticle } from './operations.ts'
import { listSources } from './sources.ts'

/** `/v1/livechat/sources` (api.md §4, decisions §2). */
export function articleRoutes(deps: Deps) {
  const { db } = deps.database
  const { write } = writer(deps)
  return new Elysia({ prefix: '/v1/livechat/sources', tags: ['Knowledge base'] })
    .use(api(deps))
    .get('/', async ({ principal }) => wholeList(await listSources(db, principal.tenantId)), {
      scope: 'tickets:read',
      query: wholeListQuery,
      response: { 200: page(Source) },
      detail: { summary: 'List live-chat sources', description: 'All of them, newest first.' },
    })
    .get(
      '/:sourceId/articles',
      ({ principal, params, query }) =>
        listArticles(db, principal.tenantId, params.sourceId, readPage(query), query.query),
      {
        scope: 'tickets:read',
        query: ArticleFilters,
        response: { 200: page(ArticleSummary) },
        detail: {
          operationId: 'listArticles',
          summary: 'List or search articles',
          description: 'Without their content. Newest first; with `query`, best first.',
        },
      },
    )
    .get(
      '/:sourceId/articles/:slug',
      ({ principal, params }) => getArticle(db, principal.tenantId, params.sourceId, params.slug),
      {
        scope: 'tickets:read',
        query: noQuery,
        response: { 200: Article },
        detail: { operationId: 'getArticle', summary: 'Read an article' },
      },
    )
    .put(
      '/:sourceId/articles/:slug',
      ({ request, body, params }) =>
        write(request, async (tx, caller) => {
          const { sourceId, slug } = params
          const { article, isNew } = await upsertArticle(tx, caller, sourceId, slug, body)
          return isNew ? created(`/v1/livechat/sources/${sourceId}/articles/${slug}`, article) : ok(article)
        }),
      {
        scope: 'tickets:write',
        query: noQuery,
        body: ArticleInput,
        response: {
          200: Article,
          201: Article,
          404: problem('not_found', 'source not found'),
        },
        detail: {
          operationId: 'upsertArticle',
          summary: 'Create or replace an article',
          description:
            'Creates the article when the slug (1 to 200 letters, digits and `- . _ ~`) is new, otherwise replaces ' +
            'it, and indexes it again for the assistant.',
        },
      },
    )
    .delete(
      '/:sourceId/articles/:slug',
      ({ request, params }) =>
        write(request, async (tx, caller) => {
          await deleteArticle(tx, caller, params.sourceId, params.slug)
          return noContent
        }),
      {
        scope: 'tickets:write',
        query: noQuery,
        detail: { operationId: 'deleteArticle', summary: 'Delete an article' },
      },
    )
}
