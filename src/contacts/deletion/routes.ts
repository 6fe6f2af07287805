import { Elysia } from 'elysia'
import type { Deps } from '../../deps.ts'
import { groupIdIn } from '../../groups/operations.ts'
import { api } from '../../http/api.ts'
import { writer } from '../../http/idempotency/write.ts'
import { noQuery, problem } from '../../http/requests/schemas.ts'
import { deleteGroup } from './group.ts'
import { deleteOrganisation } from './organisation.ts'

/** Deletion of what contacts belong to, and leave first: `/v1/organisations/{id}` and `/v1/groups/{id}` (decisions §23). */
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
    .delete(
      '/groups/:id',
      ({ request, params }) => {
        const id = groupIdIn(params.id)
        return writeInSteps(request, (tx, caller) => deleteGroup(tx, caller, id))
      },
      {
        scope: 'contacts:write',
        query: noQuery,
        response: {
          409: problem(
            'conflict',
            'contacts of the file guests.csv are joining this group: wait until all are in, or stop that',
          ),
        },
        detail: {
          summary: 'Delete a group',
          description:
            'Its contacts stay, and leave it: `updated_since` finds them, no event tells of it. What each had agreed to, when, ' +
            'and that they left stays part of their history and of their export, in the words of the group. A rule that names ' +
            'the group fails from then on and is shown as failing. The contacts of a large one leave a few hundred at a time: ' +
            'if the answer is lost, send it again.',
        },
      },
    )
}
