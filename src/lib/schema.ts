import { Kind, type Static, type TSchema, type TUnsafe, Type, TypeRegistry } from '@sinclair/typebox'
import { type TypeCheck, TypeCompiler } from '@sinclair/typebox/compiler'

const NULLABLE = 'Nullable'
const STRING_ENUM = 'StringEnum'

const innerSchemas = new WeakMap<TSchema, TSchema>()
const innerChecks = new WeakMap<TSchema, TypeCheck<TSchema>>()

/**
 * `schema` or null, written as OpenAPI 3.0 has it (`nullable: true`) and checked as written. TypeBox alone would
 * write `anyOf` with a null type, which OpenAPI 3.0 does not know.
 */
export function nullable<T extends TSchema>(schema: T): TUnsafe<Static<T> | null> {
  // Beside an enum, `nullable` alone would not let null through (OpenAPI 3.0.3): null must be listed as well.
  const words = Array.isArray(schema.enum) ? { enum: [...schema.enum, null] } : {}
  const result = Type.Unsafe<Static<T> | null>({ ...schema, ...words, nullable: true, [Kind]: NULLABLE })
  innerSchemas.set(result, schema)
  return result
}

/** One of `values`, written as `{type: 'string', enum}`. A single value is an enum of one: 3.0 has no `const`. */
export function stringEnum<const T extends string>(values: readonly T[], options: object = {}): TUnsafe<T> {
  return Type.Unsafe<T>({ ...options, type: 'string', enum: [...values], [Kind]: STRING_ENUM })
}

TypeRegistry.Set<TSchema>(NULLABLE, (schema, value) => value === null || innerCheck(schema).Check(value))
TypeRegistry.Set<TSchema & { enum: string[] }>(
  STRING_ENUM,
  (schema, value) => typeof value === 'string' && schema.enum.includes(value),
)

function innerCheck(schema: TSchema): TypeCheck<TSchema> {
  let check = innerChecks.get(schema)
  if (!check) {
    check = TypeCompiler.Compile(innerSchemas.get(schema) ?? Type.Unknown())
    innerChecks.set(schema, check)
  }
  return check
}
