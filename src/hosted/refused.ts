import type { answers } from '../errors/rules/answers.ts'
import { RuleError, type rules } from '../errors.ts'
import type { PlainWord } from './words/for-script.ts'

/** What the page's script is told of a refusal besides the English: where, and the word of the page's that says it. */
export interface Told {
  /** As in the message: `answers[2] (question 11)`, and `: value.email` of a part of the answer. */
  readonly place: string
  readonly word: PlainWord
}

type Words = { readonly [K in keyof typeof rules]?: PlainWord }

/** What the page says of each rule of answers, most of which it checks by itself before; one without a word does not compile. */
const ofAnswers: Record<keyof typeof answers, PlainWord> = {
  answer_required: 'answerThis',
  answered_twice: 'checkAnswer',
  question_unknown: 'checkAnswer',
  hidden_field_unknown: 'checkAnswer',
  no_file_question: 'checkAnswer',
  upload_unknown: 'fileGone',
  image_type: 'checkAnswer',
  telephone: 'notTelephone',
  web_address: 'notUrl',
  letters: 'notLetters',
  option_or_other: 'checkAnswer',
  no_other: 'checkAnswer',
  option_unknown: 'checkAnswer',
  option_twice: 'checkAnswer',
  too_few_selections: 'checkAnswer',
  too_many_selections: 'checkAnswer',
  column_unknown: 'checkAnswer',
  index_unknown: 'checkAnswer',
  too_many_files: 'checkAnswer',
  index_twice: 'checkAnswer',
  index_missing: 'checkAnswer',
  scale_value: 'checkAnswer',
  rank_all: 'putInOrder',
  contact_field_unknown: 'checkAnswer',
  response_complete: 'checkAnswer',
  later_not_offered: 'checkAnswer',
  response_incomplete: 'checkAnswer',
  nothing_to_pay: 'nothingPaid',
  not_paid_online: 'checkAnswer',
  amount_not_payable: 'amountUnknown',
  payment_under_way: 'paymentUnderWay',
  provider_unreachable: 'paymentUnreachable',
  provider_no_page: 'paymentUnreachable',
}

/** Rules that others share with answers. */
const words: Words = {
  ...ofAnswers,
  email: 'notEmail',
  whole_number: 'notInteger',
  page_token: 'pageTooOld',
  formula_divides: 'amountUnknown',
  formula_negative: 'amountUnknown',
  formula_too_large: 'amountUnknown',
}

/**
 * Runs `work` for a request of the hosted page: what is refused names the rule in a word of the page's, too, so that its
 * script reads no sentence. Others are told what they always were.
 */
export async function toldToPage<T>(isPage: boolean, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!isPage || !(error instanceof RuleError)) throw error
    const { code, rule, place, details } = error
    const told: Told = { place, word: words[rule.key] ?? 'checkAnswer' }
    throw new RuleError(code, rule, place, { ...details, ...told })
  }
}
