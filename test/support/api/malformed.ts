import fc from 'fast-check'
import type { OpenApiDocument, Parameter, Schema } from '../../../src/docs/types.ts'
import { type DocumentedOperation, resolved } from './conformance.ts'
import { idsIn, makesItsRecord, type PathIds } from './routes.ts'

/** A request that breaks a rule, and what is to come of it. */
export interface Malformed {
  what: string
  status: number
  ids?: PathIds
  query?: string
  headers?: Record<string, string>
  body?: string | Uint8Array
  /** What the message has to point at, or inside of. */
  place?: string
}

/** A body of more characters is too large, whatever is in it. */
const MAX_BODY = 1024 * 1024

const jsonType = { 'content-type': 'application/json' }
const text = fc.string({ unit: 'grapheme', maxLength: 40 })
const json = fc.jsonValue({ maxDepth: 2 })

/** Requests of one operation that are malformed for certain. `body` is one that would be accepted. */
export function malformedRequests(
  document: OpenApiDocument,
  operation: DocumentedOperation,
  ids: PathIds,
  body: unknown,
) {
  const kinds = [
    ...queries(operation.parameters.map((parameter) => resolved<Parameter>(document, parameter))),
    ...paths(operation, ids, body),
    ...(operation.method === 'POST' ? [idempotencyKeys(body)] : []),
    ...(operation.method === 'GET' ? [] : bodies(document, operation, body)),
  ]
  return fc.oneof(...kinds)
}

function queries(parameters: Parameter[]): fc.Arbitrary<Malformed>[] {
  const known = parameters.filter((parameter) => parameter.in === 'query')
  const names = known.map(({ name }) => name)
  const refused = (what: string, query: fc.Arbitrary<string>, place?: string) =>
    query.map((query): Malformed => ({ what, status: 400, query, ...(place ? { place } : {}) }))
  const encoded = fc
    .tuple(text, text)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
  return [
    refused(
      'an unknown parameter',
      encoded.filter((query) => !names.includes(query.split('=')[0] as string)),
    ),
    refused(
      'bad percent-encoding',
      fc.constantFrom('%', '%f', '%ff', '%c3%28', '%ed%a0%80').map((bad) => `a=${bad}`),
    ),
    ...known.flatMap(({ name, schema }) => [
      refused(
        `${name} twice`,
        fc.tuple(text, text).map(([a, b]) => `${name}=${encodeURIComponent(a)}&${name}=${encodeURIComponent(b)}`),
        name,
      ),
      ...wrongTexts(name, schema).map((wrong) =>
        refused(
          `a wrong ${name}`,
          wrong.map((value) => `${name}=${encodeURIComponent(value)}`),
          name,
        ),
      ),
    ]),
  ]
}

/** Texts that a parameter cannot be. */
function wrongTexts(name: string, schema: Schema): fc.Arbitrary<string>[] {
  if (schema.type === 'integer') return [text.filter((value) => !/^\d+$/.test(value))]
  if (schema.type === 'boolean') return [text.filter((value) => value !== 'true' && value !== 'false')]
  if (schema.enum) return [text.filter((value) => !(schema.enum as string[]).includes(value))]
  if (schema.format) return [text]
  const tooLong = schema.maxLength === undefined ? [] : [tooLongFor(schema.maxLength as number)]
  return name === 'cursor' && tooLong.length > 0 ? [...tooLong, text] : tooLong
}

const tooLongFor = (max: number) => fc.integer({ min: 1, max: 1000 }).map((more) => 'x'.repeat(max + more))

/** Ids that cannot be: with a character no id or slug has. */
function paths({ path }: DocumentedOperation, ids: PathIds, body: unknown): fc.Arbitrary<Malformed>[] {
  const sent = body === undefined ? {} : { body: JSON.stringify(body), headers: jsonType }
  return idsIn(path).map((owner) =>
    fc
      .tuple(
        fc.constantFrom('!', ' ', "'", '"', '\u0000', 'é', '/', '{'),
        fc.string({ unit: 'grapheme', maxLength: 300 }),
      )
      .map(
        ([bad, rest]): Malformed => ({
          what: `a wrong ${owner} id`,
          status: makesItsRecord({ path }) ? 400 : 404,
          ids: { ...ids, [owner]: bad + rest },
          ...sent,
        }),
      ),
  )
}

