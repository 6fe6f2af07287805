import { type Answer, type Parameter, type Reference, reference, type Schema } from './types.ts'

/** What the sections of the document hold. A tag that a route uses must stand here. */
export const tags: Record<string, string> = {
  Account: 'The key in use.',
  Forms: 'Surveys, quizzes and polls of 19 question types, and the workspaces they are kept in.',
  Responses: 'What people answered.',
  Contacts: 'People of the CRM, with the organisations and groups they belong to.',
  Tickets: 'The support inbox: tickets, their threads, replies and statuses.',
  Webhooks: 'Subscriptions to events, pushed as signed batches.',
  'Knowledge base': 'Articles of live-chat sources, which the assistant answers from.',
}

export const securitySchemes = {
  bearer: { type: 'http', scheme: 'bearer', description: '`Authorization: Bearer sk_…` (recommended).' },
  apiKey: { type: 'apiKey', in: 'header', name: 'X-Api-Key', description: '`X-Api-Key: sk_…`, equivalent.' },
}

/** Shown above the operations. */
export const introduction = `Forms, contacts and a support inbox behind one REST API.

**Keys.** Every request carries an API key, in \`Authorization: Bearer sk_…\` or in \`X-Api-Key\`. A key belongs to a
tenant and holds scopes; each operation names the scope it needs. A missing, unknown, expired or revoked key is always
the same empty 401.

**Lists** come newest first, as \`{items, nextCursor}\`. Send \`nextCursor\` back as \`cursor\` for the next page; null means
there is none. To poll for news, use a time filter instead.

**Requests** are strict: an unknown field or query parameter is a 400 that names it. In a body, a field sent as null
counts as left out unless its description says that null clears it. Bodies are JSON of at most 1 MiB. Times are RFC 3339
date-times with an offset.

**Errors** carry \`error\`, stable and for programs, and \`message\`, for people. 401 and 429 have no body.

**Limits.** A key may make a limited number of requests in any 60 seconds (120 unless configured otherwise). Above that
the answer is an empty 429 whose \`Retry-After\` says how many seconds to wait.

**Retries.** Every POST takes an \`Idempotency-Key\`: the same request under the same key is answered from memory for
24 hours, with \`Idempotent-Replayed: true\`, instead of being done twice.`

const header = (description: string, schema: Schema) => ({ description, schema })

export const headers = {
  'X-Request-Id': header('Id of this request: quote it when asking for help.', {
    type: 'string',
    example: 'kq3xT1aB-1f',
  }),
  'RateLimit-Limit': header('Requests the key may make in any 60 seconds.', { type: 'integer', example: 120 }),
  'RateLimit-Remaining': header('Requests left of them.', { type: 'integer', example: 119 }),
  'RateLimit-Reset': header('Seconds until the oldest counted request no longer counts.', {
    type: 'integer',
    example: 60,
  }),
  'Retry-After': header('Seconds to wait before trying again.', { type: 'integer', example: 12 }),
  Location: header('Path of what was created.', {
    type: 'string',
    example: '/v1/contacts/0195500e-5c40-7b2f-9d3e-2f1a6c0b8e47',
  }),
  'Idempotent-Replayed': header('`true` on an answer replayed for its Idempotency-Key, else absent.', {
    type: 'string',
    enum: ['true'],
  }),
}

const limited = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'] as const

export function headersOf(...names: (keyof typeof headers)[]): Record<string, Reference> {
  return Object.fromEntries(['X-Request-Id', ...names].map((name) => [name, reference('headers', name)]))
}

export const withLimits = (...names: (keyof typeof headers)[]) => headersOf(...limited, ...names)

export const idempotencyKey: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'Of your making: the same request under the same key is done once, and answered alike for 24 hours.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
}

/** The error answers that several operations share, by status. */
export const errorAnswers: Record<string, { name: string; answer: Answer }> = {
  400: problem('InvalidRequest', 'The request breaks a rule: the message names the place and the rule.', {
    error: 'invalid_request',
    message: 'limit: must be a whole number of 0 or more',
  }),
  401: {
    name: 'Unauthorized',
    answer: { description: 'The key is missing, unknown, expired or revoked. No body.', headers: headersOf() },
  },
  404: problem('NotFound', 'There is no such thing, or it is not visible to the tenant.', {
    error: 'not_found',
    message: 'contact not found',
  }),
  409: problem(
    'Conflict',
    'The request conflicts with what is there, or its Idempotency-Key was used with another request.',
    {
      error: 'conflict',
      message: 'a contact with this email already exists',
      contactId: '0195500e-5c40-7b2f-9d3e-2f1a6c0b8e47',
    },
  ),
  413: problem('TooLarge', 'The body is larger than 1 MiB.', {
    error: 'invalid_request',
    message: 'body: must be at most 1 MiB',
  }),
  422: problem('Unprocessable', 'The request is well-formed but cannot be fulfilled.', {
    error: 'unprocessable',
    message: 'only email tickets can be replied to',
  }),
  429: {
    name: 'TooManyRequests',
    answer: { description: 'Too many requests. No body.', headers: withLimits('Retry-After') },
  },
  500: problem('InternalError', 'A fault of ours.', {
    error: 'internal_error',
    message: 'Something went wrong on our side. Quote request kq3xT1aB-1f.',
  }),
  502: problem('DeliveryFailed', 'A delivery downstream failed: not caused by the request, which may be repeated.', {
    error: 'delivery_failed',
    message: 'the mail could not be sent',
  }),
}

function problem(name: string, description: string, example: object): { name: string; answer: Answer } {
  const schema = reference('schemas', 'Problem') as unknown as Schema
  return { name, answer: { description, headers: withLimits(), content: { 'application/json': { schema, example } } } }
}
