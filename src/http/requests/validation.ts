import { FormatRegistry, type Static, type TSchema } from '@sinclair/typebox'
import type { TypeCheck } from '@sinclair/typebox/compiler'
import { type ValueError, ValueErrorType } from '@sinclair/typebox/errors'
import { Value } from '@sinclair/typebox/value'
import type { ValidationError } from 'elysia'
import { type AppError, invalid, type Rule, rule } from '../../errors.ts'
import { isUuid } from '../../lib/ids.ts'
import { parseTime } from '../../lib/time.ts'

// Elysia registers looser formats of these names when it loads: its date-time takes a bare date and 30 February.
FormatRegistry.Set('date-time', (text) => parseTime(text) !== null)
FormatRegistry.Set('uuid', isUuid)

/** Turns a request that breaks its schema into a 400 that names the place and the rule (decisions §1). */
export function explain(error: ValidationError): AppError {
  if (error.type === 'body' && error.value === undefined) return invalid('body', rule('body_required'))
  const first = (error.validator as TypeCheck<TSchema>).Errors(error.value).First()
  if (!first) return invalid(error.type, rule('form_of_value'))
  const { path, type, ...rest } = innermost(first)
  if (type === ValueErrorType.ObjectAdditionalProperties && error.type === 'query') {
    return invalid(placeOf(path), rule('unknown_parameter'))
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

function ruleOf(error: ValueError): Rule {
  const schema = error.schema as TSchema & Record<string, unknown>
  // A schema may name its rule itself, where the generic words would not help.
  if (schema.rule !== undefined && error.value !== undefined) return schema.rule as Rule
  switch (error.type) {
    case ValueErrorType.ObjectAdditionalProperties:
      return rule('unknown_field')
    case ValueErrorType.ObjectRequiredProperty:
      return rule('required')
    case ValueErrorType.StringMinLength:
      return schema.minLength === 1 ? rule('not_empty') : rule('too_short', { least: Number(schema.minLength) })
    case ValueErrorType.StringMaxLength:
      return rule('too_long', { most: Number(schema.maxLength) })
    case ValueErrorType.StringFormat:
      return formatRules[schema.format as string] ?? rule('formatted', { format: String(schema.format) })
    case ValueErrorType.ArrayMinItems:
      return rule('too_few_items', { count: Number(schema.minItems) })
    case ValueErrorType.ArrayMaxItems:
      return rule('too_many_items', { most: Number(schema.maxItems) })
    case ValueErrorType.ArrayUniqueItems:
      return rule('repeated')
    case ValueErrorType.IntegerMinimum:
    case ValueErrorType.NumberMinimum:
      return rule('too_small', { least: Number(schema.minimum) })
    case ValueErrorType.IntegerMaximum:
    case ValueErrorType.NumberMaximum:
      return rule('too_great', { most: Number(schema.maximum) })
    default:
      return typeRule(schema)
  }
}

const formatRules: Record<string, Rule> = { 'date-time': rule('date_time_encoded'), uuid: rule('uuid') }

/** What a value has to be at all. */
function typeRule(schema: Record<string, unknown>): Rule {
  const choices = choicesOf(schema)
  if (choices) return rule('one_of', { choices: choices.join(', ') })
  return typeRules[schema.type as string] ?? rule('typed', { type: typeName(schema) })
}

const typeRules: Record<string, Rule> = {
  string: rule('string'),
  boolean: rule('boolean'),
  integer: rule('whole_number'),
  number: rule('number'),
}

function choicesOf({ anyOf, enum: words }: Record<string, unknown>): unknown[] | null {
  if (Array.isArray(words)) return words.filter((value) => value !== null)
  const members = ((anyOf as Record<string, unknown>[] | undefined) ?? []).filter(({ type }) => type !== 'null')
  return members.length > 0 && members.every((member) => 'const' in member)
    ? members.map((member) => member.const)
    : null
}

function typeName(schema: Record<string, unknown>): string {
  const choices = choicesOf(schema)
  if (choices) return `one of ${choices.join(', ')}`
  const members = schema.anyOf as Record<string, unknown>[] | undefined
  if (members)
    return members
      .filter(({ type }) => type !== 'null')
      .map(typeName)
      .join(' or ')
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
