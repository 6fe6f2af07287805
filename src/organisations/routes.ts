import { Elysia } from 'elysia'
import type { Deps } from '../deps.ts'
import { api } from '../http/api.ts'
import { noQuery, page, readPage } from '../http/requests/schemas.ts'
import { Organisation, OrganisationFilters } from './model.ts'
import { getOrganisation, listOrganisations } from './operations.ts'

/** `/v1/organisations` (api.md §4, decisions §2). */
export function organisationRoutes(deps: Deps) {
  const { db, lists } = deps.database
  return new Elysia({ prefix: '/v1/organisations', tags: ['Contacts'] })
    .use(api(deps))
    .get(
      '/',
      ({ principal, query }) => listOrganisations(lists, principal.tenantId, readPage(query), { domain: query.domain }),
      {
        scope: 'contacts:read',
        query: OrganisationFilters,
        response: { 200: page(Organisation) },
        detail: { summary: 'List organisations', description: 'Newest first.' },
      },
    )
    .get('/:id', ({ principal, params }) => getOrganisation(db, principal.tenantId, params.id), {
      scope: 'contacts:read',
      query: noQuery,
      response: { 200: Organisation },
      detail: { summary: 'Read an organisation' },
    })
}
