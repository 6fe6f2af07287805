import type { OpenApiDocument, Operation, Parameter, Reference, Schema } from '../docs/types.ts'

/* What of the client follows from the document: types of all that is sent, and a method for each operation. */

/** The sources that `runtime/` is completed with, by file name. */
export async function generate(document: OpenApiDocument): Promise<Record<string, string>> {
  return { 'schema.ts': await schemaOf(document), 'index.ts': clientOf(document) }
}

/** All types of the document. What makes them needs a TypeScript that has an API, which 7 has not. */
async function schemaOf(document: OpenApiDocument): Promise<string> {
  Bun.plugin({
    name: 'a TypeScript with an API',
    setup: (build) => {
      build.module('typescript', async () => ({ loader: 'object', exports: await import('typescript-5') }))
    },
  })
  const { default: typescript } = await import('typescript-5')
  const { default: openapiTS, astToString } = await import('openapi-typescript')
  const transform = ({ format }: { format?: string }) =>
    format === 'binary' ? typescript.factory.createTypeReferenceNode('Blob') : undefined
  // biome-ignore lint/suspicious/noExplicitAny: its own types name another TypeScript
  return astToString(await openapiTS(JSON.stringify(document), { transform: transform as any }))
}

function clientOf(document: OpenApiDocument): string {
  const methods = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => methodOf(method, path, operation, document)),
  )
  return `import { type CallOptions, type ClientOptions, type Listed, methodsOf, type Operation } from './runtime/calling.ts'
import { type ReceivedHeaders, verifyDelivery } from './runtime/verify.ts'
import type { components, operations as Operations, webhooks } from './schema.ts'

export { FrontdeskError } from './runtime/error.ts'
export type { CallOptions, ClientOptions, Listed, ReceivedHeaders }

/** All that is sent and answered, by its name in the OpenAPI document. */
export type Schemas = components['schemas']
/** A delivery of events, and one event of it: \`event\` tells which kind of payload it has. */
export type Batch = webhooks['events']['post']['requestBody']['content']['application/json']
export type Event = Batch['events'][number]
/** What an operation takes as its query. */
export type Query<Id extends keyof Operations> = NonNullable<Operations[Id]['parameters']['query']>
type Content<T> = T extends { content: infer C } ? C[keyof C] : never
/** What an operation takes as its body. */
export type Body<Id extends keyof Operations> = Content<NonNullable<Operations[Id]['requestBody']>>
type Success<T> = { [S in keyof T]: S extends 200 | 201 | 202 ? Content<T[S]> : never }[keyof T]
/** What an operation answers. */
export type Answer<Id extends keyof Operations> = Success<Operations[Id]['responses']>

/** A method for each operation of the API. They take what is in the path, then the body, then the query. */
export interface Client {
${methods.map(({ type }) => type).join('\n')}
}

const operations: { readonly [Id in keyof Client]: Operation } = {
${methods.map(({ entry }) => entry).join('\n')}
}

/** Opens nothing: each method makes its request when it is called. */
export function createClient(options: ClientOptions): Client {
  return methodsOf(operations, options) as unknown as Client
}

/**
 * The events of a delivery, whose signature is checked against \`secret\`: over \`body\` as it came, not parsed and written
 * again. For a secret of the form \`whsec_…\`, which is signed with the time of the attempt, a delivery that is older than 5
 * minutes is refused, too. Throws a FrontdeskError with the code \`invalid_signature\`: answer it with its status, 401.
 */
export async function verify(
  secret: string,
  body: string | Uint8Array | ArrayBuffer,
  headers: ReceivedHeaders,
): Promise<Batch> {
  return (await verifyDelivery(secret, body, headers)) as Batch
}
`
}

/** The line of an operation in the interface of the client, and the one in the table that it is called by. */
function methodOf(method: string, path: string, operation: Operation, document: OpenApiDocument) {
  const { operationId: id } = operation
  const query = operation.parameters
    .map((parameter) => resolved<Parameter>(document, parameter))
    .filter((parameter) => parameter.in === 'query')
  const [mediaType, sent] = Object.entries(operation.requestBody?.content ?? {})[0] ?? []
  const { list, file, answer } = answerOf(operation, document)
  const takes = [
    ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => `${name}: string`),
    ...(sent ? [`body: ${refersTo(sent.schema) ?? `Body<'${id}'>`}`] : []),
    ...(query.length > 0 ? [`query${query.some(({ required }) => required) ? '' : '?'}: Query<'${id}'>`] : []),
    'options?: CallOptions',
  ]
  const of = [
    ...(sent ? [mediaType === 'multipart/form-data' ? 'form' : 'body'] : []),
    ...(query.length > 0 ? ['query'] : []),
    ...(list ? ['list'] : []),
    ...(file ? ['file'] : []),
  ]
  const words = [method.toUpperCase(), path, ...of].map((word) => `'${word}'`)
  return {
    type: `${commentOf(operation)}\n  ${id}(${takes.join(', ')}): ${list ? `Listed<${answer}>` : `Promise<${answer}>`}`,
    entry: `  ${id}: [${words.join(', ')}],`,
  }
}

function answerOf({ operationId, responses }: Operation, document: OpenApiDocument) {
  const [success] = Object.entries(responses).flatMap(([status, answer]) => (status.startsWith('2') ? [answer] : []))
  const [media] = Object.values((success && 'content' in success && success.content) || {})
  if (!media) return { list: false, file: false, answer: 'void' }
  const { schema } = media
  if (schema.format === 'binary') return { list: false, file: true, answer: 'Response' }
  const { properties = {} } = ('$ref' in schema ? resolved<Schema>(document, schema as never) : schema) as {
    properties?: object
  }
  const list = 'items' in properties && 'nextCursor' in properties
  return { list, file: false, answer: refersTo(schema) ?? `Answer<'${operationId}'>` }
}

/** The type of a schema that is shared, by its name. */
function refersTo({ $ref }: Schema): string | undefined {
  return typeof $ref === 'string' ? `Schemas['${$ref.split('/').at(-1)}']` : undefined
}

function resolved<T>(document: OpenApiDocument, of: T | Reference): T {
  if (!('$ref' in (of as object))) return of as T
  const [kind, name] = (of as Reference).$ref.split('/').slice(-2) as ['parameters', string]
  return document.components[kind][name] as T
}

function commentOf({ summary, description }: Operation): string {
  const lines = `${summary}\n\n${description}`.replaceAll('*/', '*\\/').trim().split('\n')
  return `  /**\n${lines.map((line) => `   * ${line}`.trimEnd()).join('\n')}\n   */`
}
