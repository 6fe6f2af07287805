import type { Examples } from '../ports/examples.ts'
import { BAD_LIMIT, BAD_QUERY, errorAnswers } from './errors.ts'
import { exampleOf } from './examples.ts'
import { pathParameters } from './paths.ts'
import { correctSchema, extensible } from './schemas.ts'
import { headersOf, idempotencyKey, isKeyless, respondentsIdempotencyKey, withLimits } from './shared.ts'
import {
  type Answer,
  type Example,
  type Media,
  type Operation,
  type Parameter,
  type Reference,
  reference,
  type Schema,
} from './types.ts'

type RawContent = Record<string, { schema: Schema }>

/** An operation as the plugin writes it: everything optional, JSON Schemas as they are checked. */
export interface RawOperation {
  operationId: string
  summary?: string
  description?: string
  tags?: string[]
  'x-scope'?: string
  parameters?: Parameter[]
  requestBody?: { content: RawContent }
  responses?: Record<string, Schema & { content?: RawContent }>
}

export interface Shared {
  schemas: Record<string, Schema>
  parameters: Record<string, Parameter>
  responses: Record<string, Answer>
  /** All paths of the document. */
  paths: string[]
  examples: Examples
}

/** Completes and corrects what the plugin says of one route. */
export function correctOperation(method: string, path: string, raw: RawOperation, shared: Shared): Operation {
  const scope = raw['x-scope'] ?? 'none'
  const { operationId } = raw
  const requestBody = method === 'get' || method === 'delete' ? undefined : correctBody(raw, shared)
  const parameters = correctParameters(method, path, raw, shared)
  return {
    operationId,
    summary: raw.summary ?? '',
    description: [raw.description, scopeSentence(scope)].filter(Boolean).join('\n\n'),
    tags: raw.tags ?? [],
    'x-scope': scope,
    ...(scope === 'public' && { security: [] }),
    ...(scope === 'visitor' && { security: [{ visitor: [] }] }),
    parameters,
    ...(requestBody && { requestBody }),
    responses: {
      ...correctSuccesses(method, path, raw, scope, shared),
      ...errorAnswers(
        {
          method,
          path,
          scope,
          declared: declaredErrors(raw),
          takesBody: requestBody !== undefined,
          badRequest: badRequest(parameters, requestBody, shared),
        },
        shared.responses,
      ),
    },
  }
}

function scopeSentence(scope: string): string {
  if (scope === 'public') return 'Takes no key.'
  if (scope === 'visitor') {
    return (
      'Takes the token of a visitor of that source. To try it out: become a visitor first (`POST /chat/{sourceId}/visitors`), ' +
      'and put the `token` of the answer behind “Authorize”, under `visitor`.'
    )
  }
  return scope === 'none' ? 'Needs no scope.' : `Needs scope \`${scope}\`.`
}

function correctParameters(method: string, path: string, raw: RawOperation, shared: Shared) {
  const inQuery = (raw.parameters ?? [])
    .filter((parameter) => parameter.in === 'query')
    .map((parameter) => queryParameter(parameter, shared))
  const [keyName, key] = path.startsWith('/f/')
    ? (['Respondents-Idempotency-Key', respondentsIdempotencyKey] as const)
    : ([idempotencyKey.name, idempotencyKey] as const)
  if (method === 'post') shared.parameters[keyName] = key
  return [
    ...pathParameters(path, shared.examples),
    ...inQuery,
    ...(method === 'post' ? [reference('parameters', keyName)] : []),
  ]
}

/** An example of an optional parameter goes into its description: Swagger UI would send it unasked. */
function queryParameter(
  { schema, description = '', name, required }: Parameter,
  { schemas, examples: { ids } }: Shared,
): Parameter {
  const { examples = [], description: _, ...correct } = correctSchema({ ...schema, description }, schemas)
  const [example] = ids[name] === undefined ? (examples as unknown[]) : [ids[name]]
  const such = example === undefined ? '' : ` Such as \`${example}\`.`
  return { name, in: 'query', required, description: description + such, schema: correct }
}

