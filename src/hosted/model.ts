import { Kind, type Static, Type } from '@sinclair/typebox'
import { EndsRead, ShowIfShown, VariablesRead } from '../forms/logic-input/schemas.ts'
import type { FormPage } from '../forms/pages.ts'
import { questionAskedSchema } from '../forms/question-types/index.ts'
import { email, nullable, oneOf, optional, strictObject, uuid, webAddress } from '../http/requests/schemas.ts'
import { MAX_EMAIL } from '../lib/input/email.ts'
import { MAX_HIDDEN_VALUE } from '../responses/hidden-fields.ts'

/** Far more than a form has questions: what is left over is refused one by one, by name. */
const MAX_ANSWERS = 1000

const fields = {
  answers: Type.Array(
    strictObject({
      questionId: Type.Integer({ description: 'Id of the question in the definition.', examples: [11] }),
      value: Type.Optional(
        Type.Unknown({
          description: 'The answer, in the form that the question’s type asks for; null takes it back.',
          examples: [9],
        }),
      ),
    }),
    { maxItems: MAX_ANSWERS, description: 'Answers given now; others stay as they are.' },
  ),
  complete: optional(
    Type.Boolean({
      documented: { default: false },
      description: 'Whether the respondent has finished, which is final.',
    }),
  ),
  hiddenFields: Type.Optional(
    Type.Unsafe<unknown>({
      [Kind]: 'Any',
      documented: {
        type: ['object', 'null'],
        additionalProperties: { type: ['string', 'null'], maxLength: MAX_HIDDEN_VALUE },
        description:
          'Values of hidden fields, by the names that the form declares; another name is a 400. Given ones replace those ' +
          'stored, null takes one back.',
      },
    }),
  ),
  language: optional(
    Type.String({
      maxLength: 100,
      description: 'BCP 47: what the respondent reads. One that the form does not have counts as its own.',
      examples: ['de'],
    }),
  ),
  /** Sent by the hosted page alone (`abuse.ts`). */
  page: optional(
    strictObject(
      {
        token: Type.String({ maxLength: 200, description: 'What the page was made with.' }),
        website: Type.String({ maxLength: 10_000, description: 'What nobody sees, and so nobody fills in.' }),
      },
      { description: 'The hosted page’s own; others leave it out.' },
    ),
  ),
}

const resumeToken = Type.String({
  maxLength: 200,
  description: 'Shows to be the one who began the response.',
  examples: ['kJ4c0mB1xQ7w'],
})

/** decisions §6: the body that begins a response. */
export const Start = strictObject(fields, { examples: [{ answers: [{ questionId: 11, value: 9 }], complete: false }] })
export type Start = Static<typeof Start>

/** The body that goes on with one. */
export const Continue = strictObject(
  { ...fields, resumeToken },
  {
    examples: [
      { answers: [{ questionId: 12, value: { selected: 'Pro' } }], complete: true, resumeToken: 'kJ4c0mB1xQ7w' },
    ],
  },
)
export type Continue = Static<typeof Continue>

/** What a respondent is told of a response. */
export const Started = Type.Object({
  id: Type.String({ description: 'Opaque id of the response.', examples: ['r_019ca8a03e8074d5ba4b86b823507c11'] }),
  resumeToken,
  status: oneOf(['complete', 'partial'], '`partial` until the respondent has finished.'),
  thanks: nullable(
    Type.String({ description: 'What to show at the end, sanitised simple HTML; null for words of your own.' }),
  ),
  redirect: nullable(
    webAddress({
      description: 'Where to take the respondent at the end; wins over `thanks`.',
      examples: ['https://example.com/thanks?response=r_019ca8a03e8074d5ba4b86b823507c11'],
    }),
  ),
})
export type Started = Static<typeof Started>

/** Whom to mail a link to go on with later, and who asks for it. */
export const Later = strictObject(
  { resumeToken, email: email({ maxLength: MAX_EMAIL, examples: ['ada@customer.example'] }) },
  { examples: [{ resumeToken: 'kJ4c0mB1xQ7w', email: 'ada@customer.example' }] },
)

export const LinkSending = Type.Object({ status: oneOf(['sending'], 'The mail is on its way.') })

/** Who wants to pay shows to be the one who answered. */
export const Pay = strictObject({ resumeToken: resumeToken })

/** Where the respondent pays. */
export const PayAt = Type.Object({
  url: webAddress({ description: 'Where to send the respondent.', examples: ['https://checkout.stripe.com/c/pay/x'] }),
})

export const Uploaded = Type.Object({ uploadId: uuid('Names the file in an answer.') })

/** A page of the definition: as a form read has it, but for what is the tenant's alone. */
const AskedPage = Type.Object(
  {
    id: Type.Integer({ description: 'Id of the page.' }),
    title: nullable(Type.String({ description: 'Sanitised simple HTML.' })),
    showIf: ShowIfShown,
    questions: Type.Array(questionAskedSchema, { description: 'The questions of the page, in order.' }),
  },
  { title: 'AskedPage' },
)

/** What a headless client needs to ask the questions itself. */
export const Definition = Type.Object({
  title: Type.String({ examples: ['Customer satisfaction'] }),
  description: nullable(Type.String({ description: 'Sanitised simple HTML.' })),
  language: Type.String({ description: 'BCP 47: what the texts are in.', examples: ['en'] }),
  languages: Type.Array(Type.String(), {
    description:
      'What the form can be read in, its own language first. In others `options`, `rankOptions`, headings and `scales` stay as answers name them, and are shown by `labels`, `rankLabels`, `columnLabels`, `rowLabels` and `scaleLabels`, in the same order.',
    examples: [['en', 'de']],
  }),
  pages: Type.Array(Type.Unsafe<FormPage>({ [Kind]: 'Any', documented: AskedPage }), {
    description: 'At least one, in order.',
  }),
  variables: VariablesRead,
  ends: EndsRead,
})
