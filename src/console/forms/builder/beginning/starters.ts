import type { QuestionType } from '../../../../forms/question-types/index.ts'
import type { SayConsole } from '../../../words/index.ts'

/** Every question type, with those together that people choose between. */
export const typeGroups = [
  {
    word: 'builderGroupChoice',
    types: ['choose_one', 'choose_any', 'dropdown', 'multi_dropdown', 'binary', 'ranking'],
  },
  { word: 'builderGroupRating', types: ['nps', 'star_rating', 'likert', 'likert_slider', 'matrix'] },
  { word: 'builderGroupText', types: ['textbox', 'numeric', 'date', 'date_range', 'contact_details'] },
  { word: 'builderGroupMore', types: ['file_upload', 'signature', 'payment'] },
] as const satisfies readonly { readonly word: string; readonly types: readonly QuestionType[] }[]

/** A question of a type to begin with, which the rules take; what it says is to be written over. */
export function starterOf(say: SayConsole, type: QuestionType): { type: QuestionType } & Record<string, unknown> {
  return { type, ...settingsOf(say, type) }
}

function settingsOf(say: SayConsole, type: QuestionType): Record<string, unknown> {
  const numbered = (word: 'starterOption' | 'starterRow', count: number) =>
    Array.from({ length: count }, (_, index) => say(word, { number: index + 1 }))
  switch (type) {
    case 'choose_one':
    case 'choose_any':
    case 'dropdown':
    case 'multi_dropdown':
      return { options: numbered('starterOption', 2) }
    case 'ranking':
      return { rankOptions: numbered('starterOption', 3) }
    case 'likert':
    case 'likert_slider':
      return { scales: [{ text: say('starterDisagree'), opposingText: say('starterAgree') }] }
    case 'binary':
      return { trueLabel: say('starterYes'), falseLabel: say('starterNo') }
    case 'matrix':
      return {
        rowHeadings: numbered('starterRow', 2),
        columnHeadings: [say('starterPoor'), say('starterFair'), say('starterGood')],
      }
    case 'contact_details':
      return {
        contactFields: (['first_name', 'last_name', 'email'] as const).map((field) => ({ field, visible: true })),
      }
    case 'file_upload':
      return { fileUploadSlots: [say('starterFile')] }
    default:
      return {}
  }
}
