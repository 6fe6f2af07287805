import { Kind, type TSchema, Type } from '@sinclair/typebox'
import { nullable, oneOf, optional, strictObject } from '../../http/requests/schemas.ts'
import { type End, operators, type ShowIf, type Variable } from '../logic/model.ts'
import { MAX_ANSWER_LENGTH } from '../question-types/answers.ts'
import { MAX_FORMULA_LENGTH } from '../question-types/formula.ts'
import { FRIENDLY_ID, MAX_FRIENDLY_ID_LENGTH } from '../question-types/parse.ts'
import { HIDDEN_NAME, MAX_ADDRESS, MAX_HIDDEN_NAME, MAX_THANKS } from '../settings/model.ts'
import { MAX_CONDITIONS, MAX_ENDS, MAX_VALUES, MAX_VARIABLES } from './limits.ts'

/* How conditions, variables and ends look in the API (decisions §21). `read.ts` and `check.ts` do the checking. */

/** Variables are named as questions are. */
const NAME = FRIENDLY_ID.source

const op = oneOf(operators, 'Which of them a question takes depends on its type.')
const scale = Type.Integer({ minimum: 0, description: 'Index into the scales of the question; 0 when left out.' })

/** Answers may gain fields and length, requests may not: titled schemas of either are different ones. */
interface Side {
  readonly object: (fields: Record<string, TSchema>, options: Record<string, unknown>) => TSchema
  /** A schema with what limits it. */
  readonly within: <T extends TSchema>(schema: T, limits: Readonly<Record<string, unknown>>) => T
  readonly suffix: string
}

const answers: Side = { object: Type.Object, within: (schema) => schema, suffix: '' }
const requests: Side = {
  object: strictObject,
  within: (schema, limits) => ({ ...schema, ...limits }),
  suffix: 'Create',
}

function showIfIn({ object, within, suffix }: Side): TSchema {
  const text = within(Type.String(), { maxLength: MAX_ANSWER_LENGTH })
  const list = within(Type.Array(Type.Union([text, Type.Number()])), { maxItems: MAX_VALUES })
  const value = Type.Union([text, Type.Number(), Type.Boolean(), list], {
    description:
      'What is compared: a label, text, a number, true or false, a date; a list for one_of. Left out for answered and not_answered.',
    examples: [6],
  })
  const friendlyId = within(Type.String(), { maxLength: MAX_FRIENDLY_ID_LENGTH })
  const question = Type.Union([friendlyId, Type.Integer()], {
    description: 'An earlier question, by its friendlyId; one without a friendlyId by its id.',
    examples: ['HOW_WAS_IT'],
  })
  const hidden = within(Type.String({ description: 'Name of a hidden field.' }), {
    pattern: HIDDEN_NAME.source,
    maxLength: MAX_HIDDEN_NAME,
  })
  const variable = within(Type.String({ description: 'Name of a variable.', pattern: NAME }), {
    maxLength: MAX_FRIENDLY_ID_LENGTH,
  })
  const comparison = (subject: Record<string, TSchema>, title: string) =>
    object({ ...subject, op, value: Type.Optional(value) }, { title: title + suffix })
  const condition = Type.Union([
    comparison({ question, scale: Type.Optional(scale) }, 'QuestionCondition'),
    comparison({ hidden }, 'HiddenFieldCondition'),
    comparison({ variable }, 'VariableCondition'),
  ])
  return object(
    {
      match: oneOf(['all', 'any'], 'Whether all of the conditions have to hold, or one.'),
      conditions: Type.Array(condition, { description: 'What is asked.', minItems: 1, maxItems: MAX_CONDITIONS }),
    },
    {
      title: `ShowIf${suffix}`,
      description: 'When something is shown, by the answers to earlier questions.',
      examples: [{ match: 'all', conditions: [{ question: 'HOW_WAS_IT', op: 'at_most', value: 6 }] }],
    },
  )
}

/** Of a question or page as it is read; null: always. Within what is documented alone. */
export const ShowIfShown = nullable(showIfIn(answers))

const ShowIfGiven = nullable(showIfIn(requests))

/** What `read.ts` reads or what is stored, which is not checked again by its schema. */
const as = <T>(documented: TSchema) => Type.Unsafe<T>({ [Kind]: 'Any', documented })

/** The same, where it is an answer's own. */
export const ShowIfRead = as<ShowIf | null>(ShowIfShown)

/** Of a question or page to create. */
export const ShowIfCreate = Type.Optional(as<unknown>(ShowIfGiven))

const name = Type.String({
  pattern: NAME,
  maxLength: MAX_FRIENDLY_ID_LENGTH,
  description: 'Upper snake case.',
  examples: ['TOTAL'],
})
const formula = Type.String({
  maxLength: MAX_FORMULA_LENGTH,
  description:
    'Arithmetic over answers and other variables, by names in braces. What is not answered, or not shown, is 0.',
  examples: ['{SEATS} * 12'],
})
const variable = { name, formula }
const thanks = Type.String({ maxLength: MAX_THANKS, description: 'Simple HTML.' })
const redirect = { description: 'A web address that begins with https://.' }

const listOf = (item: TSchema, maxItems: number, description: string) => Type.Array(item, { maxItems, description })

const VARIABLES = 'Numbers that are computed from answers, for conditions, texts and formulas.'
const ENDS = 'The first one that holds is shown at the end; where none does, what the settings say.'

export const VariablesRead = as<readonly Variable[]>(
  listOf(Type.Object(variable, { title: 'Variable' }), MAX_VARIABLES, VARIABLES),
)

export const VariablesCreate = Type.Optional(
  as<unknown>(nullable(listOf(strictObject(variable, { title: 'VariableCreate' }), MAX_VARIABLES, VARIABLES))),
)

export const EndsRead = as<readonly End[]>(
  listOf(
    Type.Object(
      { showIf: ShowIfShown, thanks: nullable(thanks), redirect: nullable(Type.String(redirect)) },
      { title: 'End' },
    ),
    MAX_ENDS,
    ENDS,
  ),
)

export const EndsCreate = Type.Optional(
  as<unknown>(
    nullable(
      listOf(
        strictObject(
          {
            showIf: Type.Optional(ShowIfGiven),
            thanks: optional(thanks),
            redirect: optional(Type.String({ ...redirect, maxLength: MAX_ADDRESS })),
          },
          { title: 'EndCreate', description: 'With either `thanks` or `redirect`.' },
        ),
        MAX_ENDS,
        ENDS,
      ),
    ),
  ),
)
