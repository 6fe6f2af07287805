import { exampleOf } from './examples.ts'
import { operationIdOf, pathParameters } from './paths.ts'
import { correctSchema } from './schemas.ts'
import { errorAnswers, idempotencyKey, withLimits } from './shared.ts'
import {
  type Answer,
  type Media,
  type Operation,
  type Parameter,
  type Reference,
  reference,
  type Schema,
} from './types.ts'

/** An operation as the plugin writes it: everything optional, JSON Schemas as they are checked. */
export interface RawOperation {
  summary?: string
  description?: string
  tags?: string[]
  operationId?: string
  'x-scope'?: string
  parameters?: (Omit<Parameter, 'example'> & { examples?: unknown[] })[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses?: Record<string, Schema & { content?: Record<string, { schema: Schema }> }>
}

export interface Shared {
  schemas: Record<string, Schema>
  parameters: Record<string, Parameter>
  /** All paths of the document. */
  paths: string[]
}

/** Completes and corrects what the plugin says of one route. */
export function correctOperation(method: string, path: string, raw: RawOperation, shared: Shared): Operation {
  const scope = raw['x-scope'] ?? 'none'
  const operationId = operationIdOf(method, path)
  const requestBody = method === 'get' || method === 'delete' ? undefined : correctBody(raw, operationId, shared)
  return {
    operationId,
    summary: raw.summary ?? '',
    description: [raw.description, scopeSentence(scope)].filter(Boolean).join('\n\n'),
    tags: raw.tags ?? [],
    'x-scope': scope,
    parameters: correctParameters(method, path, raw, shared),
    ...(requestBody && { requestBody }),
    responses: correctResponses(method, path, raw, scope, shared),
  }
}

function scopeSentence(scope: string): string {
  return scope === 'none' ? 'Needs no scope.' : `Needs scope \`${scope}\`.`
}

function correctParameters(method: string, path: string, raw: RawOperation, { schemas, parameters }: Shared) {
  const inQuery = (raw.parameters ?? [])
    .filter((parameter) => parameter.in === 'query')
    .map((parameter) => queryParameter(parameter, schemas))
  if (method === 'post') parameters[idempotencyKey.name] = idempotencyKey
  return [
    ...pathParameters(path),
    ...inQuery,
    ...(method === 'post' ? [reference('parameters', idempotencyKey.name)] : []),
  ]
}

/** An example of an optional parameter goes into its description: Swagger UI would send it unasked. */
function queryParameter(
  { schema, description = '', ...parameter }: Parameter,
  schemas: Record<string, Schema>,
): Parameter {
  const { example, description: _, ...correct } = correctSchema({ ...schema, description }, schemas)
  const such = example === undefined ? '' : ` Such as \`${example}\`.`
  return {
    name: parameter.name,
    in: 'query',
    required: parameter.required,
    description: description + such,
    schema: correct,
  }
}

/** A body without fields is none: the empty object that is let through need not be documented. */
function correctBody(raw: RawOperation, operationId: string, { schemas }: Shared): Operation['requestBody'] {
  const schema = raw.requestBody?.content['application/json']?.schema
  if (!schema || Object.keys((schema.properties as object | undefined) ?? {}).length === 0) return undefined
  const { examples = [], ...rest } = schema as Schema & { examples?: unknown[] }
  const title = operationId.charAt(0).toUpperCase() + operationId.slice(1)
  const correct = correctSchema({ title, ...rest }, schemas)
  return {
    required: true,
    content: { 'application/json': { schema: correct, ...examplesOf(examples, correct, schemas) } },
  }
}

function examplesOf(examples: unknown[], schema: Schema, schemas: Record<string, Schema>): Omit<Media, 'schema'> {
  if (examples.length === 0) return { example: exampleOf(schema, schemas) }
  if (examples.length === 1) return { example: examples[0] }
  return { examples: Object.fromEntries(examples.map((value, index) => [`example${index + 1}`, { value }])) }
}

function correctResponses(method: string, path: string, raw: RawOperation, scope: string, shared: Shared) {
  const responses: Record<string, Answer | Reference> = {}
  const declared = Object.entries(raw.responses ?? {})
  const successes = declared.filter(([status]) => status.startsWith('2'))
  for (const [status, answer] of successes) {
    const headers = successHeaders(method, path, status, shared)
    responses[status] = success(status, answer, headers, shared)
  }
  if (successes.length === 0) responses[204] = { description: 'Done. No body.', headers: withLimits() }
  for (const status of errorStatuses(
    method,
    path,
    declared.map(([status]) => status),
  )) {
    responses[status] = reference('responses', (errorAnswers[status] as { name: string }).name)
  }
  if (scope !== 'none') responses[403] = forbidden(scope)
  return responses
}

/** What every route may answer, what follows from its method and path, and what it declares itself. */
function errorStatuses(method: string, path: string, declared: string[]): string[] {
  const statuses = new Set(['400', '401', '429', '500'])
  if (path.includes('{')) statuses.add('404')
  if (method === 'post' || method === 'put') statuses.add('413')
  if (method === 'post') statuses.add('409')
  for (const status of declared) if (status in errorAnswers) statuses.add(status)
  return [...statuses].sort()
}

const meanings: Record<string, string> = { 200: 'Done.', 201: 'Created.', 202: 'Accepted.' }

/** The plugin moves an object's title and description from the schema to the answer: they go back. */
function success(
  status: string,
  raw: NonNullable<RawOperation['responses']>[string],
  headers: Record<string, Reference>,
  shared: Shared,
): Answer {
  const { content, headers: _, ...keywords } = raw
  const schema = correctSchema(open({ ...keywords, ...content?.['application/json']?.schema }), shared.schemas)
  const isFile = schema.format === 'binary'
  return {
    description: meanings[status] ?? 'Done.',
    headers,
    content: isFile
      ? { 'application/octet-stream': { schema, example: 'the bytes of the file' } }
      : { 'application/json': { schema, example: exampleOf(schema, shared.schemas) } },
  }
}

/** What was created has a location where there is a path to read it by. */
function successHeaders(method: string, path: string, status: string, { paths }: Shared) {
  const isReadable =
    method === 'put' || paths.some((other) => other.startsWith(path) && /^\/\{\w+\}$/.test(other.slice(path.length)))
  return withLimits(
    ...(status === '201' && isReadable ? (['Location'] as const) : []),
    ...(method === 'post' ? (['Idempotent-Replayed'] as const) : []),
  )
}

/** Answers may gain fields. Besides, Elysia closes an answer's outermost object once its route has been called. */
function open(schema: Schema): Schema {
  return JSON.parse(JSON.stringify(schema), (keyword, value) =>
    keyword === 'additionalProperties' && value === false ? undefined : value,
  )
}

function forbidden(scope: string): Answer {
  return {
    description: `The key lacks the scope \`${scope}\`.`,
    headers: withLimits(),
    content: {
      'application/json': {
        schema: reference('schemas', 'Problem') as unknown as Schema,
        example: { error: 'insufficient_scope', message: `this key lacks the scope ${scope}` },
      },
    },
  }
}
