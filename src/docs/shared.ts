import { MAX_KEY, MIN_SHARED_KEY } from '../http/idempotency/write.ts'
import { EXAMPLE_REQUEST, EXAMPLE_TAG, EXAMPLE_UUID } from './examples.ts'
import { type Parameter, type Reference, reference, type Schema } from './types.ts'

/** What the sections of the document hold. A tag that a route uses must stand here. */
export const tags: Record<string, string> = {
  Account: 'The key in use.',
  Forms: 'Surveys, quizzes and polls of 19 question types, and the workspaces they are kept in.',
  Responses: 'What people answered.',
  Contacts: 'People of the CRM, with the organisations and groups they belong to.',
  Tickets: 'The support inbox: tickets, their threads, replies and statuses.',
  Webhooks: 'Subscriptions to events, pushed as signed batches; what is pushed stands under Webhooks below.',
  'Knowledge base': 'Articles of live-chat sources, which the assistant answers from.',
  Assistant: 'Questions of visitors, answered from the articles of a source: without a key and from any site.',
  Collection:
    'What respondents use, without a key and from any site: hosted pages and headless clients. `/f/{launchCode}` itself ' +
    'is the form as a page. Counted per address.',
  'Live chat':
    'What the chat on a site does, for clients of your own: without a key, and from any site or those that the source names. ' +
    'New messages also come over the WebSocket `/chat/{sourceId}/socket`, whose first frame is `{"token"}`. Counted per address.',
}

/** Whether no API key is sent, so that nothing is counted for one. */
export function isKeyless(scope: string): boolean {
  return scope === 'public' || scope === 'visitor'
}

/** How requests say whose they are; a `visitorToken` that works is shown, and put in by the page of the documentation. */
export const securitySchemes = (visitorToken: string | null) => ({
  bearer: { type: 'http', scheme: 'bearer', description: '`Authorization: Bearer sk_…` (recommended).' },
  apiKey: { type: 'apiKey', in: 'header', name: 'X-Api-Key', description: '`X-Api-Key: sk_…`, equivalent.' },
  visitor: {
    type: 'http',
    scheme: 'bearer',
    description:
      '`Authorization: Bearer vt_…`: the `token` that `POST /chat/{sourceId}/visitors` answers.' +
      (visitorToken === null ? '' : ` That of a visitor of the demo is filled in: \`${visitorToken}\`.`),
    ...(visitorToken !== null && { 'x-example': visitorToken }),
  },
})

/** Shown above the operations. */
export const introduction = `Forms, contacts and a support inbox behind one REST API.

**Keys.** Every request carries an API key, in \`Authorization: Bearer sk_…\` or in \`X-Api-Key\`. A key belongs to a
tenant and holds scopes; each operation names the scope it needs. A missing, unknown, expired or revoked key is always
the same empty 401.

**Lists** come newest first, as \`{items, nextCursor}\`. Send \`nextCursor\` back as \`cursor\` for the next page; null means
there is none. To poll for news, use a time filter instead, or read the log of events, \`/v1/events\`, which goes the other way.

**Polling.** Every answer to a GET has an \`ETag\`. Send it in \`If-None-Match\` with the same request: while nothing has
changed, the answer is a 304 without a body. It counts as a request. Programs may keep what they read; \`no-store\` is for
what stands between.

**Requests** are strict: an unknown field or query parameter is a 400 that names it. In a body, a field sent as null
counts as left out unless its description says that null clears it. Bodies are JSON of at most 1 MiB, or 256 KiB where no
key is sent. Times are RFC 3339 date-times with an offset.

**Limits.** A key may make a limited number of requests in any 60 seconds (120 unless configured otherwise). Above that
the answer is an empty 429 whose \`Retry-After\` says how many seconds to wait.

**Errors** have a body \`{error, message, requestId}\`, but 401 and 429, which have none. Branch on \`error\`, which is
stable; \`message\` is for people. Where the message names a place, \`param\` is that place:
\`pages[0].questions[3].options\`, say. Quote \`requestId\` when asking for help.

**Retries.** Every POST takes an \`Idempotency-Key\`: the same request under the same key is answered from memory for
24 hours, with \`Idempotent-Replayed: true\`, instead of being done twice.

**Stability.** What works goes on working: fields are added, and none is renamed or removed. So pass over fields of answers
and events that you do not know. \`/docs/changelog\` says what has been added, and how the headers \`Deprecation\` and
\`Sunset\` would tell of something that goes.

**No browser.** A key is a secret and belongs on a server: \`/v1\` answers no page of another site. The operations under
Collection, Live chat and Assistant take no key and do.`

const header = (description: string, schema: Schema, example: unknown) => ({ description, schema, example })

export const headers = {
  'X-Request-Id': header('Id of this request: quote it when asking for help.', { type: 'string' }, EXAMPLE_REQUEST),
  'RateLimit-Limit': header('Requests the key may make in any 60 seconds.', { type: 'integer' }, 120),
  'RateLimit-Remaining': header('Requests left of them.', { type: 'integer' }, 119),
  'RateLimit-Reset': header('Seconds until the oldest counted request no longer counts.', { type: 'integer' }, 60),
  'Retry-After': header('Seconds to wait before trying again.', { type: 'integer' }, 12),
  ETag: header('Of exactly these bytes: send it back in `If-None-Match`.', { type: 'string' }, EXAMPLE_TAG),
  Location: header('Path of what was created.', { type: 'string' }, `/v1/contacts/${EXAMPLE_UUID}`),
  'Idempotent-Replayed': header(
    '`true` on an answer replayed for its Idempotency-Key, else absent.',
    { type: 'string', enum: ['true'] },
    'true',
  ),
}

const limited = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'] as const

export function headersOf(...names: (keyof typeof headers)[]): Record<string, Reference> {
  return Object.fromEntries(['X-Request-Id', ...names].map((name) => [name, reference('headers', name)]))
}

export const withLimits = (...names: (keyof typeof headers)[]) => headersOf(...limited, ...names)

/** How what is polled costs little. */
export const ifNoneMatch: Parameter = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description: 'An `ETag` that was answered before, or several: if it would be answered again, the answer is a 304.',
  schema: { type: 'string' },
}

export const idempotencyKey: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'Of your making: the same request under the same key is done once, and answered alike for 24 hours.',
  schema: { type: 'string', minLength: 1, maxLength: MAX_KEY },
}

/** What respondents send, who know nobody's keys but can guess. */
export const respondentsIdempotencyKey: Parameter = {
  ...idempotencyKey,
  description: `${idempotencyKey.description} Whoever guesses it gets that answer: make it of chance.`,
  schema: { type: 'string', minLength: MIN_SHARED_KEY, maxLength: MAX_KEY },
}
