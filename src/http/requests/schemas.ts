import { Kind, type TSchema, Type } from '@sinclair/typebox'
import type { PageRequest } from '../../db/lists/keyset.ts'
import { type ErrorCode, type ErrorDetails, invalid, rule } from '../../errors.ts'
import { EMAIL_PATTERN } from '../../lib/input/email-pattern.ts'
import { parseTime } from '../../lib/time.ts'

/*
 * The building blocks of every route's schemas. `documented` replaces keywords in the OpenAPI document where what is
 * checked and what a reader should see differ (null removes one). A `default` belongs there too: Elysia would fill it
 * in, for a body that is missing as well. `rule` is what a 400 says instead of the generic one. `namedExamples`
 * are the examples of a body, where one would not show it all.
 */

/** A time in an answer. Its form is ours to keep, so it is not checked again on the way out. */
export const time = (description: string) => Type.String({ description, documented: { format: 'date-time' } })

/** A UUID in an answer. */
export const uuid = (description: string) => Type.String({ description, documented: { format: 'uuid' } })

/**
 * An email address, checked by whoever takes it in. The format `email` of JSON Schema would refuse all that is not ASCII,
 * and `idn-email` is unknown to many.
 */
export const email = ({
  documented,
  ...options
}: {
  description?: string
  examples?: string[]
  maxLength?: number
  documented?: { maxLength: number }
} = {}) => Type.String({ ...options, documented: { pattern: EMAIL_PATTERN, ...documented } })

/** An absolute web address in an answer. */
export const webAddress = (options: { description?: string; examples?: string[] } = {}) =>
  Type.String({ ...options, documented: { format: 'uri' } })

/**
 * A web address of a request, checked by whoever takes it in: `pattern` says how it has to look. The format `uri` would
 * refuse hosts and paths that are not ASCII, which browsers and we understand.
 */
export const givenAddress = (
  pattern: string,
  options: { description: string; minLength?: number; maxLength: number; examples?: string[] },
) => Type.String({ ...options, documented: { pattern } })

/** A file, as an answer. */
export const FileContent = Type.Unsafe<Response>(Type.Any({ documented: { type: 'string', format: 'binary' } }))

/** `schema`, or null. */
export const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])

/** A field of a request that may be left out; null counts as left out (decisions §1). */
export const optional = <T extends TSchema>(schema: T) => Type.Optional(nullable(schema))

/** One of a closed list of words. */
export const oneOf = <const T extends readonly string[]>(values: T, description?: string) =>
  Type.Unsafe<T[number]>({
    type: 'string',
    enum: values,
    ...(description === undefined ? {} : { description }),
    [Kind]: 'String',
    pattern: `^(?:${values.map((value) => value.replaceAll('.', '\\.')).join('|')})$`,
    rule: rule('one_of', { choices: values.join(', ') }),
  })

/** An object of a request: a field it does not name is a 400 (decisions §1). */
export const strictObject = <T extends Record<string, TSchema>>(fields: T, options: Record<string, unknown> = {}) =>
  Type.Object(fields, { additionalProperties: false, ...options })

/** The body of a call that takes none: nothing at all or an empty object. */
export const noBody = Type.Optional(strictObject({}))

/** Query parameters arrive as text; operations get them through `readPage`, `readTime` and `readFlag`. */
export const timeFilter = (description: string) => Type.Optional(Type.String({ format: 'date-time', description }))

/** What is looked for, in the words of people; `readSearch` reads it. */
export const searchFilter = (most: number, description: string) =>
  Type.Optional(Type.String({ maxLength: most, description, documented: { minLength: 1 } }))

export const uuidFilter = (description: string) => Type.Optional(Type.String({ format: 'uuid', description }))

export const flagFilter = (description: string) =>
  Type.Optional(
    Type.String({
      pattern: '^(true|false)$',
      rule: rule('boolean'),
      description,
      documented: { type: 'boolean', pattern: null },
    }),
  )

/** `cursor` and `limit`, which every list takes (api.md §4 Pagination). */
export const pageQuery = {
  cursor: Type.Optional(
    Type.String({ description: 'The `nextCursor` of the page before, passed back verbatim.', maxLength: 1000 }),
  ),
  limit: Type.Optional(
    Type.String({
      pattern: '^\\d+$',
      rule: rule('count'),
      description: 'Items in a page: 25 when left out or 0; above 100 counts as 100.',
      documented: { type: 'integer', format: 'int32', minimum: 0, default: 25, pattern: null },
    }),
  ),
}

/** The query of a list, with its filters. */
export const listQuery = <T extends Record<string, TSchema>>(filters: T) => strictObject({ ...pageQuery, ...filters })

/** The query of a list that comes whole: it accepts `cursor` and `limit` and ignores them (decisions §1). */
export const wholeListQuery = strictObject({
  cursor: Type.Optional(Type.String({ description: 'Accepted and ignored: this list is not paginated.' })),
  limit: Type.Optional(Type.String({ description: 'Accepted and ignored: this list is not paginated.' })),
})

/** The query of a route that takes none. */
export const noQuery = strictObject({})

/** A page of a list (api.md §4 Pagination). */
export const page = <T extends TSchema>(item: T) =>
  Type.Object({
    items: Type.Array(item, { description: 'The items of this page.' }),
    nextCursor: nullable(Type.String({ description: 'Send it as `cursor` for the next page; null on the last.' })),
  })

/** A list that comes whole, in the shape of a page (api.md §4 Pagination). */
export function wholeList<T>(items: T[]): { items: T[]; nextCursor: null } {
  return { items, nextCursor: null }
}

/** api.md §4: default 25, at most 100, 0 is the default. */
export function readPage(query: { cursor?: string; limit?: string }): PageRequest {
  const wanted = Math.min(Number(query.limit ?? 0), 100)
  return { cursor: query.cursor, limit: wanted || 25 }
}

/** A time filter as stored times are written. */
export function readTime(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const time = parseTime(text)
  if (time === null) throw invalid('', rule('not_date_time'))
  return time
}

/** What `searchFilter` takes: blanks would find everything. */
export function readSearch(text: string | undefined): string | undefined {
  if (text?.trim() === '') throw invalid('query', rule('not_blank'))
  return text
}

/** A boolean filter. */
export function readFlag(text: string | undefined): boolean | undefined {
  return text === undefined ? undefined : text === 'true'
}

/** The body of every error but 401 and 429 (api.md §7). */
const Problem = Type.Object({ error: Type.String(), message: Type.String() }, { additionalProperties: true })

type ErrorStatus = 400 | 403 | 404 | 409 | 413 | 422 | 502

/** Declares which errors a route answers with, besides the 401, 429 and 500 that all share. */
export function errors<const S extends readonly ErrorStatus[]>(...statuses: S): { [K in S[number]]: typeof Problem } {
  return Object.fromEntries(statuses.map((status) => [status, Problem])) as { [K in S[number]]: typeof Problem }
}

/** Declares an error answer that needs an example of its own: the words this very route says. */
export const problem = (
  error: Exclude<ErrorCode, 'too_large' | 'too_soon' | 'unauthorized'>,
  message: string,
  details: ErrorDetails = {},
): typeof Problem => ({ ...Problem, examples: [{ error, message, ...details }] })

/** What an upload sends, for the documentation: it is streamed and never parsed whole. */
export const uploadBody = {
  required: true,
  content: {
    'multipart/form-data': {
      schema: {
        type: 'object' as const,
        required: ['file'],
        properties: { file: { type: 'string' as const, format: 'binary', description: 'At most 10 MiB.' } },
      },
    },
  },
}
