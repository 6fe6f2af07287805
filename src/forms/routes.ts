import { Elysia } from 'elysia'
import type { Deps } from '../deps.ts'
import { api } from '../http/api.ts'
import { created, writer } from '../http/idempotency/write.ts'
import { noQuery, page, problem, readPage, readTime } from '../http/requests/schemas.ts'
import { Form, FormCreate, FormFilters, FormListItem } from './model.ts'
import { createForm, getForm, listForms } from './operations.ts'

/** `/v1/forms` (api.md §4). */
export function formRoutes(deps: Deps) {
  const { db, lists } = deps.database
  const { write } = writer(deps)
  return new Elysia({ prefix: '/v1/forms', tags: ['Forms'] })
    .use(api(deps))
    .get(
      '/',
      ({ principal, query }) =>
        listForms(lists, principal.tenantId, readPage(query), {
          workspaceId: query.workspace_id,
          since: readTime(query.updated_since),
        }),
      {
        scope: 'forms:read',
        query: FormFilters,
        response: { 200: page(FormListItem) },
        detail: { summary: 'List forms', description: 'Newest first. Trashed forms are never returned.' },
      },
    )
    .post(
      '/',
      ({ request, body }) =>
        write(request, async (tx, caller) => {
          const form = await createForm(tx, caller, body)
          return created(`/v1/forms/${form.id}`, form)
        }),
      {
        scope: 'forms:write',
        query: noQuery,
        body: FormCreate,
        response: {
          201: Form,
          400: problem('invalid_request', 'questions[1].options: at least 2 options are required'),
          422: problem('unprocessable_entity', 'no owner can be assigned: the tenant has no billable user'),
        },
        detail: {
          summary: 'Create a form',
          description:
            'All or nothing. `questions` makes a form of one page; `pages` makes several and wins when both are given. ' +
            'A form starts unpublished and is owned by the tenant’s first billable user.',
        },
      },
    )
    .get('/:id', ({ principal, params }) => getForm(db, principal.tenantId, params.id), {
      scope: 'forms:read',
      query: noQuery,
      response: { 200: Form },
      detail: {
        summary: 'Read a form',
        description: 'With its pages and questions. Question ids match the answers of responses.',
      },
    })
}
