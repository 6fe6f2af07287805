import { Elysia } from 'elysia'
import type { Deps } from '../deps.ts'
import { api } from '../http/api.ts'
import { created, noContent, ok, writer } from '../http/idempotency/write.ts'
import { noQuery, page, wholeList, wholeListQuery } from '../http/requests/schemas.ts'
import { Webhook, WebhookCreate, WebhookUpdate } from './model.ts'
import { createWebhook, deleteWebhook, getWebhook, listWebhooks, updateWebhook } from './operations.ts'

/** `/v1/webhooks` (api.md §4, decisions §2): the subscriptions themselves. */
export function webhookRoutes(deps: Deps) {
  const { db } = deps.database
  const { write } = writer(deps)
  const policy = { ...deps.config.webhook, secrets: deps.secrets }
  return new Elysia({ prefix: '/v1/webhooks', tags: ['Webhooks'] })
    .use(api(deps))
    .get('/', async ({ principal }) => wholeList(await listWebhooks(db, principal.tenantId)), {
      scope: 'webhooks:manage',
      query: wholeListQuery,
      response: { 200: page(Webhook) },
      detail: { summary: 'List webhooks', description: 'All of them, newest first.' },
    })
    .post(
      '/',
      ({ request, body }) =>
        write(request, async (tx, caller) => {
          const webhook = await createWebhook(tx, caller, body, policy)
          return created(`/v1/webhooks/${webhook.id}`, webhook)
        }),
      {
        scope: 'webhooks:manage',
        query: noQuery,
        body: WebhookCreate,
        response: { 201: Webhook },
        detail: {
          summary: 'Create a webhook',
          description: 'Events from now on are collected for about 20 seconds and sent together to the URL.',
        },
      },
    )
    .get('/:webhookId', ({ principal, params }) => getWebhook(db, principal.tenantId, params.webhookId), {
      scope: 'webhooks:manage',
      query: noQuery,
      response: { 200: Webhook },
      detail: { summary: 'Read a webhook' },
    })
    .put(
      '/:webhookId',
      ({ request, body, params }) =>
        write(request, async (tx, caller) => ok(await updateWebhook(tx, caller, params.webhookId, body, policy))),
      {
        scope: 'webhooks:manage',
        query: noQuery,
        body: WebhookUpdate,
        response: { 200: Webhook },
        detail: {
          summary: 'Update a webhook',
          description:
            'Replaces name, URL, events and `active`. The secret is kept when left out or null, cleared by an empty ' +
            'string, and replaced by any other value.',
        },
      },
    )
    .delete(
      '/:webhookId',
      ({ request, params }) =>
        write(request, async (tx, caller) => {
          await deleteWebhook(tx, caller, params.webhookId, policy)
          return noContent
        }),
      {
        scope: 'webhooks:manage',
        query: noQuery,
        detail: { summary: 'Delete a webhook', description: 'Deliveries stop at once; their history stays readable.' },
      },
    )
}
