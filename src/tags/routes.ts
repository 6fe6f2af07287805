import { Elysia } from 'elysia'
import type { Deps } from '../deps.ts'
import { api } from '../http/api.ts'
import { page, wholeList, wholeListQuery } from '../http/requests/schemas.ts'
import { Tag } from './model.ts'
import { listTags } from './read.ts'

/** `GET /v1/tags` (decisions §16). */
export function tagRoutes(deps: Deps) {
  const { db } = deps.database
  return new Elysia({ prefix: '/v1/tags', tags: ['Tickets'] })
    .use(api(deps))
    .get('/', async ({ principal }) => wholeList(await listTags(db, principal.tenantId)), {
      scope: 'tickets:read',
      query: wholeListQuery,
      response: { 200: page(Tag) },
      detail: { summary: 'List tags', description: 'All of them, newest first, each with how many tickets hold it.' },
    })
}
