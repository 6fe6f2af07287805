import { nameOf } from '../docs/schemas.ts'
import type { Schema } from '../docs/types.ts'

type Shared = Readonly<Record<string, Schema>>

/**
 * A schema of the OpenAPI document as one that stands by itself, as tools have them: an object, with what it refers to in
 * `$defs`, and without what only readers of the document look at.
 */
export function standalone(schema: Schema, shared: Shared): Schema {
  const definitions: Record<string, Schema> = {}
  const define = (name: string) => {
    if (name in definitions) return
    // Noted before it is looked into: it may refer to itself.
    definitions[name] = {}
    definitions[name] = withOwnReferences(shared[name], define)
  }
  const own = withOwnReferences(resolved(schema, shared), define)
  return { type: 'object', ...own, ...(Object.keys(definitions).length > 0 && { $defs: definitions }) }
}

/** What a reference stands for, or the schema itself. */
export function resolved(schema: Schema, shared: Shared): Schema {
  return schema.$ref === undefined ? schema : (shared[nameOf(schema.$ref)] ?? {})
}

/** `discriminator` is OpenAPI's own; titles and examples say what names and descriptions say already. */
const FOR_READERS = ['discriminator', 'title', 'examples', 'example']

function withOwnReferences(schema: unknown, define: (name: string) => void): Schema {
  return JSON.parse(JSON.stringify(schema), (keyword, value) => {
    if (keyword === '$ref') {
      define(nameOf(value))
      return `#/$defs/${nameOf(value)}`
    }
    return isSchema(value) ? singleTyped(withoutKeywords(value)) : value
  })
}

/** A field may be called as a keyword is: `properties` are told by holding no more than schemas. */
function isSchema(value: unknown): value is Schema {
  return (
    typeof value === 'object' &&
    value !== null &&
    ['type', '$ref', 'anyOf', 'oneOf', 'allOf', 'enum'].some((keyword) => isKeyword(value as Schema, keyword))
  )
}

function isKeyword(value: Schema, keyword: string): boolean {
  const found = value[keyword]
  return typeof found === 'string' || Array.isArray(found)
}

/** Several types side by side, as a choice of schemas: models that know a part of JSON Schema understand only that. */
function singleTyped(schema: Schema): Schema {
  if (!Array.isArray(schema.type)) return schema
  const { type: types, description, ...checked } = schema
  const choices = (types as string[]).map((type) => (type === 'null' ? { type } : { type, ...checked }))
  return { ...(description !== undefined && { description }), anyOf: choices }
}

function withoutKeywords(schema: Schema): Schema {
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => !FOR_READERS.includes(keyword)))
}
