import { evaluate, isPayable } from '../../forms/question-types/amount.ts'
import { writeList, writeMoney } from '../../lib/language/amounts.ts'
import { answerOf, numberIn } from './answers.ts'
import { all, one } from './dom.ts'
import { locale } from './words.ts'

/*
 * What there is to pay, from the answers so far: a preview by the server's own rules. The server computes it again, and
 * its result counts.
 */

/** Shows what each formula comes to, and on the last page what is due. */
export function amounts(form: HTMLElement, isLast: boolean): void {
  for (const output of all(form, '.amount')) {
    if (!output.dataset.formula) continue
    const amount = amountOf(form, output)
    const { currency } = output.dataset
    output.textContent = amount === null ? '–' : currency ? writeMoney(amount, currency, locale) : String(amount)
  }
  const due = dueIn(form)
  const total = one(form, '#due')
  total.hidden = !isLast || due === ''
  one(total, 'strong').textContent = due
}

/** The payments that are wanted, together: `€37.50`, `€37.50 and ¥1,200`; '' where nothing is due. */
export function dueIn(form: HTMLElement): string {
  const sums = new Map<string, number>()
  for (const question of all(form, '.type-payment')) {
    const output = one(question, '.amount')
    const { currency } = output.dataset
    const amount = answerOf(question) === null ? null : amountOf(form, output)
    if (amount && currency) sums.set(currency, (sums.get(currency) ?? 0) + amount)
  }
  return writeList(
    [...sums].map(([currency, sum]) => writeMoney(sum, currency, locale)),
    locale,
  )
}

/** In the smallest unit of the currency; null where nobody says it, or it cannot be computed (yet). */
function amountOf(form: HTMLElement, { dataset: { amount, formula } }: HTMLElement): number | null {
  if (!formula) return amount ? Number(amount) : null
  const numberOf = (friendlyId: string) => {
    const question = form.querySelector<HTMLElement>(`[data-friendly="${friendlyId}"]`)
    return question ? numberIn(answerOf(question)) : 0
  }
  const value = evaluate(JSON.parse(formula), numberOf)
  return isPayable(value) ? value : null
}
