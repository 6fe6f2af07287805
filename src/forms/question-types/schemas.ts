import { type TSchema, Type } from '@sinclair/typebox'
import { AppError } from '../../errors.ts'
import { nullable, oneOf, optional } from '../../http/requests/schemas.ts'
import { ShowIfCreate, ShowIfShown } from '../logic-input/schemas.ts'
import { twins } from '../texts/twins.ts'
import { FRIENDLY_ID, MAX_FRIENDLY_ID_LENGTH, MAX_TEXT_LENGTH } from './parse.ts'
import { internalFieldsOf, questionTypes } from './table.ts'
import type { AnyQuestionType, Field } from './types.ts'

const NAME = 'Upper snake case name, by which formulas refer to the question.'
const REQUIRED = 'Whether an answer must be given.'

/** The question of a form read, one schema per type; `QuestionChooseOne` would be a name for the first. */
export const questionReadSchemas = Object.fromEntries(questionTypes.map((entry) => [entry.type, readSchema(entry)]))

/** Any question of a form read: `id`, the common fields and exactly the fields of its type. */
export const questionReadSchema = Type.Union(Object.values(questionReadSchemas), { title: 'Question' })

/** Any question as respondents read it: without the fields that are the tenant's alone. */
export const questionAskedSchema = Type.Union(questionTypes.map(askedSchema), { title: 'QuestionAsked' })

/** The create shape (api.md §2), one schema per type, for the documentation: `parseQuestion` does the checking. */
export const questionCreateSchema = Type.Union(questionTypes.map(createSchema), {
  title: 'QuestionCreate',
  description:
    'A question to create. Its `type` says which fields it takes: one of another type is accepted and ignored, any other is a 400.',
})

/** The type-specific fields of each type as read. */
export const settingsSchemas = Object.fromEntries(questionTypes.map((entry) => [entry.type, settingsSchema(entry)]))

/** The stored answer of each type. */
export const answerSchemas: Record<string, TSchema> = Object.fromEntries(
  questionTypes.map((entry) => [entry.type, entry.answerSchema]),
)

/** Any stored answer; which one it is depends on the question's type (decisions §4). */
export const answerValueSchema = Type.Union(distinct(Object.values(answerSchemas)))

function readSchema(entry: AnyQuestionType) {
  return Type.Object(
    {
      id: Type.Integer({ description: 'Answers name the question by it.', examples: [11] }),
      type: oneOf([entry.type]),
      text: Type.String({ description: 'Sanitised simple HTML.', examples: ['Which <b>plan</b> are you on?'] }),
      required: Type.Boolean({ description: REQUIRED }),
      friendlyId: nullable(Type.String({ description: NAME })),
      showIf: ShowIfShown,
      ...settingsSchema(entry).properties,
    },
    { title: schemaName('Question', entry), description: entry.meaning },
  )
}

function askedSchema(entry: AnyQuestionType) {
  const internal = internalFieldsOf(entry)
  const whole = readSchema(entry)
  const shown = Object.entries(twins).flatMap(([list, twin]): [string, TSchema][] => {
    const { schema } = entry.fields[list] ?? {}
    const description = `In a language that is not the form’s own: what stands for each of \`${list}\` in it.`
    return schema ? [[twin, Type.Optional({ ...schema, description })]] : []
  })
  if (internal.length === 0 && shown.length === 0) return whole
  const properties = { ...Type.Omit(whole, internal).properties, ...Object.fromEntries(shown) }
  return Type.Object(properties, { title: schemaName('QuestionAsked', entry), description: entry.meaning })
}

function createSchema(entry: AnyQuestionType) {
  return Type.Object(
    {
      type: oneOf([entry.type]),
      text: optional(Type.String({ description: 'Question text, simple HTML.', maxLength: MAX_TEXT_LENGTH })),
      required: optional(Type.Boolean({ default: false, description: REQUIRED })),
      friendlyId: optional(
        Type.String({ description: NAME, maxLength: MAX_FRIENDLY_ID_LENGTH, pattern: FRIENDLY_ID.source }),
      ),
      showIf: ShowIfCreate,
      ...Object.fromEntries(Object.entries(entry.fields).map(([name, field]) => [name, createField(field)])),
    },
    { title: schemaName('QuestionCreate', entry), description: entry.meaning },
  )
}

/** `choose_one` → `QuestionChooseOne`. */
function schemaName(prefix: string, { type }: AnyQuestionType): string {
  return prefix + type.replace(/(?:^|_)(.)/g, (_, letter) => letter.toUpperCase())
}

function settingsSchema(entry: AnyQuestionType) {
  return Type.Object(Object.fromEntries(Object.entries(entry.fields).map(([name, field]) => [name, field.schema])))
}

function createField(field: Field<unknown>): TSchema {
  const schema = field.createSchema ?? field.schema
  if (isRequired(field)) return schema
  return Type.Optional(schema.anyOf ? schema : nullable(schema))
}

/** Whether the field cannot be left out, which is for `read` to say. */
function isRequired(field: Field<unknown>): boolean {
  try {
    field.read(null, '')
    return false
  } catch (error) {
    if (error instanceof AppError) return true
    throw error
  }
}

/** Types of one family share a schema. */
function distinct(schemas: readonly TSchema[]): TSchema[] {
  return [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()]
}
