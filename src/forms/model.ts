import { Kind, type Static, Type } from '@sinclair/typebox'
import { invalid, rule } from '../errors.ts'
import {
  listQuery,
  nullable,
  oneOf,
  optional,
  strictObject,
  time,
  timeFilter,
  uuid,
  uuidFilter,
} from '../http/requests/schemas.ts'
import { isBlank } from '../lib/input/read.ts'
import { formExamples } from './examples.ts'
import {
  EndsCreate,
  EndsRead,
  ShowIfCreate,
  ShowIfRead,
  VariablesCreate,
  VariablesRead,
} from './logic-input/schemas.ts'
import type { FormQuestion } from './pages.ts'
import { MAX_QUESTIONS, questionCreateSchema, questionReadSchema } from './question-types/index.ts'

/** The longest title of a form or of a page (decisions §5). */
export const MAX_TITLE = 255
/** The longest description, before it is sanitised. */
export const MAX_DESCRIPTION = 10_000

const listItemFields = {
  id: uuid('Id of the form.'),
  title: Type.String({ examples: ['Customer satisfaction'] }),
  status: oneOf(['active', 'inactive'], '`active`: live and collecting, once published; `inactive`: closed.'),
  workspaceId: uuid('Workspace the form is kept in.'),
  publishedAt: nullable(time('When the form was published; null until then.')),
  updatedAt: time('When the form last changed.'),
}

/** api.md §2. */
export const FormListItem = Type.Object(listItemFields, { title: 'FormListItem' })
export type FormListItem = Static<typeof FormListItem>

/** What was stored after it had been validated is not validated again on its way out. */
const Question = Type.Unsafe<FormQuestion>({ [Kind]: 'Any', documented: questionReadSchema })

/** A page of a form read. */
export const FormPage = Type.Object(
  {
    id: Type.Integer({ description: 'Id of the page.' }),
    title: nullable(Type.String({ description: 'Sanitised simple HTML.' })),
    showIf: ShowIfRead,
    questions: Type.Array(Question, { description: 'The questions of the page, in order.' }),
  },
  { title: 'FormPage' },
)

/** decisions §4. */
export const Form = Type.Object(
  {
    ...listItemFields,
    description: nullable(Type.String({ description: 'Sanitised simple HTML.' })),
    launchCode: Type.String({ description: 'Names the hosted form: `/f/{launchCode}`.', examples: ['aB3xK9q2'] }),
    ownerId: uuid('User who owns the form.'),
    createdAt: time('When the form was created.'),
    pages: Type.Array(FormPage, { description: 'At least one, in order.' }),
    variables: VariablesRead,
    ends: EndsRead,
  },
  { title: 'Form' },
)
export type Form = Static<typeof Form>

const titleRule = rule('length_not_blank', { least: 1, most: MAX_TITLE })
const title = { maxLength: MAX_TITLE, pattern: '\\S', rule: titleRule }

/** A form's title, where no schema has checked it. Throws `invalid_request`. */
export function checkTitle(text: string, place = 'title'): string {
  if (text.length > MAX_TITLE || isBlank(text)) throw invalid(place, titleRule)
  return text
}

/** A page's title, where no schema has checked it; a blank one is none. Throws `invalid_request`. */
export function checkPageTitle(html: string | null, place: string): void {
  if (html !== null && html.length > MAX_TITLE) throw invalid(place, titleRule)
}

/** A form's description, where no schema has checked it. Throws `invalid_request`. */
export function checkDescription(html: string | null): void {
  if (html !== null && html.length > MAX_DESCRIPTION) {
    throw invalid('description', rule('too_long', { most: MAX_DESCRIPTION }))
  }
}

/** Read by `parseQuestion`, whose messages know the question's type. */
const QuestionCreate = Type.Unsafe<unknown>({ [Kind]: 'Any', documented: questionCreateSchema })

const questions = optional(
  Type.Array(QuestionCreate, {
    description: `At most ${MAX_QUESTIONS} questions over all pages. All HTML of a form, its description and the titles of
its pages included, is at most 256 KiB of UTF-8 with 5,000 tags; its options, rows, columns and scales make a page of at
most 4 MiB.`,
    documented: { maxItems: MAX_QUESTIONS },
  }),
)

const pageFields = {
  title: optional(Type.String({ ...title, description: 'Simple HTML.' })),
  showIf: ShowIfCreate,
  questions,
}
const PageCreate = strictObject(pageFields)

const createFields = {
  title: Type.String({ ...title, examples: ['Customer satisfaction'] }),
  description: optional(Type.String({ maxLength: MAX_DESCRIPTION, description: 'Simple HTML.' })),
  active: optional(Type.Boolean({ documented: { default: false }, description: '`true` makes the status `active`.' })),
  questions,
  pages: optional(
    Type.Array(PageCreate, {
      maxItems: MAX_QUESTIONS,
      description: 'Wins over `questions` when both are given; an empty list counts as left out.',
    }),
  ),
  variables: VariablesCreate,
  ends: EndsCreate,
}

/** api.md §4 rules 1 to 3. */
export const FormCreate = strictObject(
  {
    title: createFields.title,
    description: createFields.description,
    workspaceId: optional(
      Type.String({ format: 'uuid', description: 'A workspace of this tenant; left out, the oldest one.' }),
    ),
    active: createFields.active,
    questions,
    pages: createFields.pages,
    variables: VariablesCreate,
    ends: EndsCreate,
  },
  {
    namedExamples: formExamples,
  },
)
export type FormCreate = Static<typeof FormCreate>

/** A question of a draft: one that carries the id of a question of the form is that one. */
const questionDraftSchema = {
  allOf: [
    questionCreateSchema,
    Type.Object({ id: optional(Type.Integer({ description: 'Of a question of the form, which it stays.' })) }),
  ],
}
const QuestionDraft = Type.Unsafe<unknown>({ [Kind]: 'Any', documented: questionDraftSchema })
const draftedQuestions = optional(
  Type.Array(QuestionDraft, { description: questions.description ?? '', documented: { maxItems: MAX_QUESTIONS } }),
)

const { active, ...drafted } = createFields

/** decisions §23. */
export const FormUpdate = strictObject(
  {
    ...drafted,
    active: optional(
      Type.Boolean({ description: '`true` makes the status `active`, `false` `inactive`; left out, it stays.' }),
    ),
    questions: draftedQuestions,
    pages: optional(
      Type.Array(
        strictObject({
          ...pageFields,
          id: optional(Type.Integer({ description: 'Of a page of the form, which it stays.' })),
          questions: draftedQuestions,
        }),
        { maxItems: MAX_QUESTIONS, description: drafted.pages.description ?? '' },
      ),
    ),
  },
  { examples: [formExamples.short?.value] },
)
export type FormUpdate = Static<typeof FormUpdate>

export const FormFilters = listQuery({
  workspace_id: uuidFilter('Forms of this workspace.'),
  updated_since: timeFilter('Changed at this time or later.'),
})
