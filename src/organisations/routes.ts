import { Elysia } from 'elysia'
import type { Deps } from '../deps.ts'
import { api } from '../http/api.ts'
import { created, ok, writer } from '../http/idempotency/write.ts'
import { noQuery, page, readPage, readSearch } from '../http/requests/schemas.ts'
import { updateOrganisation } from './changes.ts'
import { Organisation, OrganisationCreate, OrganisationFilters, OrganisationUpdate } from './model.ts'
import { createOrganisation, getOrganisation } from './operations.ts'
import { findOrganisations } from './search.ts'

/** `/v1/organisations` (api.md §4, decisions §2, §23); contacts delete them, who have to leave first. */
export function organisationRoutes(deps: Deps) {
  const { db, lists } = deps.database
  const { write } = writer(deps)
  return new Elysia({ prefix: '/v1/organisations', tags: ['Contacts'] })
    .use(api(deps))
    .get(
      '/',
      ({ principal, query }) =>
        findOrganisations(lists, principal.tenantId, readPage(query), {
          text: readSearch(query.query),
          domain: query.domain,
        }),
      {
        scope: 'contacts:read',
        query: OrganisationFilters,
        response: { 200: page(Organisation) },
        detail: {
          summary: 'List organisations',
          description:
            'Newest first; with `query`, by their names from A to Z. A page of what was searched for may hold fewer than ' +
            '`limit`, even none, while `nextCursor` leads on: where very many begin so, but few are of the `domain`.',
        },
      },
    )
    .post(
      '/',
      ({ request, body }) =>
        write(request, async (tx, caller) => {
          const organisation = await createOrganisation(tx, caller, body)
          return created(`/v1/organisations/${organisation.id}`, organisation)
        }),
      {
        scope: 'contacts:write',
        query: noQuery,
        body: OrganisationCreate,
        response: { 201: Organisation },
        detail: {
          summary: 'Create an organisation',
          description:
            'Contacts created from now on with an email of its `domain` join by themselves; those that are there already do ' +
            'not. Several organisations may have one domain: contacts join the oldest.',
        },
      },
    )
    .get('/:id', ({ principal, params }) => getOrganisation(db, principal.tenantId, params.id), {
      scope: 'contacts:read',
      query: noQuery,
      response: { 200: Organisation },
      detail: { summary: 'Read an organisation' },
    })
    .put(
      '/:id',
      ({ request, body, params }) =>
        write(request, async (tx, caller) => ok(await updateOrganisation(tx, caller, params.id, body))),
      {
        scope: 'contacts:write',
        query: noQuery,
        body: OrganisationUpdate,
        response: { 200: Organisation },
        detail: {
          summary: 'Update an organisation',
          description: 'Its contacts stay, whatever domain it has from now on.',
        },
      },
    )
}
