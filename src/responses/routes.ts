import { Elysia } from 'elysia'
import type { Deps } from '../deps.ts'
import type { FileName } from '../files/names.ts'
import { api } from '../http/api.ts'
import { noContent, writer } from '../http/idempotency/write.ts'
import { noQuery, page, readPage, readTime } from '../http/requests/schemas.ts'
import { deleteResponse } from './deletion.ts'
import { listAllResponses } from './lists/of-all-forms.ts'
import { listResponses, type ResponseListFilters } from './lists/of-form.ts'
import { AllResponsesFilters, Response, ResponseFilters } from './model.ts'
import { getResponse } from './operations.ts'

/** `/v1/forms/{id}/responses` (api.md §4). */
export function responseRoutes(deps: Deps) {
  const { write } = writer(deps)
  const { db, lists } = deps.database
  return new Elysia({ prefix: '/v1/forms/:id/responses', tags: ['Responses'] })
    .use(api(deps))
    .get(
      '/',
      ({ principal, params, query }) =>
        listResponses(lists, principal.tenantId, params.id, readPage(query), readFilters(query)),
      {
        scope: 'responses:read',
        query: ResponseFilters,
        response: { 200: page(Response) },
        detail: {
          operationId: 'listResponses',
          summary: 'List responses to a form',
          description:
            'Newest first. Without `status`, complete responses only. A page ends early where responses are so long that ' +
            'it would exceed 1 MiB.',
        },
      },
    )
    .get('/:responseId', ({ principal, params }) => getResponse(db, principal.tenantId, params.id, params.responseId), {
      scope: 'responses:read',
      query: noQuery,
      response: { 200: Response },
      detail: { operationId: 'getResponse', summary: 'Read a response' },
    })
    .delete(
      '/:responseId',
      async ({ request, params }) => {
        let files: FileName[] = []
        const answer = await write(request, async (tx, caller) => {
          files = await deleteResponse(tx, caller, params.id, params.responseId)
          return noContent
        })
        // Its records are gone: what cannot be removed now is swept later.
        for (const file of files) {
          await deps.files.remove(file).catch((error) => deps.log.warn('a file stays until it is swept', { error }))
        }
        return answer
      },
      {
        scope: 'forms:write',
        query: noQuery,
        detail: {
          operationId: 'deleteResponse',
          summary: 'Delete a response',
          description:
            'For good, with the files that came with it: results count it no more, and the log of events holds none that it is in. No event tells of it. A form that closes ' +
            'with so many responses has still had it.',
        },
      },
    )
}

/** `/v1/responses` (decisions §23). */
export function allResponsesRoutes(deps: Deps) {
  const { lists } = deps.database
  return new Elysia({ prefix: '/v1/responses', tags: ['Responses'] }).use(api(deps)).get(
    '/',
    ({ principal, query }) =>
      listAllResponses(lists, principal.tenantId, readPage(query), {
        ...readFilters(query),
        formId: query.form_id,
        contactId: query.contact_id,
      }),
    {
      scope: 'responses:read',
      query: AllResponsesFilters,
      response: { 200: page(Response) },
      detail: {
        operationId: 'listAllResponses',
        summary: 'List responses to all forms',
        description: `Newest first, whatever the form, which is the \`formId\` of each. Without \`status\`, complete responses only. Partial
ones are of no contact yet. Responses to forms in the trash are left out. \`since\` and \`until\` ask when a response last changed, as those of one form do, so a program that asks
from where it stopped is told of what was paid or gone on with meanwhile, too; of what was deleted it is not told.

A page ends early where responses are so long that it would exceed 1 MiB, and where very many to forms in the trash lie in
between: only \`nextCursor\` says whether there is more.`,
      },
    },
  )
}

function readFilters(query: {
  status?: ResponseListFilters['status']
  since?: string
  until?: string
}): ResponseListFilters {
  return { status: query.status, since: readTime(query.since), until: readTime(query.until) }
}
