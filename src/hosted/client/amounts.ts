import { evaluate, type Formula, isPayable, numberIn } from '../../forms/question-types/amount.ts'
import { writeList, writeMoney } from '../../lib/language/amounts.ts'
import { answerOf } from './answers.ts'
import type { Asked } from './asked.ts'
import { all, one } from './dom.ts'
import { locale } from './words.ts'

/*
 * What there is to pay, from the answers so far: a preview by the server's own rules. The server computes it again, and
 * its result counts.
 */

/** Shows what each formula comes to, and on the last page what is due. */
export function amounts(form: HTMLElement, isLast: boolean, asked: Asked): void {
  for (const question of all(form, '.type-payment')) {
    const output = one(question, '.amount')
    if (!output.dataset.formula) continue
    const { amount, currency } = priceOf(question, asked)
    output.textContent = amount === null ? '–' : currency ? writeMoney(amount, currency, locale) : String(amount)
  }
  const due = dueIn(form, asked)
  const total = one(form, '#due')
  total.hidden = !isLast || due === ''
  one(total, 'strong').textContent = due
}

/** Whether a respondent wants to pay what a question asks for. */
export function isWanted(question: HTMLElement, { isAsked }: Asked): boolean {
  return question.dataset.type === 'payment' && isAsked(question) && answerOf(question) !== null
}

/** The payments that are wanted, together: `€37.50`, `€37.50 and ¥1,200`; '' where nothing is due. */
export function dueIn(form: HTMLElement, asked: Asked): string {
  const sums = new Map<string, number>()
  for (const question of all(form, '.type-payment')) {
    if (!isWanted(question, asked)) continue
    const { amount, currency } = priceOf(question, asked)
    if (amount && currency) sums.set(currency, (sums.get(currency) ?? 0) + amount)
  }
  return writeList(
    [...sums].map(([currency, sum]) => writeMoney(sum, currency, locale)),
    locale,
  )
}

/** What a payment comes to, in the smallest unit of its currency; null where nobody says it, or it cannot be computed (yet). */
export function priceOf(question: HTMLElement, asked: Asked): { amount: number | null; currency: string | null } {
  const { amount = '', formula, currency = '' } = one(question, '.amount').dataset
  const price = formula ? computed(JSON.parse(formula), question.closest('form') as HTMLElement, asked) : amount
  return { amount: price === null || price === '' ? null : Number(price), currency: currency || null }
}

/** By the server's rules, too: what is not asked, and names nothing, is 0. */
function computed(formula: Formula, form: HTMLElement, asked: Asked): number | null {
  const value = evaluate(formula, (name) => {
    const question = form.querySelector<HTMLElement>(`[data-friendly="${name}"]`)
    if (!question) return asked.variable(name)
    return asked.isAsked(question) ? (numberIn(answerOf(question)) ?? 0) : 0
  })
  return isPayable(value) ? value : null
}
