/*
 * The 19 question types (api.md §2): what the rest of the code may call. One entry per type drives validation, defaults,
 * what a read returns, answer checking, scoring and documentation; `types.ts` says what an entry is, `table.ts` lists them.
 */
export {
  acceptAnswer,
  answerNumber,
  answerText,
  completeAnswer,
  type NumberedQuestion,
  numberLookup,
  type ResponseScores,
  type StoredAnswers,
  sampleAnswer,
  satisfactionIn,
  scoreResponse,
} from './answering.ts'
export { type ContactDetails, type ContactFieldName, contactFieldLabel, contactFieldNames } from './contact-details.ts'
export { checkForm, MAX_QUESTIONS, type PlacedQuestion, parseQuestion } from './parse.ts'
export type { PaymentAnswer } from './payment.ts'
export {
  answerSchemas,
  answerValueSchema,
  questionAskedSchema,
  questionCreateSchema,
  questionReadSchema,
  questionReadSchemas,
  settingsSchemas,
} from './schemas.ts'
export {
  addedSettings,
  askedQuestion,
  type Question,
  type QuestionType,
  questionTypeNames,
  questionTypes,
} from './table.ts'
export type { AnswerContext, Upload } from './types.ts'
