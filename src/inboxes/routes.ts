import { Elysia } from 'elysia'
import type { Deps } from '../deps.ts'
import { api } from '../http/api.ts'
import { page, wholeList, wholeListQuery } from '../http/requests/schemas.ts'
import { Inbox, type ListedInbox } from './model.ts'
import { listInboxes } from './operations.ts'

/** `GET /v1/inboxes` (decisions §2). */
export function inboxRoutes(deps: Deps) {
  const { db } = deps.database
  return new Elysia({ prefix: '/v1/inboxes', tags: ['Tickets'] })
    .use(api(deps))
    .get('/', async ({ principal }) => wholeList((await listInboxes(db, principal.tenantId)).map(shown)), {
      scope: 'tickets:read',
      query: wholeListQuery,
      response: { 200: page(Inbox) },
      detail: { summary: 'List inboxes', description: 'All of them, newest first, archived ones too.' },
    })
}

const shown = ({ archivedAt: _, ...inbox }: Inbox): ListedInbox => inbox
