import { Elysia } from 'elysia'
import type { Deps } from '../../deps.ts'
import { api } from '../../http/api.ts'
import { accepted, ok, writer } from '../../http/idempotency/write.ts'
import { listQuery, noBody, noQuery, page, problem, readPage, readTime } from '../../http/requests/schemas.ts'
import { sendTest, testResult } from '../delivery/test-delivery.ts'
import { Delivery, deliveryStatus, Replay, ReplayCreate, TestResult } from '../model.ts'
import { planReplay, startReplay } from '../replay/replay.ts'
import { listDeliveries } from './history.ts'
import { redeliver } from './redelivery.ts'

/** `/v1/webhooks/{webhookId}/…` (api.md §6 Test delivery, decisions §2): what is sent to a subscription. */
export function deliveryRoutes(deps: Deps) {
  const { db } = deps.database
  const { write, writeAfter } = writer(deps)
  return new Elysia({ prefix: '/v1/webhooks/:webhookId', tags: ['Webhooks'] })
    .use(api(deps))
    .post(
      '/test',
      ({ request, params }) =>
        writeAfter(
          request,
          ({ tenantId, at }) => sendTest(deps, tenantId, params.webhookId, at),
          async (_tx, _caller, result) => ok(testResult(result)),
        ),
      {
        scope: 'webhooks:manage',
        query: noQuery,
        body: noBody,
        response: { 200: TestResult },
        detail: {
          summary: 'Send a test delivery',
          description:
            'Sends one sample event of the first kind subscribed, signed like any other, to an inactive subscription too, ' +
            'and says what the receiver answered. Once every 5 seconds for a subscription: sooner is a 429 with `Retry-After`.',
        },
      },
    )
    .post(
      '/replay',
      ({ request, params, body }) =>
        writeAfter(
          request,
          ({ tenantId }) =>
            planReplay(db, tenantId, params.webhookId, {
              since: readTime(body.since) as string,
              until: readTime(body.until ?? undefined) ?? null,
            }),
          async (tx, caller, planned) => accepted(await startReplay(tx, caller, params.webhookId, planned)),
        ),
      {
        scope: 'webhooks:manage',
        query: noQuery,
        body: ReplayCreate,
        response: {
          202: Replay,
          409: problem('conflict', 'events are being sent to this webhook again already'),
        },
        detail: {
          operationId: 'replayEvents',
          summary: 'Send events again',
          description:
            'Sends the events of a time of the last 31 days again to this subscription alone, of the kinds that it asks for: in ' +
            'order, with their `eventId`s, in batches behind what waits. One replay of a subscription at a time.',
        },
      },
    )
    .get(
      '/deliveries',
      ({ principal, params, query }) =>
        listDeliveries(db, principal.tenantId, params.webhookId, readPage(query), query.status),
      {
        scope: 'webhooks:manage',
        query: listQuery({ status: deliveryStatus }),
        response: { 200: page(Delivery) },
        detail: {
          operationId: 'listDeliveries',
          summary: 'List deliveries of a webhook',
          description: 'Batches of events with every attempt to send them, newest first; of a deleted webhook too.',
        },
      },
    )
    .post(
      '/deliveries/:batchId/redeliver',
      ({ request, params }) =>
        write(request, async (tx, caller) => accepted(await redeliver(tx, caller, params.webhookId, params.batchId))),
      {
        scope: 'webhooks:manage',
        query: noQuery,
        body: noBody,
        response: {
          202: Delivery,
          409: problem('conflict', 'this delivery is pending: it is still on its way'),
        },
        detail: {
          operationId: 'redeliverBatch',
          summary: 'Redeliver a batch',
          description:
            'Queues a batch that was delivered or has failed again, behind what waits: the same `batchId`, `eventId`s ' +
            'and bytes, with a fresh set of attempts.',
        },
      },
    )
}
