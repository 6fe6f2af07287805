import { EventBatch } from '../eventlog/model.ts'
import { eventNames } from '../kinds/events.ts'
import { bodyHead, bodyList, eventJson } from '../webhooks/body/envelope.ts'
import { samples } from '../webhooks/body/samples.ts'
import { EXAMPLE_UUID } from './examples.ts'
import { correctSchema, extensible } from './schemas.ts'
import type { Example, Parameter, Schema, Webhook } from './types.ts'

const description = `Sent to the \`url\` of a subscription: the events of about 20 seconds in one \`POST\`.

**Signature.** When the subscription has a secret, \`X-Signature\` is the Base64 (standard alphabet) of the HMAC-SHA256 of
the exact bytes of the body, keyed by the secret as it was written. Compute it over the raw body, before parsing, and
compare in constant time. A secret of the form \`whsec_…\` also gets the three headers of Standard Webhooks
(https://www.standardwebhooks.com), so that its libraries verify deliveries as they are.

**Answer** any 2xx within 30 seconds. Anything else, a redirect too, is repeated after about 30 seconds and 2, 8, 30 and
30 minutes; then the batch has failed and the next one goes on. Batches of a subscription come in order. A repeated batch
has the same bytes: remember each \`eventId\`, and skip it when it comes again.`

const headers: Parameter[] = [
  header('X-Signature', 'Base64 of the HMAC-SHA256 of the body; absent when the subscription has no secret.'),
  header('X-Webhook-Batch', 'The `batchId`.', { required: true }),
  header('X-Webhook-Attempt', '1 for the first attempt, 6 for the last.', {
    required: true,
    schema: { type: 'integer', minimum: 1, maximum: 6 },
  }),
  header('webhook-id', 'The `batchId`, for a secret of the form `whsec_…` only, as the two below.'),
  header('webhook-timestamp', 'When the attempt was made, in seconds since 1970.', { schema: { type: 'integer' } }),
  header('webhook-signature', '`v1,` and the signature of Standard Webhooks.'),
]

/** What the service sends to subscribers (api.md §6), its schemas put into `shared`. */
export function webhooks(shared: Record<string, Schema>): Record<string, Record<string, Webhook>> {
  return {
    events: {
      post: {
        operationId: 'receiveEvents',
        summary: 'Receive events',
        description,
        tags: ['Webhooks'],
        security: [],
        parameters: headers,
        requestBody: {
          required: true,
          content: {
            'application/json': { schema: correctSchema(extensible(EventBatch), shared), examples: examples() },
          },
        },
        responses: {
          '2XX': { description: 'Taken. The body of the answer is not looked at.' },
          '4XX': { description: 'Not taken: sent again, as after any answer but a 2xx.' },
        },
      },
    },
  }
}

/** A delivery of each kind of event. */
function examples(): Record<string, Example> {
  const timestamp = '2026-01-01T09:00:20.000Z'
  const head = bodyHead({ batchId: EXAMPLE_UUID, subscriberId: EXAMPLE_UUID, timestamp })
  return Object.fromEntries(
    eventNames.map((event) => {
      const payload = JSON.stringify(samples[event])
      const sent = eventJson({ eventId: EXAMPLE_UUID, event, timestamp: '2026-01-01T09:00:00.000Z', payload })
      return [event, { summary: event, value: JSON.parse(head + bodyList([sent])) }]
    }),
  )
}

function header(name: string, description: string, more: Partial<Parameter> = {}): Parameter {
  return { name, in: 'header', required: false, description, schema: { type: 'string' }, ...more }
}
