import { mapValues, nameOf } from './schemas.ts'
import type { Schema } from './types.ts'

/** The id of a request. */
export const EXAMPLE_REQUEST = 'kq3xT1aB-1f'

/** A tag of an answer. */
export const EXAMPLE_TAG = '"1bx6oocgp4e3w-3t8zlk5jnnowv"'

export const EXAMPLE_UUID = '0195500e-5c40-7b2f-9d3e-2f1a6c0b8e47'

/**
 * A value of `schema` made of its fields' examples, for readers of the document. Where nothing better is known, what
 * may be null is null.
 */
export function exampleOf(schema: Schema, shared: Record<string, Schema>): unknown {
  if (typeof schema.$ref === 'string') return exampleOf(shared[nameOf(schema.$ref)] ?? {}, shared)
  if (Array.isArray(schema.examples)) return schema.examples[0]
  const union = (schema.anyOf ?? schema.oneOf) as Schema[] | undefined
  if (union) return union.some(({ type }) => type === 'null') ? null : exampleOf(union[0] ?? {}, shared)
  const [type, orNull] = [schema.type].flat()
  if (schema.properties) return mapValues(schema.properties, (field: Schema) => exampleOf(field, shared))
  if (type === 'array') return [exampleOf(schema.items as Schema, shared)]
  if (orNull === 'null') return null
  if ('default' in schema) return schema.default
  if (Array.isArray(schema.enum)) return schema.enum[0]
  return simpleExample(schema)
}

function simpleExample({ type, format, minimum }: Schema): unknown {
  switch (format) {
    case 'uuid':
      return EXAMPLE_UUID
    case 'date-time':
      return '2026-03-01T09:30:00.000Z'
    case 'email':
      return 'ada@acme.test'
    case 'uri':
      return 'https://acme.test/'
  }
  switch (type) {
    case 'string':
      return 'text'
    case 'integer':
    case 'number':
      return minimum ?? 1
    case 'boolean':
      return false
    case 'object':
      return {}
    default:
      return undefined
  }
}
