import type { QuestionType } from '../../forms/question-types/index.ts'
import type { LimitationName } from '../../forms/question-types/limitations.ts'
import { jsonText, type Markup } from '../../lib/html/markup.ts'
import type { PartName } from '../client/parts/names.ts'
import type { en } from './en.ts'
import type { Wording, Words } from './index.ts'

/*
 * The sentences that the scripts of a form's page say; they come with the page, so that one script serves every language.
 */

/** How many files go into one place. */
export type PlaceForFiles = 'one' | 'several'

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
  contact_details: ['enterEmail', 'enterDetail', 'notEmail', 'notTelephone'],
  date_range: ['enterDates', 'datesReversed'],
  ranking: ['putInOrder'],
  file_upload: ['addFiles', ...ofFiles],
  signature: ['sign', ...ofFiles],
  payment: ['amountUnknown'],
} as const satisfies { [T in QuestionType]?: readonly (keyof Words)[] }

/** Where the form asks for a text that is restricted so. */
const ofLimitations = {
  email: ['notEmail'],
  telephone: ['notTelephone'],
  url: ['notUrl'],
  integer: ['notInteger'],
  letters: ['notLetters'],
} as const satisfies { [L in LimitationName]: readonly (keyof Words)[] }

/** Where a place for files takes one of them, or several. */
const ofPlaces = {
  one: ['oneFile'],
  several: ['fewerFiles'],
} as const satisfies { [P in PlaceForFiles]: readonly (keyof Words)[] }

/** Where the page may load a part of its script. */
const ofParts = {
  logic: ['moreQuestions'],
  steps: [],
  files: [...ofFiles, 'sendingFile', 'fileSent', 'fileRemoved', 'removeFile'],
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
type OfType = (typeof ofTypes)[keyof typeof ofTypes][number] | (typeof ofLimitations)[LimitationName][number]

/** What the page's own script says. */
export type PageWord = Always | OfType | (typeof ofParts)['logic'][number]

/** What a part of it says. */
export type PartWord<P extends PartName> =
  | Always
  | (typeof ofParts)[P][number]
  | (P extends 'files' ? (typeof ofPlaces)[PlaceForFiles][number] : never)

type ScriptWord = PageWord | PartWord<PartName>

/** A sentence that is the same with whatever count, and has no places for values. */
export type PlainWord = {
  [K in ScriptWord]: (typeof en)[K] extends string ? ((typeof en)[K] extends `${string}{${string}` ? never : K) : never
}[ScriptWord]

/** Of those, what the page's own script says. */
export type PlainPageWord = Extract<PlainWord, PageWord>

/** What a page has that the script may have to say something of. */
interface SaidOf {
  readonly types: ReadonlySet<QuestionType>
  readonly limitations: ReadonlySet<LimitationName>
  readonly places: ReadonlySet<PlaceForFiles>
  readonly parts: ReadonlySet<PartName>
}

/** As JSON, what is said on a page that asks for such answers, and may load these parts. */
export function scriptWords({ words }: Wording, { types, limitations, places, parts }: SaidOf): Markup {
  const names = new Set<ScriptWord>([
    ...always,
    ...wordsOf(ofTypes, types),
    ...wordsOf(ofLimitations, limitations),
    ...wordsOf(ofPlaces, places),
    ...wordsOf(ofParts, parts),
  ])
  return jsonText(Object.fromEntries([...names].map((name) => [name, words[name]])))
}

function wordsOf<K extends string>(
  table: Partial<Record<K, readonly ScriptWord[]>>,
  has: ReadonlySet<K>,
): ScriptWord[] {
  return [...has].flatMap((name) => table[name] ?? [])
}
