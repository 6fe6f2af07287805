import { Elysia } from 'elysia'
import type { Deps } from '../deps.ts'
import { api } from '../http/api.ts'
import { page, wholeList, wholeListQuery } from '../http/requests/schemas.ts'
import { Group } from './model.ts'
import { listGroups } from './operations.ts'

/** `/v1/groups` (decisions §2). */
export function groupRoutes(deps: Deps) {
  const { db } = deps.database
  return new Elysia({ prefix: '/v1/groups', tags: ['Contacts'] })
    .use(api(deps))
    .get('/', async ({ principal }) => wholeList(await listGroups(db, principal.tenantId)), {
      scope: 'contacts:read',
      query: wholeListQuery,
      response: { 200: page(Group) },
      detail: { summary: 'List groups', description: 'All of them, newest first.' },
    })
}
