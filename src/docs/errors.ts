import { NOT_COLLECTING } from '../forms/closing.ts'
import { errorWords } from '../http/answers/errors.ts'
import { EXAMPLE_REQUEST, EXAMPLE_UUID } from './examples.ts'
import { nounOf } from './paths.ts'
import { headersOf, isKeyless, withLimits } from './shared.ts'
import { type Answer, type Reference, reference, type Schema, schemaReference } from './types.ts'

const known = errorWords()
const wordsOf = (status: number) => known.filter((word) => word.status === status).map(({ word }) => word)
const text = (description: string, example: string): Schema => ({ type: 'string', description, examples: [example] })
const message = text('For people; may change.', 'email: is required')
const param = text(
  'The place that the message begins with, absent where it names none: a field of the body, such as `pages[0].questions[3].options`, a parameter or a header.',
  'email',
)
const requestId = text(
  'Id of the request, as in `X-Request-Id`; of an answer that is replayed, that of the first.',
  EXAMPLE_REQUEST,
)

/** The bodies of errors (api.md §7). */
export const errorSchemas: Record<string, Schema> = {
  Problem: {
    title: 'Problem',
    type: 'object',
    description: 'What went wrong.',
    required: ['error', 'message', 'requestId'],
    properties: {
      error: {
        type: 'string',
        enum: [...new Set(known.map(({ word }) => word))],
        description: 'Stable and machine-readable: branch on this.',
      },
      message,
      param,
      requestId,
    },
  },
  Conflict: {
    title: 'Conflict',
    type: 'object',
    description: 'What the request conflicts with.',
    required: ['error', 'message', 'requestId'],
    properties: {
      error: { type: 'string', enum: wordsOf(409) },
      message: { ...message, examples: ['a contact with this email already exists'] },
      contactId: {
        type: 'string',
        format: 'uuid',
        description: 'The contact that has the email already, where that is the conflict.',
        examples: [EXAMPLE_UUID],
      },
      param: { ...param, examples: ['Idempotency-Key'] },
      requestId,
    },
  },
}

/** What a list says of its page, and any operation of a query. */
export const BAD_LIMIT = 'limit: must be a whole number of 0 or more'
export const BAD_QUERY = 'nonsense: unknown query parameter'

interface ErrorAnswer {
  /** Under which operations share it, where all of them say the same. */
  readonly shared?: string
  readonly description: string
  readonly schema?: string
  readonly example?: object
  /** Of an operation that takes no key, where that differs. */
  readonly publicExample?: object
  /** Headers beside those of every answer. */
  readonly headers?: 'Retry-After'[]
}

const errors: Record<number, ErrorAnswer> = {
  400: { description: 'The request breaks a rule: the message names the place and the rule.' },
  401: { shared: 'Unauthorized', description: 'The key is missing, unknown, expired or revoked. No body.' },
  403: { description: 'The key lacks the scope.' },
  404: { description: 'There is no such thing, or it is not visible to the tenant.' },
  409: {
    shared: 'KeyReused',
    description: 'The request conflicts with what is there, or its Idempotency-Key was used with another request.',
    schema: 'Conflict',
    example: { error: 'conflict', message: 'Idempotency-Key: was used with another request' },
  },
  413: {
    shared: 'BodyTooLarge',
    description: 'The body is too large.',
    example: { error: 'invalid_request', message: 'body: must be at most 1 MiB' },
    publicExample: { error: 'invalid_request', message: 'body: must be at most 256 KiB' },
  },
  422: { description: 'The request is well-formed but cannot be fulfilled.' },
  429: { shared: 'TooManyRequests', description: 'Too many requests. No body.', headers: ['Retry-After'] },
  500: {
    shared: 'InternalError',
    description: 'A fault of ours.',
    example: {
      error: 'internal_error',
      message: `Something went wrong on our side. Quote request ${EXAMPLE_REQUEST}.`,
    },
  },
  502: { description: 'Something downstream failed: not caused by the request, which may be repeated.' },
  503: {
    shared: 'Unavailable',
    description: 'Nothing can be stored at the moment. Nothing was changed; send it again later.',
    example: {
      error: 'unavailable',
      message: 'nothing can be stored at the moment, and nothing was changed: try again later',
    },
    headers: ['Retry-After'],
  },
}

