import { type TSchema, Type } from '@sinclair/typebox'
import { nullable, stringEnum } from '../../lib/schema.ts'
import { MAX_FRIENDLY_ID_LENGTH, MAX_TEXT_LENGTH } from './parse.ts'
import { questionTypeNames, questionTypes } from './table.ts'
import type { AnyQuestionType, Field } from './types.ts'

const FRIENDLY_ID = 'Upper snake case name, by which formulas refer to the question.'

/** The question of a form read, one schema per type; `QuestionChooseOne` would be a name for the first. */
export const questionReadSchemas = Object.fromEntries(questionTypes.map((entry) => [entry.type, readSchema(entry)]))

/** Any question of a form read: `id`, the common fields and exactly the fields of its type. */
export const questionReadSchema = Type.Union(Object.values(questionReadSchemas))

/** The create shape (api.md §2), flat, for the documentation: `parseQuestion` does the checking. */
export const questionCreateSchema = Type.Object(
  {
    type: stringEnum(questionTypeNames, { description: typeDescription() }),
    text: omittable(Type.String({ description: 'Question text, simple HTML.', maxLength: MAX_TEXT_LENGTH })),
    required: omittable(Type.Boolean({ default: false, description: 'Whether an answer must be given.' })),
    friendlyId: omittable(Type.String({ description: FRIENDLY_ID, maxLength: MAX_FRIENDLY_ID_LENGTH })),
    ...createFields(),
  },
  { title: 'QuestionCreate' },
)

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
      type: stringEnum([entry.type]),
      text: Type.String({ description: 'Sanitised simple HTML.', examples: ['Which <b>plan</b> are you on?'] }),
      required: Type.Boolean({ description: 'Whether an answer must be given.' }),
      friendlyId: nullable(Type.String({ description: FRIENDLY_ID })),
      ...settingsSchema(entry).properties,
    },
    { title: schemaName(entry.type), description: entry.meaning },
  )
}

/** `choose_one` → `QuestionChooseOne`. */
function schemaName(type: string): string {
  return `Question${type.replace(/(?:^|_)(.)/g, (_, letter) => letter.toUpperCase())}`
}

function settingsSchema(entry: AnyQuestionType) {
  return Type.Object(Object.fromEntries(Object.entries(entry.fields).map(([name, field]) => [name, field.schema])))
}

function typeDescription(): string {
  return questionTypes.map((entry) => `\`${entry.type}\`: ${entry.meaning}`).join('\n\n')
}

/** Every type-specific field once, with the types it belongs to. */
function createFields(): Record<string, TSchema> {
  const fields = new Map<string, { field: Field<unknown>; types: string[] }>()
  for (const entry of questionTypes as readonly AnyQuestionType[]) {
    for (const [name, field] of Object.entries(entry.fields)) {
      const types = fields.get(name)?.types ?? []
      fields.set(name, { field, types: [...types, entry.type] })
    }
  }
  return Object.fromEntries([...fields].map(([name, { field, types }]) => [name, createField(field, types)]))
}

function createField(field: Field<unknown>, types: readonly string[]): TSchema {
  const schema = field.createSchema ?? field.schema
  const description = `${types.join(', ')}: ${schema.description ?? ''}`
  return omittable({ ...schema, description })
}

function omittable(schema: TSchema) {
  return Type.Optional(nullable(schema))
}

/** Types of one family share a schema. */
function distinct(schemas: readonly TSchema[]): TSchema[] {
  return [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()]
}