/** A body without fields is none: the empty object that is let through need not be documented. */
function correctBody({ requestBody, operationId }: RawOperation, shared: Shared): Operation['requestBody'] {
  const [mediaType, media] = Object.entries(requestBody?.content ?? {})[0] ?? []
  if (!mediaType || !media || Object.keys((media.schema.properties as object | undefined) ?? {}).length === 0) {
    return undefined
  }
  const { examples, namedExamples, ...rest } = media.schema
  const title = operationId.charAt(0).toUpperCase() + operationId.slice(1)
  const schema = correctSchema({ title, ...rest }, shared.schemas)
  const given = shared.examples.bodies[operationId] ?? (examples as unknown[] | undefined)?.[0]
  const shown: Omit<Media, 'schema'> = namedExamples
    ? { examples: namedExamples as Record<string, Example> }
    : { example: given ?? exampleOf(schema, shared.schemas) }
  return { required: true, content: { [mediaType]: { schema, ...shown } } }
}

/** The errors a route declares, with the example of each where it has one. */
function declaredErrors({ responses = {} }: RawOperation): Record<string, object | undefined> {
  const errors = Object.entries(responses).filter(([status]) => !status.startsWith('2'))
  return Object.fromEntries(
    errors.map(([status, answer]) => {
      const { examples } = { ...answer, ...answer.content?.['application/json']?.schema }
      return [status, (examples as object[] | undefined)?.[0]]
    }),
  )
}

/** The plainest thing that can be wrong with a request: something missing from it, else something too much in it. */
function badRequest(
  parameters: (Parameter | Reference)[],
  requestBody: Operation['requestBody'],
  { schemas }: Shared,
): string {
  const json = requestBody?.content['application/json']?.schema
  if (json) {
    const [missing] = (schemas[String(json.$ref).split('/').at(-1) ?? '']?.required as string[] | undefined) ?? []
    return missing ? `${missing}: is required` : 'nonsense: unknown field'
  }
  if (requestBody) return 'body: must be sent as content-type multipart/form-data'
  const isPaged = parameters.some((parameter) => 'schema' in parameter && parameter.schema.type === 'integer')
  return isPaged ? BAD_LIMIT : BAD_QUERY
}

/** What a route declares as its success; one that declares none has no body. */
function correctSuccesses(method: string, path: string, raw: RawOperation, scope: string, shared: Shared) {
  const responses: Record<string, Answer> = {}
  const successes = Object.entries(raw.responses ?? {}).filter(
    ([status, { content }]) =>
      status.startsWith('2') && Object.keys(content?.['application/json']?.schema ?? {}).length > 0,
  )
  for (const [status, answer] of successes) {
    responses[status] = success(status, answer, successHeaders(method, path, status, scope, shared), shared)
  }
  if (successes.length === 0) responses[204] = { description: 'Done. No body.', headers: withLimits() }
  return responses
}

const meanings: Record<string, string> = { 200: 'Done.', 201: 'Created.', 202: 'Accepted.' }

/** The plugin moves an object's title and description from the schema to the answer: they go back. */
function success(
  status: string,
  raw: NonNullable<RawOperation['responses']>[string],
  headers: Record<string, Reference>,
  { schemas }: Shared,
): Answer {
  const { content, headers: _, ...keywords } = raw
  const schema = correctSchema(extensible({ ...keywords, ...content?.['application/json']?.schema }), schemas)
  const isFile = schema.format === 'binary'
  return {
    description: meanings[status] ?? 'Done.',
    headers,
    content: isFile
      ? // Each file is sent as the type its content has.
        { '*/*': { schema, example: 'the bytes of the file' } }
      : { 'application/json': { schema, example: exampleOf(schema, schemas) } },
  }
}

/** What was created has a location where there is a path to read it by. */
function successHeaders(method: string, path: string, status: string, scope: string, { paths }: Shared) {
  const names = method === 'post' ? (['Idempotent-Replayed'] as const) : []
  if (isKeyless(scope)) return headersOf(...names)
  const isReadable =
    method === 'put' || paths.some((other) => other.startsWith(path) && /^\/\{\w+\}$/.test(other.slice(path.length)))
  return withLimits(...(status === '201' && isReadable ? (['Location'] as const) : []), ...names)
}
