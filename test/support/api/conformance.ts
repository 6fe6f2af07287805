import Ajv, { type ValidateFunction } from 'ajv/dist/2020'
import { documentedPath } from '../../../src/docs/paths.ts'
import { mapValues } from '../../../src/docs/schemas.ts'
import type { Answer as Documented, OpenApiDocument, Operation, Reference, Schema } from '../../../src/docs/types.ts'
import { isUuid } from '../../../src/lib/ids.ts'
import { parseTime } from '../../../src/lib/time.ts'
import type { Answer, TestApp } from '../app.ts'
import type { Route } from './routes.ts'

/** The document as it is served. */
export async function documentOf(app: TestApp): Promise<OpenApiDocument> {
  return (await app.request('GET', '/docs/json')).body
}

export interface DocumentedOperation extends Operation {
  method: string
  /** `/v1/contacts/{id}`. */
  path: string
}

export function operationsOf({ paths }: OpenApiDocument): DocumentedOperation[] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
  )
}

/**
 * The document as it would be if these were all its operations, and it said no more of answers than that they work: all
 * that a request is made from, and a tenth of what Swagger UI would resolve and render at every step.
 */
export function documentOnly(
  document: OpenApiDocument,
  operations: readonly Pick<DocumentedOperation, 'path' | 'method'>[],
): OpenApiDocument {
  const paths: OpenApiDocument['paths'] = {}
  for (const { path, method } of operations) {
    const name = method.toLowerCase()
    const operation = document.paths[path]?.[name] as Operation
    paths[path] = { ...paths[path], [name]: { ...operation, responses: successesOf(document, operation) } }
  }
  const { securitySchemes } = document.components
  const components: OpenApiDocument['components'] = {
    schemas: {},
    parameters: {},
    headers: {},
    responses: {},
    securitySchemes,
  }
  const take = (thing: object): void => {
    for (const [, kind, name] of JSON.stringify(thing).matchAll(/"#\/components\/(\w+)\/(\w+)"/g)) {
      const [of, into] = [document.components, components].map((all) => all[kind as keyof typeof all])
      if (!of || !into || !name || into[name]) continue
      into[name] = of[name] as object
      take(of[name] as object)
    }
  }
  take(paths)
  return { ...document, paths, webhooks: {}, components }
}

/** In which media types they come, and nothing of what is in them: a request says which it accepts. */
function successesOf(document: OpenApiDocument, { responses }: Operation): Operation['responses'] {
  const successes = Object.entries(responses).filter(([status]) => status < '300')
  return Object.fromEntries(
    successes.map(([status, response]) => {
      const { description, content } = resolved<Documented>(document, response)
      return [status, { description, ...(content && { content: mapValues(content, () => ({ schema: {} })) }) }]
    }),
  )
}

/** The operations of `/v1`, which take a key: the others are the respondents'. */
export function keyedOperationsOf(document: OpenApiDocument): DocumentedOperation[] {
  return operationsOf(document).filter(({ security }) => security === undefined)
}

/** What a reference of the document refers to, or the thing itself. */
export function resolved<T extends object>(document: OpenApiDocument, thing: T | Reference): T {
  if (!('$ref' in thing)) return thing
  const [, , kind, name] = (thing as Reference).$ref.split('/') as [
    string,
    string,
    keyof OpenApiDocument['components'],
    string,
  ]
  return document.components[kind][name] as T
}

/** Headers that are documented for a status, and sent on some occasions only. */
const OCCASIONAL = ['Idempotent-Replayed']

/** Something that names an operation: a route of the app or one of the document. */
type Operated = Pick<Route, 'method' | 'path'>

/** The example of the body that an operation takes, or undefined for one that takes none. */
export function bodyOf(document: OpenApiDocument, route: Operated): unknown {
  const operation = document.paths[documentedPath(route.path)]?.[route.method.toLowerCase()]
  const media = operation?.requestBody?.content['application/json']
  return media?.example ?? Object.values(media?.examples ?? {})[0]?.value
}

export type Conformance = ReturnType<typeof conformance>

/** Says what of `value` breaks a schema of the document, fields that it does not name included. */
export function schemaFaults(document: OpenApiDocument, schema: Schema, value: unknown): string[] {
  const validate = validatorOf(document, schema)
  validate(value)
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
}

interface Checker {
  ajv: Ajv
  validators: Map<object, ValidateFunction>
}

/** To read a document's components takes longer than most checks, so it is done once for each. */
const checkers = new WeakMap<OpenApiDocument, Checker>()
const COMPONENTS = 'document:/'

function validatorOf(document: OpenApiDocument, schema: Schema): ValidateFunction {
  const { ajv, validators } = checkers.get(document) ?? newChecker(document)
  const validate = validators.get(schema) ?? ajv.compile(referring(closed(schema)))
  validators.set(schema, validate)
  return validate
}

function newChecker(document: OpenApiDocument): Checker {
  const ajv = new Ajv({
    strict: false,
    formats: {
      uuid: isUuid,
      'date-time': (text) => parseTime(text) !== null,
      uri: (text) => URL.canParse(text),
      int32: true,
      int64: true,
      binary: true,
    },
  })
  ajv.addSchema({ $id: COMPONENTS, components: closed(document.components) })
  const checker = { ajv, validators: new Map() }
  checkers.set(document, checker)
  return checker
}

/** A schema that stands outside of the document, and refers to what is in it. */
function referring(schema: Schema): Schema {
  return JSON.parse(JSON.stringify(schema), (key, value) =>
    key === '$ref' && typeof value === 'string' ? value.replace(/^#/, `${COMPONENTS}#`) : value,
  )
}

/** Tells how answers differ from what the document says of them: their status, headers, and every field, no more and no less. */
export function conformance(document: OpenApiDocument) {
  const operations = new Map(
    operationsOf(document).map((operation) => [`${operation.method} ${operation.path}`, operation]),
  )

  function bodyFaults(documented: Documented, answer: Answer): string[] {
    const media = documented.content?.['application/json']
    if (documented.content && !media) return []
    if (!media) return answer.text === '' ? [] : ['has a body']
    if (!answer.headers.get('content-type')?.startsWith('application/json')) return ['is not JSON']
    return schemaFaults(document, media.schema, answer.body)
  }

  return (route: Operated, answer: Answer): string[] => {
    const method = route.method
    const path = documentedPath(route.path)
    const documented = operations.get(`${method} ${path}`)?.responses[answer.status]
    if (!documented) return [`${method} ${path}: ${answer.status} is not documented: ${answer.text}`]
    const expected = resolved<Documented>(document, documented)
    const missing = Object.keys(expected.headers ?? {}).filter(
      (header) => !OCCASIONAL.includes(header) && !answer.headers.has(header),
    )
    return [...missing.map((header) => `lacks ${header}`), ...bodyFaults(expected, answer)].map(
      (fault) => `${method} ${path} ${answer.status}: ${fault}`,
    )
  }
}

/** The document lets answers gain fields; here what it does not name is a fault. */
function closed<T>(schemas: T): T {
  return JSON.parse(JSON.stringify(schemas), (_, value) =>
    value?.type === 'object' && value.properties && !('additionalProperties' in value)
      ? { ...value, additionalProperties: false }
      : value,
  )
}
