import type { FormContent } from '../../forms/pages.ts'
import type { QuestionType } from '../../forms/question-types/index.ts'
import type { LimitationName } from '../../forms/question-types/limitations.ts'
import type { OtherSettings } from '../../forms/settings/model.ts'
import type { PartName } from '../client/parts/names.ts'
import type { PlaceForFiles } from '../words/for-script.ts'

/** Questions that need more than the browser's own controls. */
const ofTypes: { readonly [T in QuestionType]?: PartName } = {
  file_upload: 'files',
  signature: 'signature',
  ranking: 'ranking',
  payment: 'payment',
}

/** The types of the questions that a form asks. */
export function typesIn({ pages }: Pick<FormContent, 'pages'>): ReadonlySet<QuestionType> {
  return new Set(pages.flatMap(({ questions }) => questions.map(({ type }) => type)))
}

/** What the form restricts texts to. */
export function limitationsIn({ pages }: Pick<FormContent, 'pages'>): ReadonlySet<LimitationName> {
  const restricted = pages.flatMap(({ questions }) => questions.flatMap(({ inputLimitation }) => inputLimitation ?? []))
  return new Set(restricted as LimitationName[])
}

/** How many files go into each of its places. */
export function placesIn({ pages }: Pick<FormContent, 'pages'>): ReadonlySet<PlaceForFiles> {
  const asked = pages.flatMap(({ questions }) => questions.filter(({ type }) => type === 'file_upload'))
  return new Set(asked.map(({ maxFiles }) => (maxFiles === 1 ? 'one' : 'several')))
}

interface Paged {
  readonly settings: Pick<OtherSettings, 'mode' | 'later'>
  readonly languages?: readonly string[]
  readonly takesPayments: boolean
}

/** The parts of its script that the page of a form with questions of these types may load. */
export function partsOf(
  { settings, languages = [], takesPayments }: Paged,
  types: ReadonlySet<QuestionType>,
  hasLogic: boolean,
): ReadonlySet<PartName> {
  const asked = [...types].flatMap((type) => ofTypes[type] ?? [])
  const others: readonly [PartName, boolean][] = [
    ['logic', hasLogic],
    ['steps', settings.mode === 'step'],
    ['checkout', takesPayments && types.has('payment')],
    ['later', settings.later],
    ['languages', languages.length > 1],
  ]
  return new Set([...asked, ...others.flatMap(([name, has]) => (has ? name : []))])
}
