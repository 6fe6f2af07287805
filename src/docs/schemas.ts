import { type Schema, schemaReference } from './types.ts'

/** Keywords of ours, and one that generators read less well than an enum of one. */
const INTERNAL = ['documented', 'rule', 'namedExamples', '$id', '$schema', 'const']

/**
 * A schema as it is checked, turned into one as readers and generators of OpenAPI 3.1 want it: `documented` put in
 * place, a union with null into a type of two where that says it all, constants into enums, titled schemas moved into
 * `shared` and referred to. Throws when two different schemas bear the same title.
 */
export function correctSchema(schema: Schema, shared: Record<string, Schema>): Schema {
  const own = withoutInternals(schema)
  const union = (own.anyOf ?? own.oneOf) as Schema[] | undefined
  if (union) return correctUnion(own, union, shared)
  const correct = (inner: unknown) => correctSchema(inner as Schema, shared)
  if (own.properties) own.properties = mapValues(own.properties as object, (field) => toldDefault(correct(field)))
  if (own.items) own.items = correct(own.items)
  if (own.allOf) own.allOf = (own.allOf as Schema[]).map(correct)
  if (typeof own.additionalProperties === 'object') own.additionalProperties = correct(own.additionalProperties)
  return share(own, shared)
}

function withoutInternals(schema: Schema): Schema {
  const own: Schema = { ...schema, ...(schema.documented as Schema | undefined) }
  if ('const' in own) Object.assign(own, { type: typeof own.const, enum: [own.const] })
  if (own.enum) own.enum = [...new Set(own.enum as unknown[])]
  // How a list of words is checked; some generators take the one or the other and break on both.
  if (own.enum) delete own.pattern
  for (const [keyword, value] of Object.entries(own)) if (value === null) delete own[keyword]
  for (const keyword of INTERNAL) delete own[keyword]
  return own
}

/** A field with a default is taken by generators for one that is always sent: the description says it instead. */
function toldDefault(field: Schema): Schema {
  if (!('default' in field)) return field
  const { default: value, description = '', ...rest } = field
  return { examples: [value], ...rest, description: `${description} Default: \`${JSON.stringify(value)}\`.`.trim() }
}

/** A title makes a shared schema. */
function share(schema: Schema, shared: Record<string, Schema>): Schema {
  const title = schema.title as string | undefined
  if (!title || !/^[A-Z]\w+$/.test(title)) return schema
  const known = shared[title]
  if (known && !Bun.deepEquals(known, schema)) throw new Error(`two different schemas are titled ${title}`)
  shared[title] = schema
  return schemaReference(title)
}

function correctUnion(own: Schema, union: Schema[], shared: Record<string, Schema>): Schema {
  const { anyOf: _, oneOf: __, ...rest } = own
  const given = union.filter((member) => member.type !== 'null')
  const isNullable = given.length < union.length
  if (given.every((member) => 'const' in member)) {
    const values = given.map((member) => member.const)
    const words = { type: typeof values[0], enum: values }
    return share(isNullable ? { ...rest, anyOf: [words, ONLY_NULL] } : { ...words, ...rest }, shared)
  }
  const members = given.map((member) => correctSchema(member, shared))
  const [only] = members
  if (only && members.length === 1) return isNullable ? share(orNull(only, rest), shared) : { ...only, ...rest }
  if (isNullable) return share({ ...rest, anyOf: [...members, ONLY_NULL] }, shared)
  return share({ ...rest, ...(discriminated(members, shared) ?? { anyOf: members }) }, shared)
}

const ONLY_NULL: Schema = { type: 'null' }

/** What people read stands at the top, whichever way null is let in. */
function orNull(schema: Schema, rest: Schema): Schema {
  if (typeof schema.type === 'string' && !schema.enum) return { ...schema, type: [schema.type, 'null'], ...rest }
  const { description, examples, default: value, ...checked } = schema
  const told = { description, examples, default: value }
  const given = Object.fromEntries(Object.entries(told).filter(([, text]) => text !== undefined))
  return { ...given, ...rest, anyOf: [checked, ONLY_NULL] }
}

/** Shared schemas that tell themselves apart by a field of one value each. */
function discriminated(members: Schema[], shared: Record<string, Schema>): Schema | null {
  for (const propertyName of ['type', 'event']) {
    const mapping: Record<string, unknown> = {}
    for (const { $ref } of members) {
      const properties = shared[nameOf($ref)]?.properties as Record<string, Schema> | undefined
      const values = (properties?.[propertyName]?.enum ?? []) as string[]
      if (values.length === 1) mapping[values[0] as string] = $ref
    }
    if (Object.keys(mapping).length === members.length) {
      return { oneOf: members, discriminator: { propertyName, mapping } }
    }
  }
  return null
}

/** What we send may gain fields. Besides, Elysia closes an answer's outermost object once its route has been called. */
export function extensible(schema: object): Schema {
  return JSON.parse(JSON.stringify(schema), (keyword, value) =>
    keyword === 'additionalProperties' && value === false ? undefined : value,
  )
}

/** `#/components/schemas/Contact` → `Contact`. */
export function nameOf(ref: unknown): string {
  return String(ref).split('/').at(-1) ?? ''
}

export function mapValues<T, R>(object: Record<string, T> | object, map: (value: T, key: string) => R) {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value as T, key)])) as Record<
    string,
    R
  >
}
