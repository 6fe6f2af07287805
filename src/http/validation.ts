import { FormatRegistry, type Static, type TSchema } from '@sinclair/typebox'
import type { TypeCheck } from '@sinclair/typebox/compiler'
import { type ValueError, ValueErrorType } from '@sinclair/typebox/errors'
import { Value } from '@sinclair/typebox/value'
import type { ValidationError } from 'elysia'
import { type AppError, invalid } from '../errors.ts'
import { isUuid } from '../lib/ids.ts'
import { parseTime } from '../lib/time.ts'

// Elysia registers looser formats of these names when it loads: its date-time takes a bare date and 30 February.
FormatRegistry.Set('date-time', (text) => parseTime(text) !== null)
FormatRegistry.Set('uuid', isUuid)

/** Turns a request that breaks its schema into a 400 that names the place and the rule (decisions §1). */
export function explain(error: ValidationError): AppError {
  if (error.type === 'body' && error.value === undefined) return invalid('body', 'a JSON object is required')
  const first = (error.validator as TypeCheck<TSchema>).Errors(error.value).First()
  if (!first) return invalid(error.type, 'is not of the right form')
  const { path, type, ...rest } = innermost(first)
  if (type === ValueErrorType.ObjectAdditionalProperties && error.type === 'query') {
    return invalid(placeOf(path), 'unknown query parameter')
  }
  return invalid(placeOf(path), ruleOf({ path, type, ...rest }))
}

/**
 * A value that did not come as a request's JSON, the fields of a form say, by the schema of the API's body. Throws
 * `invalid_request` as a body that breaks it does.
 */
export function checkValue<T extends TSchema>(schema: T, value: unknown): Static<T> {
  const first = Value.Errors(schema, value).First()
  if (!first) return value as Static<T>
  const error = innermost(first)
  throw invalid(placeOf(error.path), ruleOf(error))
}

/** Of a value that may be null, what is wrong with it as the other thing it may be. */
function innermost(error: ValueError): ValueError {
  const members = (error.schema.anyOf as TSchema[] | undefined) ?? []
  if (members.length !== 2 || members[1]?.type !== 'null') return error
  const inner = error.errors[0]?.First()
  return inner ? innermost(inner) : error
}

/** `/pages/0/title` → `pages[0].title`. */
export function placeOf(pointer: string): string {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => (part === '' ? '""' : part.replaceAll('~1', '/').replaceAll('~0', '~')))
    .reduce((place, part) => (/^\d+$/.test(part) ? `${place}[${part}]` : place ? `${place}.${part}` : part), '')
}

function ruleOf(error: ValueError): string {
  const schema = error.schema as TSchema & Record<string, unknown>
  // A schema may say its rule itself, where the generic words would not help.
  if (typeof schema.rule === 'string' && error.value !== undefined) return schema.rule
  switch (error.type) {
    case ValueErrorType.ObjectAdditionalProperties:
      return 'unknown field'
    case ValueErrorType.ObjectRequiredProperty:
      return 'is required'
    case ValueErrorType.StringMinLength:
      return schema.minLength === 1 ? 'must not be empty' : `must be at least ${schema.minLength} characters`
    case ValueErrorType.StringMaxLength:
      return `must be at most ${schema.maxLength} characters`
    case ValueErrorType.StringFormat:
      return formatRules[schema.format as string] ?? `must be a ${schema.format}`
    case ValueErrorType.ArrayMinItems:
      return `at least ${schema.minItems} ${schema.minItems === 1 ? 'item is' : 'items are'} required`
    case ValueErrorType.ArrayMaxItems:
      return `at most ${schema.maxItems} items are allowed`
    case ValueErrorType.ArrayUniqueItems:
      return 'must not repeat an item'
    case ValueErrorType.IntegerMinimum:
    case ValueErrorType.NumberMinimum:
      return `must be at least ${schema.minimum}`
    case ValueErrorType.IntegerMaximum:
    case ValueErrorType.NumberMaximum:
      return `must be at most ${schema.maximum}`
    default:
      return `must be ${typeName(schema)}`
  }
}

const formatRules: Record<string, string> = {
  'date-time':
    'must be an RFC 3339 date-time with an offset, such as 2026-03-01T09:30:00Z (a + in a query is written %2B)',
  uuid: 'must be a UUID',
}

function typeName(schema: Record<string, unknown>): string {
  const members = schema.anyOf as Record<string, unknown>[] | undefined
  if (members) {
    const values = members.filter((member) => member.type !== 'null')
    if (values.every((member) => 'const' in member)) return `one of ${values.map((m) => m.const).join(', ')}`
    return values.map(typeName).join(' or ')
  }
  if (Array.isArray(schema.enum)) return `one of ${schema.enum.filter((value) => value !== null).join(', ')}`
  const names: Record<string, string> = {
    string: 'a string',
    boolean: 'true or false',
    integer: 'a whole number',
    number: 'a number',
    array: 'an array',
    object: 'an object',
  }
  return names[schema.type as string] ?? 'of the right form'
}