/** What is known of an operation whose errors are described. */
export interface Failing {
  readonly method: string
  readonly path: string
  /** `public` or `visitor` for one that takes no key. */
  readonly scope: string
  /** The statuses the route declares itself, with the example of each where it has one. */
  readonly declared: Readonly<Record<string, object | undefined>>
  readonly takesBody: boolean
  /** What a 400 says, where the route gives no example. */
  readonly badRequest: string
}

/** The error answers of an operation; those that all share go into `shared`. */
export function errorAnswers(operation: Failing, shared: Record<string, Answer>): Record<string, Answer | Reference> {
  const isPublic = isKeyless(operation.scope)
  return Object.fromEntries(
    statusesOf(operation).map((status) => {
      const name = operation.declared[status] ? undefined : sharedName(status, operation)
      const answer = errorAnswer(status, operation)
      if (!name) return [status, answer]
      const ofKind = isPublic ? `Public${name}` : name
      shared[ofKind] ??= answer
      return [status, reference('responses', ofKind)]
    }),
  )
}

/**
 * What operations that say the very same share it under; undefined where an operation has words of its own. A page that
 * shows the document reads it whole for every operation that is opened, so what is said once is worth having.
 */
function sharedName(status: number, { path, scope, badRequest }: Failing): string | undefined {
  switch (status) {
    case 400:
      return badRequest === BAD_LIMIT ? 'InvalidLimit' : badRequest === BAD_QUERY ? 'UnknownParameter' : undefined
    case 403:
      return `Lacks${pascalCase(scope)}`
    case 404:
      return `${pascalCase(nounOf(path) ?? '')}NotFound`
    default:
      return errors[status]?.shared
  }
}

/** `forms:read` → `FormsRead`. */
function pascalCase(words: string): string {
  return words.replace(/(?:^|\W+)(\w)/g, (_, letter) => letter.toUpperCase())
}

/** What every route may answer, what follows from its method, path and scope, and what it declares itself. */
function statusesOf({ method, path, scope, takesBody, declared }: Failing): number[] {
  const writes = method === 'post' || method === 'put' || method === 'delete'
  const statuses = new Set([400, 429, 500, ...Object.keys(declared).map(Number)])
  if (scope !== 'public') statuses.add(401)
  if (!isKeyless(scope) && scope !== 'none') statuses.add(403)
  if (nounOf(path)) statuses.add(404)
  if (method === 'post') statuses.add(409)
  if (takesBody || method === 'post') statuses.add(413)
  if (writes) for (const { status } of known) if (status === 503) statuses.add(status)
  return [...statuses].filter((status) => status in errors).sort()
}

function errorAnswer(status: number, operation: Failing): Answer {
  const { description, schema = 'Problem', headers = [], ...common } = errors[status] as ErrorAnswer
  const isPublic = isKeyless(operation.scope)
  const ofAll = (isPublic ? common.publicExample : undefined) ?? common.example
  const example = operation.declared[status] ?? ofAll ?? exampleOf(status, operation)
  return {
    description: descriptionOf(status, operation) ?? description,
    headers: isPublic || status === 401 ? headersOf(...headers) : withLimits(...headers),
    ...(example && { content: { 'application/json': { schema: schemaReference(schema), example: whole(example) } } }),
  }
}

/** An example as it is answered: with the place that its message begins with, and the id of its request. */
function whole(example: object): object {
  const [, place] = /^(\S+(?: \(question \d+\))?): /.exec((example as { message: string }).message) ?? []
  return { ...example, ...(place && { param: place }), requestId: EXAMPLE_REQUEST }
}

function descriptionOf(status: number, { scope }: Failing): string | undefined {
  if (status === 403) return isKeyless(scope) ? 'This site may not do that.' : `The key lacks the scope \`${scope}\`.`
  if (status === 401 && scope === 'visitor') return 'The token is missing, unknown, or of another source. No body.'
  return undefined
}

function exampleOf(status: number, { path, scope, badRequest }: Failing): object | undefined {
  const noun = nounOf(path)
  if (status === 400) return { error: 'invalid_request', message: badRequest }
  if (status === 403) return { error: 'insufficient_scope', message: `this key lacks the scope ${scope}` }
  if (status === 404 && noun === 'form' && scope === 'public') return { error: 'not_found', message: NOT_COLLECTING }
  if (status === 404 && noun) return { error: 'not_found', message: `${noun} not found` }
  return undefined
}
