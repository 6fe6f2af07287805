import { evaluate, type Formula, isPayable, numberIn } from '../../../forms/question-types/amount.ts'
import { writeList, writeMoney } from '../../../lib/language/amounts.ts'
import type { Asked } from '../progress/asked.ts'
import { give, toolsFor } from './kit.ts'
import type { Payment } from './parts.ts'

/**
 * What there is to pay, from the answers so far: a preview by the server's own rules. The server computes it again, and
 * its result counts.
 */
function makePayment(form: HTMLElement, asked: Asked): Payment {
  const { all, one, answerOf, locale, say } = toolsFor('payment')
  const questions = all(form, '.type-payment')

  function show(isLast: boolean): void {
    for (const question of questions) {
      const output = one(question, '.amount')
      if (!output.dataset.formula) continue
      const { amount, currency } = priceOf(question)
      output.textContent = amount === null ? '–' : currency ? writeMoney(amount, currency, locale) : String(amount)
    }
    const due = dueNow()
    const total = one(form, '#due')
    total.hidden = !isLast || due === ''
    one(total, 'strong').textContent = due
  }

  /** The payments that are wanted, together: `€37.50`, `€37.50 and ¥1,200`; '' where nothing is due. */
  function dueNow(): string {
    const sums = new Map<string, number>()
    for (const question of questions) {
      if (!asked.isAsked(question) || answerOf(question) === null) continue
      const { amount, currency } = priceOf(question)
      if (amount && currency) sums.set(currency, (sums.get(currency) ?? 0) + amount)
    }
    return writeList(
      [...sums].map(([currency, sum]) => writeMoney(sum, currency, locale)),
      locale,
    )
  }

  function owed(how: string): string {
    const due = dueNow()
    return due === '' ? '' : `${say('dueAmount', { amount: due })} ${how}`
  }

  function priceOf(question: HTMLElement): ReturnType<Payment['priceOf']> {
    const { amount = '', formula, currency = '' } = one(question, '.amount').dataset
    const price = formula ? computed(JSON.parse(formula)) : amount
    return { amount: price === null || price === '' ? null : Number(price), currency: currency || null }
  }

  /** By the server's rules, too: what is not asked, and names nothing, is 0. */
  function computed(formula: Formula): number | null {
    const value = evaluate(formula, (name) => {
      const question = form.querySelector<HTMLElement>(`[data-friendly="${name}"]`)
      if (!question) return asked.variable(name)
      return asked.isAsked(question) ? (numberIn(answerOf(question)) ?? 0) : 0
    })
    return isPayable(value) ? value : null
  }

  return { show, priceOf, owed }
}

give('payment', makePayment)
