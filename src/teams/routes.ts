import { Elysia } from 'elysia'
import type { Deps } from '../deps.ts'
import { api } from '../http/api.ts'
import { page, wholeList, wholeListQuery } from '../http/requests/schemas.ts'
import { allColleagues } from '../users/colleagues.ts'
import { Team, User } from './model.ts'
import { listTeams } from './read.ts'

/** `GET /v1/teams` (decisions §16). */
export function teamRoutes(deps: Deps) {
  const { db } = deps.database
  return new Elysia({ prefix: '/v1/teams', tags: ['Tickets'] })
    .use(api(deps))
    .get('/', async ({ principal }) => wholeList(await listTeams(db, principal.tenantId)), {
      scope: 'tickets:read',
      query: wholeListQuery,
      response: { 200: page(Team) },
      detail: { summary: 'List teams', description: 'All of them, newest first.' },
    })
}

/** `GET /v1/users`: those who can be in a team (decisions §16). */
export function userRoutes(deps: Deps) {
  const { db } = deps.database
  return new Elysia({ prefix: '/v1/users', tags: ['Tickets'] })
    .use(api(deps))
    .get('/', async ({ principal }) => wholeList(await allColleagues(db, principal.tenantId)), {
      scope: 'tickets:read',
      query: wholeListQuery,
      response: { 200: page(User) },
      detail: { summary: 'List users', description: 'Everybody who can be given a ticket, newest first.' },
    })
}
