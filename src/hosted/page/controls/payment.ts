import { parseFormula } from '../../../forms/question-types/formula.ts'
import { html, type Markup } from '../../../lib/html/markup.ts'
import { writeMoney } from '../../../lib/language/amounts.ts'
import { type Control, idOf } from './types.ts'

/**
 * The amount is the server's; what a formula shows while the form is filled in is a preview (decisions §5, §6), for which
 * our own script, and no headless client, is told the formula, parsed: a parser would be a quarter of all that it is.
 */
export const payment: Control<'payment'> = {
  render(question, { say, locale }) {
    const { amount, currency, formula } = question.settings
    const id = idOf(question, 'pay')
    const shown = formula === null ? moneyOf(amount, currency, locale) : '–'
    const sum: Markup = html`<output class="amount" data-amount="${amount}" data-formula="${formula !== null && JSON.stringify(parseFormula(formula, ''))}" data-currency="${currency}">${shown}</output>`
    return question.required
      ? html`<div class="payment">${sum}<input type="hidden" id="${id}" value="yes"></div>`
      : html`<div class="payment"><label class="option"><input type="checkbox" id="${id}" value="yes"><span>${say('wantToPay')}</span></label>${sum}</div>`
  },
}

function moneyOf(amount: number | null, currency: string | null, locale: string): string {
  if (amount === null) return '–'
  return currency === null ? String(amount) : writeMoney(amount, currency, locale)
}
