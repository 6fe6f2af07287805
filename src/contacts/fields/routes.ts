import { Elysia } from 'elysia'
import type { Deps } from '../../deps.ts'
import { api } from '../../http/api.ts'
import { page, wholeList, wholeListQuery } from '../../http/requests/schemas.ts'
import { ContactField } from '../model.ts'
import { listCustomFields } from '../rows.ts'

/** `/v1/contact-fields` (decisions §23). */
export function contactFieldRoutes(deps: Deps) {
  const { db } = deps.database
  return new Elysia({ prefix: '/v1/contact-fields', tags: ['Contacts'] })
    .use(api(deps))
    .get('/', async ({ principal }) => wholeList((await listCustomFields(db, principal.tenantId)).reverse()), {
      scope: 'contacts:read',
      query: wholeListQuery,
      response: { 200: page(ContactField) },
      detail: {
        operationId: 'listContactFields',
        summary: 'List the custom fields of contacts',
        description: 'All of them, newest first. They are made in the console.',
      },
    })
}
