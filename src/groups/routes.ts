import { Elysia } from 'elysia'
import type { Deps } from '../deps.ts'
import { api } from '../http/api.ts'
import { created, ok, writer } from '../http/idempotency/write.ts'
import { noQuery, page, problem, wholeList, wholeListQuery } from '../http/requests/schemas.ts'
import { Group, GroupCreate, GroupUpdate } from './model.ts'
import { createGroup, getGroup, groupIdIn, listGroups, updateGroup } from './operations.ts'

/** `/v1/groups` (decisions §2, §23); contacts delete them, who have to leave first. */
export function groupRoutes(deps: Deps) {
  const { db } = deps.database
  const { write } = writer(deps)
  return new Elysia({ prefix: '/v1/groups', tags: ['Contacts'] })
    .use(api(deps))
    .get('/', async ({ principal }) => wholeList(await listGroups(db, principal.tenantId)), {
      scope: 'contacts:read',
      query: wholeListQuery,
      response: { 200: page(Group) },
      detail: { summary: 'List groups', description: 'All of them, newest first.' },
    })
    .post(
      '/',
      ({ request, body }) =>
        write(request, async (tx, caller) => {
          const group = await createGroup(tx, caller, body)
          return created(`/v1/groups/${group.id}`, group)
        }),
      {
        scope: 'contacts:write',
        query: noQuery,
        body: GroupCreate,
        response: { 201: Group },
        detail: {
          summary: 'Create a group',
          description:
            'Contacts join by the `groupIds` that they are written with, or by a rule. Each time is noted, as is each time ' +
            'that one leaves: with the wording, that is the proof of what somebody agreed to and when.',
        },
      },
    )
    .get('/:id', ({ principal, params }) => getGroup(db, principal.tenantId, groupIdIn(params.id)), {
      scope: 'contacts:read',
      query: noQuery,
      response: { 200: Group },
      detail: { summary: 'Read a group' },
    })
    .put(
      '/:id',
      ({ request, body, params }) =>
        write(request, async (tx, caller) => ok(await updateGroup(tx, caller, groupIdIn(params.id), body))),
      {
        scope: 'contacts:write',
        query: noQuery,
        body: GroupUpdate,
        response: { 200: Group, 409: problem('conflict', 'the members of this group have agreed to its wording') },
        detail: {
          summary: 'Update a group',
          description:
            'What members agreed to cannot be changed behind their backs: while somebody is in the group, another wording ' +
            'or kind of consent is a 409. Make another group for another wording.',
        },
      },
    )
}
