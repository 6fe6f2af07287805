import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import type { Deps } from '../deps.ts'
import { api } from '../http/api.ts'
import { page, uuid, wholeList, wholeListQuery } from '../http/requests/schemas.ts'
import { listWorkspaces } from '../tenants/operations.ts'

const Workspace = Type.Object(
  { id: uuid('Id of the workspace.'), name: Type.String({ examples: ['Main'] }) },
  { title: 'Workspace' },
)

/** `/v1/workspaces` (api.md §4). */
export function workspaceRoutes(deps: Deps) {
  const { db } = deps.database
  return new Elysia({ prefix: '/v1/workspaces', tags: ['Forms'] })
    .use(api(deps))
    .get('/', async ({ principal }) => wholeList(await listWorkspaces(db, principal.tenantId)), {
      scope: 'forms:read',
      query: wholeListQuery,
      response: { 200: page(Workspace) },
      detail: { summary: 'List workspaces', description: 'All of them, newest first.' },
    })
}
