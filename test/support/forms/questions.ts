import type {
  AnswerContext,
  NumberedQuestion,
  Question,
  QuestionType,
  Upload,
} from '../../../src/forms/question-types/index.ts'
import { parseQuestion, questionTypeNames } from '../../../src/forms/question-types/index.ts'

/** What each type needs beside its name to be valid; nothing for most. */
const needed: Partial<Record<QuestionType, object>> = {
  choose_one: { options: ['Red', 'Blue', 'Green'] },
  dropdown: { options: ['Red', 'Blue', 'Green'] },
  choose_any: { options: ['Red', 'Blue', 'Green'] },
  multi_dropdown: { options: ['Red', 'Blue', 'Green'] },
  matrix: { rowHeadings: ['Speed', 'Price'], columnHeadings: ['Bad', 'Fair', 'Good'] },
  ranking: { rankOptions: ['First', 'Second', 'Third'] },
  contact_details: {
    contactFields: [{ field: 'first_name', visible: true }, { field: 'email', visible: true }, { field: 'city' }],
  },
  file_upload: { fileUploadSlots: ['CV', 'Letter'] },
}

export const place = 'pages[0].questions[3]'
export const answerPlace = 'answers[2] (question 11)'

/** The body of a minimal valid question of `type`, with `fields` on top. */
export function questionBody(type: QuestionType, fields: object = {}): Record<string, unknown> {
  return { type, ...needed[type], ...fields }
}

export function question(type: QuestionType, fields: object = {}): Question {
  return parseQuestion(questionBody(type, fields), place)
}

export function numbered(id: number, type: QuestionType, fields: object = {}): NumberedQuestion {
  return { ...question(type, fields), id }
}

export const everyQuestion: readonly Question[] = questionTypeNames.map((type) => question(type))

/** Two uploads, `png` and `pdf`; every formula reference is 3. */
export const answerContext: AnswerContext = {
  upload: (id) => uploads.find((upload) => upload.id === id) ?? null,
  number: () => 3,
}

const uploads: readonly Upload[] = [
  { id: 'png', fileName: 'me.png', contentType: 'image/png', size: 3, url: 'https://files.test/png' },
  { id: 'pdf', fileName: 'cv.pdf', contentType: 'application/pdf', size: 5, url: 'https://files.test/pdf' },
]

/** The message of what `run` throws; 'nothing thrown' when it returns. */
export function messageOf(run: () => unknown): string {
  try {
    run()
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
  return 'nothing thrown'
}
