import { questionTypeNames } from '../../../src/forms/question-types/index.ts'
import { questionBody } from './questions.ts'

/** The form that weighs most: every type of question on a condition, with an answer in its text. */
export function everythingReacts(): object {
  const showIf = { match: 'all', conditions: [{ question: 'SCORE', op: 'at_least', value: 3 }] }
  const questions = questionTypeNames.map((type) =>
    questionBody(type, { text: `Question of ${type} for {NAME}, who said {SCORE}`, showIf }),
  )
  const first = [
    questionBody('nps', { text: 'How likely?', friendlyId: 'SCORE' }),
    questionBody('textbox', { text: 'What are you called?', friendlyId: 'NAME' }),
  ]
  return {
    pages: [{ title: 'For {NAME}', questions: [...first, ...questions] }],
    variables: [{ name: 'TWICE', formula: '{SCORE} * 2' }],
    ends: [{ showIf, thanks: '<p>{TWICE} thanks, {NAME}</p>' }],
  }
}
