import { Elysia } from 'elysia'
import type { Deps } from '../deps.ts'
import { api } from '../http/api.ts'
import { writer } from '../http/idempotency/write.ts'
import { noQuery } from '../http/requests/schemas.ts'
import { deleteOrganisation } from './organisation-deletion.ts'

/** Deletion of what contacts belong to, and leave first: `/v1/organisations/{id}` (decisions §23). */
export function belongingDeletionRoutes(deps: Deps) {
  const { writeInSteps } = writer(deps)
  return new Elysia({ prefix: '/v1', tags: ['Contacts'] })
    .use(api(deps))
    .delete(
      '/organisations/:id',
      ({ request, params }) => writeInSteps(request, (tx, caller) => deleteOrganisation(tx, caller, params.id)),
      {
        scope: 'contacts:write',
        query: noQuery,
        detail: {
          summary: 'Delete an organisation',
          description:
            'Its contacts stay, without an organisation: `updated_since` finds them, no event tells of it. A rule whose ' +
            'conditions name it fails from then on and is shown as failing. The contacts of a large one leave a few hundred ' +
            'at a time: if the answer is lost, send it again.',
        },
      },
    )
}
