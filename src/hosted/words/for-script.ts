import { jsonText, type Markup } from '../../lib/html/markup.ts'
import type { en } from './en.ts'
import type { Wording, Words } from './index.ts'

/** The sentences that the page's script says; they come with the page, so that one script serves every language. */
const names = [
  'send',
  'next',
  'close',
  'pageOf',
  'stepOf',
  'moreQuestions',
  'sending',
  'sendingIn',
  'linkSent',
  'linksEnough',
  'alreadySent',
  'orderKept',
  'ranked',
  'sendingFile',
  'fileSent',
  'fileRemoved',
  'fileTooLarge',
  'fileNotSent',
  'fileNoConnection',
  'tooManyFiles',
  'fileGone',
  'oneFile',
  'fewerFiles',
  'removeFile',
  'signatureUnreadable',
  'dueAmount',
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
  'amountUnknown',
  'answerThis',
  'checkAnswer',
  'enterNumber',
  'enterDate',
  'enterDates',
  'datesReversed',
  'enterEmail',
  'enterDetail',
  'enterOther',
  'chooseMore',
  'chooseFewer',
  'chooseOnScales',
  'moveSliders',
  'chooseInRows',
  'putInOrder',
  'addFiles',
  'waitForFile',
  'sign',
  'notEmail',
  'notTelephone',
  'notUrl',
  'notInteger',
  'notLetters',
  'answersToMend',
  'closed',
  'closedKept',
  'notSent',
  'pageTooOld',
  'answersRefused',
] as const satisfies readonly (keyof Words)[]

export type ScriptWord = (typeof names)[number]

/** A sentence that is the same with whatever count, and has no places for values. */
export type PlainWord = {
  [K in ScriptWord]: (typeof en)[K] extends string ? ((typeof en)[K] extends `${string}{${string}` ? never : K) : never
}[ScriptWord]

/** Them in one language, as JSON. */
export function scriptWords({ words }: Wording): Markup {
  return jsonText(Object.fromEntries(names.map((name) => [name, words[name]])))
}
