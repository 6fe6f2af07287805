import { type Static, Type } from '@sinclair/typebox'
import { nullable, oneOf, optional, strictObject } from '../http/schemas.ts'

/** Far more than a form has questions: what is left over is refused one by one, by name. */
const MAX_ANSWERS = 1000

const fields = {
  answers: Type.Array(strictObject({ questionId: Type.Integer(), value: Type.Optional(Type.Unknown()) }), {
    maxItems: MAX_ANSWERS,
  }),
  complete: optional(Type.Boolean()),
  /** Sent by the hosted page alone (`abuse.ts`). */
  page: optional(strictObject({ token: Type.String({ maxLength: 200 }), website: Type.String({ maxLength: 10_000 }) })),
}

const resumeToken = Type.String({ maxLength: 200 })

/** decisions §6: the body that begins a response. */
export const Begin = strictObject(fields)
export type Begin = Static<typeof Begin>

/** The body that goes on with one. */
export const GoOn = strictObject({ ...fields, resumeToken })
export type GoOn = Static<typeof GoOn>

/** What a respondent is told of a response. */
export const Begun = Type.Object({
  id: Type.String(),
  resumeToken: Type.String(),
  status: oneOf(['complete', 'partial']),
})
export type Begun = Static<typeof Begun>

/** Who wants to pay shows to be the one who answered. */
export const Pay = strictObject({ resumeToken: resumeToken })

/** Where the respondent pays. */
export const PayAt = Type.Object({ url: Type.String() })

export const Uploaded = Type.Object({ uploadId: Type.String() })

/** What a headless client needs to ask the questions itself. */
export const Definition = Type.Object({
  title: Type.String(),
  description: nullable(Type.String()),
  pages: Type.Array(Type.Unknown()),
})
