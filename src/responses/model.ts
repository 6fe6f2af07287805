import { Kind, type Static, Type } from '@sinclair/typebox'
import { answerValueSchema, type QuestionType, questionTypeNames } from '../forms/question-types/index.ts'
import { listQuery, nullable, oneOf, time, timeFilter, uuid, uuidFilter } from '../http/requests/schemas.ts'

/** What was stored after it had been validated is not validated again on its way out. */
const Value = Type.Unsafe<unknown>({ [Kind]: 'Any', documented: answerValueSchema })

/** decisions §4: the value's form depends on the question's type. */
const Answer = Type.Object({
  questionId: Type.Integer({ description: 'Id of the question in the form read.' }),
  friendlyId: nullable(Type.String({ description: 'The question’s upper snake case name, if it has one.' })),
  type: Type.Unsafe<QuestionType>(Type.String({ documented: { enum: questionTypeNames } })),
  questionText: Type.String({ description: 'Text of the question, sanitised simple HTML.' }),
  value: Value,
})

const Scores = Type.Object(
  {
    total: Type.Number({ description: 'Points the answers got.', examples: [9] }),
    max: Type.Number({ description: 'Points they could have got.', examples: [10] }),
    percentage: nullable(Type.Number({ description: 'With one decimal.', examples: [90] })),
  },
  { description: 'Computed at completion; percentage is null when nothing that scores was answered.' },
)

/** decisions §12. */
const HiddenFields = Type.Unsafe<Record<string, string>>({
  [Kind]: 'Any',
  documented: {
    type: 'object',
    additionalProperties: { type: 'string' },
    description: 'What came with the form’s address, by the names that the form declares.',
    examples: [{ campaign: 'spring' }],
  },
})

/** decisions §21. */
const Variables = Type.Unsafe<Record<string, number>>({
  [Kind]: 'Any',
  documented: {
    type: 'object',
    additionalProperties: { type: 'number' },
    description: 'What the form’s variables came to at completion, by name; none of a partial response.',
    examples: [{ TOTAL: 12 }],
  },
})

export const Response = Type.Object(
  {
    id: Type.String({ description: 'Opaque id of the response.', examples: ['r_019ca8a03e8074d5ba4b86b823507c11'] }),
    formId: uuid('Form that was answered.'),
    status: oneOf(['complete', 'partial'], '`partial` until the respondent has finished; `complete` is final.'),
    startedAt: time('When the response was begun.'),
    submittedAt: nullable(time('When it was completed; null while partial.')),
    updatedAt: time('When it last changed.'),
    contactId: nullable(uuid('Contact whose email the response gave.')),
    scores: Scores,
    answers: Type.Array(Answer, { description: 'What was answered, in the order of the form.' }),
    hiddenFields: HiddenFields,
    language: Type.String({
      description:
        'BCP 47: the language in which it was asked. What is asked and the labels of answers are in the form’s own.',
      examples: ['en'],
    }),
    variables: Variables,
  },
  { title: 'Response' },
)
export type Response = Static<typeof Response>

const filters = {
  since: timeFilter('Changed at this time or later.'),
  until: timeFilter('Changed before this time.'),
  status: Type.Optional(
    oneOf(['complete', 'partial', 'all'], 'Complete responses when left out; `all` for partial ones too.'),
  ),
}

export const ResponseFilters = listQuery(filters)

export const AllResponsesFilters = listQuery({
  ...filters,
  form_id: uuidFilter('Responses to this form.'),
  contact_id: uuidFilter('Responses of this contact.'),
})
