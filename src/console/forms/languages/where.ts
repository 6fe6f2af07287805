import type { TextPlace, Translatable } from '../../../forms/texts/model.ts'
import type { ConsoleWording } from '../../words/index.ts'

/** What the fields of questions are called, beside the number of their question. */
const parts = {
  options: 'textOption',
  rankOptions: 'textOption',
  otherText: 'textOther',
  rowHeadings: 'textRow',
  columnHeadings: 'textColumn',
  scales: 'textScaleEnd',
  trueLabel: 'textAnswer',
  falseLabel: 'textAnswer',
  fileUploadSlots: 'textSlot',
  contactFields: 'textField',
  datePlaceholder: 'textPlaceholder',
  startDatePlaceholder: 'textPlaceholder',
  endDatePlaceholder: 'textPlaceholder',
} as const

/** Says where in a form a text stands, as people count: `Question 3, option`. */
export function placesIn({ pages }: Pick<Translatable, 'pages'>, { say }: ConsoleWording) {
  const questions = new Map(pages.flatMap((page) => page.questions).map(({ id }, index) => [id, index + 1]))
  const pageNumbers = new Map(pages.map(({ id }, index) => [id, index + 1]))
  return ({ key }: TextPlace): string => {
    if (key === 'title') return say('textTitle')
    if (key === 'description') return say('textDescription')
    if (key === 'thanks') return say('textThanks')
    const [, end] = /^ends\[(\d+)\]/.exec(key) ?? []
    if (end !== undefined) return say('textEnd', { number: Number(end) + 1 })
    const [, kind, id, name = ''] = /^(page|q)(\d+)\.(\w+)/.exec(key) ?? []
    if (kind === 'page') return say('textPageTitle', { number: pageNumbers.get(Number(id)) ?? 0 })
    const question = say('formQuestion', { number: questions.get(Number(id)) ?? 0 })
    return Object.hasOwn(parts, name) ? `${question}, ${say(parts[name as keyof typeof parts])}` : question
  }
}
