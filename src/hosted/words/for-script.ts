import type { QuestionType } from '../../forms/question-types/index.ts'
import { jsonText, type Markup } from '../../lib/html/markup.ts'
import type { PartName } from '../client/parts/names.ts'
import type { en } from './en.ts'
import type { Wording, Words } from './index.ts'

/*
 * The sentences that the scripts of a form's page say; they come with the page, so that one script serves every language.
 */

/** On every page. */
const always = [
  'send',
  'next',
  'close',
  'pageOf',
  'stepOf',
  'sending',
  'sendingIn',
  'answerThis',
  'checkAnswer',
  'enterNumber',
  'enterDate',
  'enterOther',
  'answersToMend',
  'closed',
  'closedKept',
  'notSent',
  'pageTooOld',
  'answersRefused',
] as const satisfies readonly (keyof Words)[]

const ofFiles = [
  'waitForFile',
  'fileNotSent',
  'fileNoConnection',
  'fileTooLarge',
  'tooManyFiles',
  'fileGone',
] as const satisfies readonly (keyof Words)[]

/** Where the form asks a question of a type, for what may be wrong with its answer. */
const ofTypes = {
  choose_any: ['chooseMore', 'chooseFewer'],
  multi_dropdown: ['chooseMore', 'chooseFewer'],
  likert: ['chooseOnScales'],
  likert_slider: ['moveSliders'],
  matrix: ['chooseInRows'],
  textbox: ['notEmail', 'notTelephone', 'notUrl', 'notInteger', 'notLetters'],
  contact_details: ['enterEmail', 'enterDetail', 'notEmail', 'notTelephone'],
  date_range: ['enterDates', 'datesReversed'],
  ranking: ['putInOrder'],
  file_upload: ['addFiles', ...ofFiles],
  signature: ['sign', ...ofFiles],
  payment: ['amountUnknown'],
} as const satisfies { [T in QuestionType]?: readonly (keyof Words)[] }

/** Where the page may load a part of its script. */
const ofParts = {
  logic: ['moreQuestions'],
  steps: [],
  files: [...ofFiles, 'sendingFile', 'fileSent', 'fileRemoved', 'oneFile', 'fewerFiles', 'removeFile'],
  signature: [...ofFiles, 'signatureUnreadable'],
  ranking: ['orderKept', 'ranked'],
  payment: ['dueAmount'],
  checkout: [
    'openingPayment',
    'payToFinish',
    'payNow',
    'tryAgain',
    'paymentThanks',
    'nothingPaid',
    'paymentOpen',
    'paymentUnderWay',
    'paymentReceived',
    'paymentUnreachable',
  ],
  later: ['linkSent', 'linksEnough', 'alreadySent', 'notEmail'],
  languages: ['waitForFile', 'fileNotSent'],
} as const satisfies { [P in PartName]: readonly (keyof Words)[] }

type Always = (typeof always)[number]
type OfType = (typeof ofTypes)[keyof typeof ofTypes][number]

/** What the page's own script says. */
export type PageWord = Always | OfType | (typeof ofParts)['logic'][number]

/** What a part of it says. */
export type PartWord<P extends PartName> = Always | (typeof ofParts)[P][number]

type ScriptWord = PageWord | PartWord<PartName>

/** A sentence that is the same with whatever count, and has no places for values. */
export type PlainWord = {
  [K in ScriptWord]: (typeof en)[K] extends string ? ((typeof en)[K] extends `${string}{${string}` ? never : K) : never
}[ScriptWord]

/** Of those, what the page's own script says. */
export type PlainPageWord = Extract<PlainWord, PageWord>

/** As JSON, what is said on a page that asks questions of these types, and may load these parts. */
export function scriptWords(
  { words }: Wording,
  types: ReadonlySet<QuestionType>,
  parts: ReadonlySet<PartName>,
): Markup {
  const ofItsTypes = Object.entries(ofTypes).flatMap(([type, names]) => (types.has(type as QuestionType) ? names : []))
  const ofItsParts = Object.entries(ofParts).flatMap(([part, names]) => (parts.has(part as PartName) ? names : []))
  const names = new Set<ScriptWord>([...always, ...ofItsTypes, ...ofItsParts])
  return jsonText(Object.fromEntries([...names].map((name) => [name, words[name]])))
}
