import { reference, type Schema } from './types.ts'

/** Keywords of ours and of JSON Schema that OpenAPI 3.0 does not know. */
const INTERNAL = ['documented', 'rule', 'examples', '$id', '$schema', 'const', 'patternProperties']

/**
 * A schema as it is checked, turned into one as OpenAPI 3.0 reads it: `documented` put in place, a union with null
 * into `nullable`, constants into enums, titled schemas moved into `shared` and referred to. Throws when two different
 * schemas bear the same title.
 */
export function correctSchema(schema: Schema, shared: Record<string, Schema>): Schema {
  const own = withoutInternals(schema)
  const union = (own.anyOf ?? own.oneOf) as Schema[] | undefined
  if (union) return correctUnion(own, union, shared)
  const correct = (inner: unknown) => correctSchema(inner as Schema, shared)
  if (own.properties) own.properties = mapValues(own.properties as object, correct)
  if (own.items) own.items = correct(own.items)
  if (own.allOf) own.allOf = (own.allOf as Schema[]).map(correct)
  if (typeof own.additionalProperties === 'object') own.additionalProperties = correct(own.additionalProperties)
  return share(own, shared)
}

function withoutInternals(schema: Schema): Schema {
  const own: Schema = { ...schema, ...(schema.documented as Schema | undefined) }
  const [example] = (own.examples as unknown[] | undefined) ?? []
  if (example !== undefined) own.example = example
  if ('const' in own) Object.assign(own, { type: typeof own.const, enum: [own.const] })
  if (own.enum) own.enum = [...new Set(own.enum as unknown[])]
  for (const [keyword, value] of Object.entries(own)) if (value === null) delete own[keyword]
  for (const keyword of INTERNAL) delete own[keyword]
  return own
}

/** A title makes a shared schema; what may be null stays in place, since a reference cannot be made nullable. */
function share(schema: Schema, shared: Record<string, Schema>): Schema {
  const title = schema.title as string | undefined
  if (!title || !/^[A-Z]\w+$/.test(title) || schema.nullable) return schema
  const known = shared[title]
  if (known && !Bun.deepEquals(known, schema)) throw new Error(`two different schemas are titled ${title}`)
  shared[title] = schema
  return reference('schemas', title) as unknown as Schema
}

function correctUnion(own: Schema, union: Schema[], shared: Record<string, Schema>): Schema {
  const { anyOf: _, oneOf: __, ...rest } = own
  const members = union.filter((member) => member.type !== 'null')
  const nullable = members.length < union.length
  if (members.every((member) => 'const' in member)) {
    const values = members.map((member) => member.const)
    return share({ type: typeof values[0], ...rest, ...allow(nullable, { enum: values }) }, shared)
  }
  if (members.length === 1) {
    const { title, ...inner } = correctSchema({ ...members[0], title: undefined }, shared)
    return { ...inner, ...allow(nullable, inner), ...rest }
  }
  const correct = members.map((member) => correctSchema(member, shared))
  if (nullable) return { ...rest, anyOf: [...correct, ONLY_NULL] }
  return share({ ...rest, ...(discriminated(correct, shared) ?? { anyOf: correct }) }, shared)
}

/** OpenAPI 3.0 has no null type. */
const ONLY_NULL: Schema = { type: 'string', nullable: true, enum: [null] }

/** Shared schemas that tell themselves apart by a `type` of one value each. */
function discriminated(members: Schema[], shared: Record<string, Schema>): Schema | null {
  const mapping: Record<string, unknown> = {}
  for (const { $ref } of members) {
    const properties = shared[nameOf($ref)]?.properties as Record<string, Schema> | undefined
    const values = (properties?.type?.enum ?? []) as string[]
    if (values.length !== 1) return null
    mapping[values[0] as string] = $ref
  }
  return { oneOf: members, discriminator: { propertyName: 'type', mapping } }
}

/** `#/components/schemas/Contact` → `Contact`. */
export function nameOf(ref: unknown): string {
  return String(ref).split('/').at(-1) ?? ''
}

/** Beside an enum, `nullable` alone would not let null through (OpenAPI 3.0.3): null must be listed as well. */
function allow(nullable: boolean, schema: Schema): Schema {
  if (!nullable) return schema
  const words = schema.enum as unknown[] | undefined
  return { ...schema, nullable: true, ...(words && { enum: [...new Set([...words, null])] }) }
}

export function mapValues<T, R>(object: Record<string, T> | object, map: (value: T, key: string) => R) {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value as T, key)])) as Record<
    string,
    R
  >
}
