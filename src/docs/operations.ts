import type { Examples } from '../ports/examples.ts'
import { BAD_LIMIT, BAD_QUERY, errorAnswers } from './errors.ts'
import { exampleOf } from './examples.ts'
import { operationIdOf, pathParameters } from './paths.ts'
import { correctSchema, extensible } from './schemas.ts'
import { headersOf, idempotencyKey, ifNoneMatch, isKeyless, respondentsIdempotencyKey, withLimits } from './shared.ts'
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

/** A route of the service, with the JSON Schemas of what it takes and answers as they are checked. */
export interface Route {
  readonly method: string
  readonly path: string
  readonly query?: { properties: Record<string, Schema>; required?: string[] }
  readonly body?: Schema
  readonly responses: Readonly<Record<string, Schema>>
  readonly detail: {
    operationId?: string
    summary?: string
    description?: string
    tags?: string[]
    'x-scope'?: string
    /** Of a body that is not JSON, and so not checked by a schema. */
    requestBody?: { content: Record<string, { schema: Schema }> }
  }
}

export interface Shared {
  schemas: Record<string, Schema>
  parameters: Record<string, Parameter>
  responses: Record<string, Answer>
  /** All paths of the document. */
  paths: string[]
  examples: Examples
}

/** What the document says of one route: what it declares itself, and what follows from its method, path and scope. */
export function describeOperation(route: Route, shared: Shared): Operation {
  const { method, path, detail, responses } = route
  const scope = detail['x-scope'] ?? 'none'
  const operationId = detail.operationId ?? operationIdOf(method, path)
  const requestBody = requestBodyOf(route, operationId, shared)
  const parameters = parametersOf(route, shared)
  return {
    operationId,
    summary: detail.summary ?? '',
    description: [detail.description, scopeSentence(scope, responses)].filter(Boolean).join('\n\n'),
    tags: detail.tags ?? [],
    'x-scope': scope,
    ...(scope === 'public' && { security: [] }),
    ...(scope === 'visitor' && { security: [{ visitor: [] }] }),
    parameters,
    ...(requestBody && { requestBody }),
    responses: {
      ...successesOf(route, scope, shared),
      ...(isTagged(route) && { 304: { description: 'Nothing has changed. No body.', headers: withLimits('ETag') } }),
      ...errorAnswers(
        {
          method,
          path,
          scope,
          declared: declaredErrors(responses),
          takesBody: requestBody !== undefined,
          badRequest: badRequest(parameters, requestBody, shared),
        },
        shared.responses,
      ),
    },
  }
}

/** Where it depends on what is asked for, the route says it itself. */
function scopeSentence(scope: string, responses: Route['responses']): string {
  if (scope === 'public') return 'Takes no key.'
  if (scope === 'visitor') {
    return (
      'Takes the token of a visitor of that source. To try it out: become a visitor first (`POST /chat/{sourceId}/visitors`), ' +
      'and put the `token` of the answer behind “Authorize”, under `visitor`.'
    )
  }
  if (scope === 'none' && '403' in responses) return ''
  return scope === 'none' ? 'Needs no scope.' : `Needs scope \`${scope}\`.`
}

function parametersOf(route: Route, shared: Shared) {
  const { method, path, query } = route
  const inQuery = Object.entries(query?.properties ?? {}).map(([name, schema]) =>
    queryParameter(name, schema, query?.required?.includes(name) ?? false, shared),
  )
  const [keyName, key] = path.startsWith('/f/')
    ? (['Respondents-Idempotency-Key', respondentsIdempotencyKey] as const)
    : ([idempotencyKey.name, idempotencyKey] as const)
  if (method === 'post') shared.parameters[keyName] = key
  if (isTagged(route)) shared.parameters[ifNoneMatch.name] = ifNoneMatch
  return [
    ...pathParameters(path, shared.examples),
    ...inQuery,
    ...(method === 'post' ? [reference('parameters', keyName)] : []),
    ...(isTagged(route) ? [reference('parameters', ifNoneMatch.name)] : []),
  ]
}

