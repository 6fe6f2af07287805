import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { api } from '../http/api.ts'
import type { HttpDeps } from '../http/deps.ts'
import { noQuery, uuid } from '../http/requests/schemas.ts'

const Me = Type.Object({
  keyId: uuid('Id of the key.'),
  keyName: Type.String({ examples: ['CRM sync'] }),
  tenantId: uuid('Tenant the key belongs to.'),
  scopes: Type.Array(Type.String(), { examples: [['contacts:read', 'contacts:write']] }),
})

/** `GET /v1/me` (api.md §4). */
export function keyRoutes(deps: HttpDeps) {
  return new Elysia({ prefix: '/v1/me', tags: ['Account'] })
    .use(api(deps))
    .get(
      '/',
      ({ principal: { keyId, keyName, tenantId, scopes } }) => ({ keyId, keyName, tenantId, scopes: [...scopes] }),
      {
        scope: 'none',
        query: noQuery,
        response: { 200: Me },
        detail: { summary: 'Read the key in use' },
      },
    )
}