function idempotencyKeys(body: unknown): fc.Arbitrary<Malformed> {
  return fc.constantFrom('', 'x'.repeat(256), 'y'.repeat(5000)).map((key) => ({
    what: 'a wrong Idempotency-Key',
    status: 400,
    headers: { ...jsonType, 'idempotency-key': key },
    place: 'Idempotency-Key',
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }))
}

function bodies(document: OpenApiDocument, operation: DocumentedOperation, valid: unknown): fc.Arbitrary<Malformed>[] {
  if (operation.method === 'DELETE') return []
  const schema = operation.requestBody?.content['application/json']?.schema
  const { properties = {} } = schema ? resolved<Schema>(document, schema) : {}
  const refused = (
    what: string,
    body: fc.Arbitrary<string | Uint8Array>,
    place: string | undefined,
    headers: Record<string, string> = jsonType,
  ) => body.map((body): Malformed => ({ what, status: 400, body, headers, ...(place ? { place } : {}) }))
  const raw = [
    refused(
      'no JSON',
      text.filter((body) => body !== '' && !isJson(body)),
      'body',
    ),
    refused(
      'JSON behind which something follows',
      text
        .filter((more) => more.trim() !== '')
        .map((more) => `{}${more}`)
        .filter((body) => !isJson(body)),
      'body',
    ),
    refused(
      'no object',
      fc
        .oneof(fc.array(json), text, fc.double(), fc.boolean(), fc.constant(null))
        .map((value) => JSON.stringify(value)),
      'body',
    ),
    refused(
      'no UTF-8',
      fc
        .uint8Array({ maxLength: 50 })
        .map((bytes) => Buffer.concat([Buffer.from('{"a":"'), bytes, Buffer.from([0xff]), Buffer.from('"}')])),
      'body',
    ),
    refused(
      'deep nesting',
      fc.integer({ min: 32, max: 5000 }).map((depth) => `{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`),
      'body',
    ),
    refused('another type', fc.constant('{}'), 'body', { 'content-type': 'text/plain' }),
  ]
  const unknown = fc
    .tuple(
      text.filter((name) => !Object.hasOwn(properties as object, name)),
      json,
    )
    .map(([name, value]) => ({ name, value }))
  const strange = unknown.map(
    ({ name, value }): Malformed => ({
      what: 'an unknown field',
      status: 400,
      headers: jsonType,
      // Written by hand, since JSON.stringify would leave out `__proto__`.
      body: `${JSON.stringify(valid ?? {}).slice(0, -1)}${valid ? ',' : ''}${JSON.stringify(name)}:${JSON.stringify(value)}}`,
    }),
  )
  if (!schema) return [...raw, strange]
  const wrong = wrongValues(document, schema, valid, true)
    // What is wrong with one contact of a batch is a result: test/contacts/batch.test.ts.
    .filter(({ place }) => place !== '' && !(operation.operationId === 'upsertContacts' && place.includes('[')))
    .map(({ place, what, value }) =>
      value.map((value): Malformed => {
        const body = JSON.stringify(replaced(valid, place, value))
        const refused = body.length > MAX_BODY ? { status: 413, place: 'body' } : { status: 400, place }
        return { what: `${what} as ${place}`, headers: jsonType, body, ...refused }
      }),
    )
  return [...raw, strange, ...wrong, ...wrong]
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const REMOVED = Symbol('removed')

interface Wrong {
  place: string
  what: string
  value: fc.Arbitrary<unknown>
}

/** What cannot stand in the place of each part of a valid value. */
function wrongValues(
  document: OpenApiDocument,
  schemaOrReference: Schema,
  valid: unknown,
  isRequired: boolean,
  place = '',
): Wrong[] {
  const schema = applying(document, schemaOrReference, valid)
  if (valid === null || valid === undefined) return []
  const wrong = (what: string, value: fc.Arbitrary<unknown>): Wrong => ({ place, what, value })
  const here = [
    wrong(
      'another type',
      json.filter((value) => value !== null && typeOf(value) !== typeOf(valid)),
    ),
    ...(isRequired ? [wrong('nothing', fc.constantFrom(REMOVED, null))] : []),
  ]
  if (typeof valid === 'string') return [...here, ...wrongStrings(schema).map((value) => wrong('a wrong text', value))]
  if (typeof valid === 'number')
    return [...here, ...wrongNumbers(schema).map((value) => wrong('a wrong number', value))]
  if (Array.isArray(valid)) {
    const { minItems, maxItems, items } = schema as { minItems?: number; maxItems?: number; items: Schema }
    return [
      ...here,
      ...(minItems
        ? [
            wrong(
              'too few',
              fc.integer({ min: 0, max: minItems - 1 }).map((count) => valid.slice(0, count)),
            ),
          ]
        : []),
      ...(maxItems ? [wrong('too many', fc.constant(Array.from({ length: maxItems + 1 }, () => valid[0])))] : []),
      ...valid.flatMap((item, index) => wrongValues(document, items, item, true, `${place}[${index}]`)),
    ]
  }
  if (typeof valid === 'object') {
    const { properties = {}, required = [] } = schema as { properties?: Record<string, Schema>; required?: string[] }
    return [
      ...here,
      ...Object.entries(valid).flatMap(([name, value]) =>
        wrongValues(
          document,
          properties[name] ?? {},
          value,
          required.includes(name),
          place ? `${place}.${name}` : name,
        ),
      ),
    ]
  }
  return here
}

/**
 * Of a union, the member that a value is held to: the one of its type, or the one that is not null. Of several schemas that all
 * hold, what they say together.
 */
function applying(document: OpenApiDocument, schemaOrReference: Schema, valid: unknown): Schema {
  const schema = resolved<Schema>(document, schemaOrReference)
  if (schema.allOf) {
    const parts = (schema.allOf as Schema[]).map((part) => applying(document, part, valid))
    return { ...parts[0], properties: Object.assign({}, ...parts.map(({ properties }) => properties)) }
  }
  const union = (schema.oneOf ?? schema.anyOf) as Schema[] | undefined
  if (!union) return schema
  const members = union.map((member) => resolved<Schema>(document, member))
  const named = members.find(({ properties }) =>
    ((properties as Record<string, Schema> | undefined)?.type?.enum as unknown[])?.includes(
      (valid as { type?: unknown } | null)?.type,
    ),
  )
  return named ?? members.find(({ type }) => type !== 'null') ?? schema
}

function typeOf(value: unknown): string {
  return Array.isArray(value) ? 'array' : typeof value
}

function wrongStrings({ enum: words, format, maxLength, minLength }: Schema): fc.Arbitrary<unknown>[] {
  return [
    fc.constantFrom('\ud800', 'a\udfffb', '\ud83d\ud83d'),
    ...(words ? [text.filter((value) => !(words as string[]).includes(value))] : []),
    ...(format === 'uuid' || format === 'date-time' ? [text] : []),
    ...(typeof maxLength === 'number' ? [tooLongFor(maxLength)] : []),
    ...(minLength ? [fc.constant('')] : []),
  ]
}

function wrongNumbers({ type, minimum, maximum }: Schema): fc.Arbitrary<unknown>[] {
  return [
    ...([type].flat().includes('integer')
      ? [fc.double({ noInteger: true, noNaN: true, noDefaultInfinity: true })]
      : []),
    ...(typeof minimum === 'number' ? [fc.double({ max: minimum - 1, noNaN: true, noDefaultInfinity: true })] : []),
    ...(typeof maximum === 'number' ? [fc.double({ min: maximum + 1, noNaN: true, noDefaultInfinity: true })] : []),
  ]
}

/** A copy of `valid` with `value` at `place`, or without what was there. */
function replaced(valid: unknown, place: string, value: unknown): unknown {
  const copy = structuredClone(valid) as Record<string, unknown>
  const steps = place.replaceAll('[', '.').replaceAll(']', '').split('.')
  const last = steps.pop() as string
  const parent = steps.reduce((inside, step) => inside[step] as Record<string, unknown>, copy)
  if (value !== REMOVED) parent[last] = value
  else if (Array.isArray(parent)) parent.splice(Number(last), 1, null)
  else delete parent[last]
  return copy
}