/** Whether what it answers has an `ETag`: what a key reads, but files. */
function isTagged({ method, detail, responses }: Route): boolean {
  const isFile = (responses[200]?.documented as Schema | undefined)?.format === 'binary'
  return method === 'get' && !isKeyless(detail['x-scope'] ?? 'none') && !isFile
}

/** An id to try an optional parameter with goes into its description: Swagger UI would send it unasked. */
function queryParameter(
  name: string,
  declared: Schema,
  required: boolean,
  { schemas, examples: { ids } }: Shared,
): Parameter {
  const { description, ...schema } = correctSchema({ type: declared.type, ...declared }, schemas)
  const such = ids[name] === undefined ? '' : ` Such as \`${ids[name]}\`.`
  return { name, in: 'query', required, description: `${description ?? ''}${such}`, schema }
}

/** A body without fields is none: the empty object that is let through need not be documented. */
function requestBodyOf({ method, body, detail }: Route, operationId: string, shared: Shared): Operation['requestBody'] {
  if (method === 'get' || method === 'delete') return undefined
  const content = detail.requestBody?.content ?? { 'application/json': { schema: body ?? {} } }
  const [[mediaType, { schema: declared }]] = Object.entries(content) as [[string, { schema: Schema }]]
  if (Object.keys(declared.properties ?? {}).length === 0) return undefined
  const { examples, namedExamples, ...rest } = declared
  const title = operationId.charAt(0).toUpperCase() + operationId.slice(1)
  const schema = correctSchema({ title, ...rest }, shared.schemas)
  const given = shared.examples.bodies[operationId] ?? (examples as unknown[] | undefined)?.[0]
  const shown: Omit<Media, 'schema'> = namedExamples
    ? { examples: namedExamples as Record<string, Example> }
    : { example: given ?? exampleOf(schema, shared.schemas) }
  return { required: true, content: { [mediaType]: { schema, ...shown } } }
}

/** The errors a route declares, with the example of each where it has one. */
function declaredErrors(responses: Route['responses']): Record<string, object | undefined> {
  const errors = Object.entries(responses).filter(([status]) => !status.startsWith('2'))
  return Object.fromEntries(errors.map(([status, { examples }]) => [status, (examples as object[] | undefined)?.[0]]))
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
  const isPaged = parameters.some(
    (parameter) => 'schema' in parameter && parameter.in === 'query' && parameter.schema.type === 'integer',
  )
  return isPaged ? BAD_LIMIT : BAD_QUERY
}

/** What a route declares as its success; one that declares none has no body. */
function successesOf(route: Route, scope: string, shared: Shared): Record<string, Answer> {
  const successes = Object.entries(route.responses).filter(([status]) => status.startsWith('2'))
  if (successes.length === 0) return { 204: { description: 'Done. No body.', headers: withLimits() } }
  return Object.fromEntries(
    successes.map(([status, schema]) => [
      status,
      success(status, schema, successHeaders(route, status, scope, shared), shared),
    ]),
  )
}

const meanings: Record<string, string> = { 200: 'Done.', 201: 'Created.', 202: 'Accepted.' }

function success(status: string, declared: Schema, headers: Record<string, Reference>, { schemas }: Shared): Answer {
  const { required, ...fields } = declared
  const schema = correctSchema(extensible({ ...fields, required }), schemas)
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
function successHeaders(route: Route, status: string, scope: string, { paths }: Shared) {
  const { method, path } = route
  const names = method === 'post' ? (['Idempotent-Replayed'] as const) : []
  if (isKeyless(scope)) return headersOf(...names)
  const isReadable =
    method === 'put' || paths.some((other) => other.startsWith(path) && /^\/\{\w+\}$/.test(other.slice(path.length)))
  return withLimits(
    ...(isTagged(route) ? (['ETag'] as const) : []),
    ...(status === '201' && isReadable ? (['Location'] as const) : []),
    ...names,
  )
}
