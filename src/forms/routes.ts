import { Elysia } from 'elysia'
import type { Deps } from '../deps.ts'
import { api } from '../http/api.ts'
import { created, noContent, ok, writer } from '../http/idempotency/write.ts'
import { noBody, noQuery, page, problem, readPage, readTime } from '../http/requests/schemas.ts'
import { Form, FormCreate, FormFilters, FormListItem, FormUpdate } from './model.ts'
import { createForm, getForm, listForms } from './operations.ts'
import { closeForm, publishForm, trashForm } from './publishing.ts'
import { replaceDraft } from './replacing.ts'

const REOPENING = 'the form cannot be re-opened: it closed at 2026-02-01T12:00:00.000Z; change that setting first'

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
            'A form starts unpublished, whatever its status, and is owned by the tenant’s first billable user: **nobody can ' +
            'answer it before it is published**, by `POST /v1/forms/{id}/publish`, by people in the console, or by a command.',
        },
      },
    )
    .get('/:id', ({ principal, params }) => getForm(db, principal.tenantId, params.id), {
      scope: 'forms:read',
      query: noQuery,
      response: { 200: Form },
      detail: {
        summary: 'Read a form',
        description:
          'With its pages and questions, as published, or as drafted until then. Question ids match the answers of responses.',
      },
    })
    .put(
      '/:id',
      ({ request, params, body }) =>
        write(request, async (tx, caller) => ok(await replaceDraft(tx, caller, params.id, body))),
      {
        scope: 'forms:write',
        query: noQuery,
        body: FormUpdate,
        response: {
          200: Form,
          409: problem('conflict', REOPENING),
        },
        detail: {
          summary: 'Replace the draft of a form',
          description:
            'What is left out of the body is left out of the draft. A question that carries the `id` it was read with stays ' +
            'the same question, whose answers stay comparable, and keeps its type; pages alike. Respondents, and those who ' +
            'read the form, see what was published last until the draft is published. The answer is the form as drafted.',
        },
      },
    )
    .delete(
      '/:id',
      ({ request, params }) =>
        write(request, async (tx, caller) => {
          await trashForm(tx, caller, params.id)
          return noContent
        }),
      {
        scope: 'forms:write',
        query: noQuery,
        detail: {
          summary: 'Delete a form',
          description: 'Puts it into the trash, with its responses: people can take it out again in the console.',
        },
      },
    )
    .post(
      '/:id/close',
      ({ request, params }) => write(request, async (tx, caller) => ok(await closeForm(tx, caller, params.id))),
      {
        scope: 'forms:write',
        query: noQuery,
        body: noBody,
        response: { 200: FormListItem },
        detail: {
          summary: 'Close a form',
          description: 'It takes no more answers. Closing a closed form changes nothing.',
        },
      },
    )
    .post(
      '/:id/publish',
      ({ request, params }) => write(request, async (tx, caller) => ok(await publishForm(tx, caller, params.id))),
      {
        scope: 'forms:write',
        query: noQuery,
        body: noBody,
        response: { 200: FormListItem },
        detail: {
          summary: 'Publish a form',
          description:
            'Makes what is drafted what respondents are asked from now on, and the form `active`, unless its settings say ' +
            'that collecting is over: it can be answered at `/f/{launchCode}` then. Who has begun goes on with what they were ' +
            'asked. Publishing again what has not changed changes nothing.',
        },
      },
    )
}
