import { nameOf } from '../docs/schemas.ts'
import type { Answer, OpenApiDocument, Operation, Parameter, Reference, Schema } from '../docs/types.ts'
import { resolved, standalone } from './schemas.ts'

/** An operation of `/v1` as agents call it: made from the OpenAPI document, and from nothing else. */
export interface Tool {
  /** What a key needs for it; `none` where any key will do. */
  readonly scope: string
  readonly method: string
  /** `/v1/contacts/{id}`. */
  readonly path: string
  /** Where each argument goes. */
  readonly arguments: Readonly<Record<string, Place>>
  /** What it answers. */
  readonly answers: 'record' | 'page' | 'whole list' | 'file' | 'nothing'
  /** As agents are told of it. */
  readonly listed: ListedTool
}

/** `body field` is one of the body's fields, `body` all of it. `here` is what the answer is cut by, and not sent on. */
export type Place = 'path' | 'query' | 'idempotency key' | 'body field' | 'body' | 'here'

export interface ListedTool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: ObjectSchema
  readonly outputSchema?: ObjectSchema
  readonly annotations: {
    readonly readOnlyHint: boolean
    readonly destructiveHint: boolean
    readonly idempotentHint: boolean
  }
}

type ObjectSchema = Schema & { type: 'object' }

/** The argument that says where long texts go on, which an answer that was cut names. */
export const TEXT_FROM = 'textFrom'

/** A tool for every operation of `/v1`, by its name, which is its operationId (decisions §23). */
export function toolsOf(document: OpenApiDocument): ReadonlyMap<string, Tool> {
  const tools = Object.entries(document.paths)
    .filter(([path]) => path.startsWith('/v1/'))
    .flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, operation]) => toolOf(document, path, method, operation)),
    )
  return new Map(tools.map((tool) => [tool.listed.name, tool]))
}

function toolOf(document: OpenApiDocument, path: string, method: string, operation: Operation): Tool {
  const { schemas } = document.components
  const output = successOf(operation)
  const answers = kindOf(output, operation, document)
  const input = inputOf(document, method, operation, answers)
  return {
    scope: operation['x-scope'],
    method: method.toUpperCase(),
    path,
    answers,
    arguments: input.places,
    listed: {
      name: operation.operationId,
      title: operation.summary,
      description: [operation.summary, operation.description].filter(Boolean).join('\n\n'),
      inputSchema: standalone(input.schema, schemas) as ObjectSchema,
      ...(output && answers !== 'file' && { outputSchema: standalone(output, schemas) as ObjectSchema }),
      annotations: {
        readOnlyHint: method === 'get',
        // Besides deleting, what replaces or changes what was there.
        destructiveHint: method === 'delete' || method === 'put',
        idempotentHint: method !== 'post',
      },
    },
  }
}

function successOf({ responses }: Operation): Schema | undefined {
  const [, answer] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? []
  const [media] = Object.values((answer as Answer | undefined)?.content ?? {})
  return media?.schema
}

function kindOf(output: Schema | undefined, operation: Operation, document: OpenApiDocument): Tool['answers'] {
  if (!output) return 'nothing'
  if (output.format === 'binary') return 'file'
  const { properties = {} } = resolved(output, document.components.schemas)
  const names = Object.keys(properties as object)
  if (!names.includes('items') || !names.includes('nextCursor')) return 'record'
  const limit = parametersOf(document, operation).find(({ name }) => name === 'limit')
  // Lists that are never paged take a `limit` and do not look at it (decisions §1).
  return limit?.schema.type === 'integer' ? 'page' : 'whole list'
}

function inputOf(document: OpenApiDocument, method: string, operation: Operation, answers: Tool['answers']) {
  const properties: Record<string, Schema> = {}
  const required: string[] = []
  const places: Record<string, Place> = {}
  const add = (name: string, place: Place, schema: Schema, isRequired = false) => {
    properties[name] = schema
    places[name] = place
    if (isRequired) required.push(name)
  }
  for (const { name, in: where, required, description, schema } of parametersOf(document, operation)) {
    const told = description === undefined ? schema : { ...schema, description }
    if (where === 'header' && name === 'Idempotency-Key') add('idempotencyKey', 'idempotency key', told)
    if (where === 'header') continue
    if (answers !== 'whole list') add(name, where, told, required)
    else if (name === 'cursor') add(name, 'here', told)
    else if (name !== 'limit') add(name, where, told, required)
  }
  const body = operation.requestBody?.content['application/json']?.schema
  if (body) {
    const { properties: fields = {}, required: needed = [] } = resolved(body, document.components.schemas)
    const names = Object.keys(fields as object)
    if (names.length === 0 || names.some((name) => name in places)) add('body', 'body', body, true)
    else for (const name of names) addField(name, (fields as Record<string, Schema>)[name] ?? {}, needed as string[])
  }
  function addField(name: string, schema: Schema, needed: string[]): void {
    add(name, 'body field', schema, needed.includes(name))
  }
  if (method === 'get' && answers !== 'nothing') add(TEXT_FROM, 'here', textFrom)
  return { places, schema: { type: 'object', properties, required, additionalProperties: false } }
}

const textFrom: Schema = {
  type: 'integer',
  minimum: 0,
  description: 'From which character on texts are given that an earlier answer was cut in: it says so.',
}

function parametersOf({ components }: OpenApiDocument, { parameters }: Operation): Parameter[] {
  return parameters.flatMap((parameter: Parameter | Reference) => {
    if (!('$ref' in parameter)) return [parameter]
    const shared = components.parameters[nameOf(parameter.$ref)]
    return shared ? [shared] : []
  })
}
