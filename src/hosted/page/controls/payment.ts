import { formatMoney } from '../../../lib/currencies.ts'
import { html, type Markup } from '../../../lib/markup.ts'
import { type Control, idOf } from './types.ts'

/**
 * The amount is the server's; what a formula shows while the form is filled in is a preview (decisions §5, §6), for which
 * our own script, and no headless client, is told the formula.
 */
export const payment: Control<'payment'> = {
  render(question) {
    const { amount, currency, formula } = question.settings
    const id = idOf(question, 'pay')
    const shown = formula === null ? moneyOf(amount, currency) : '–'
    const sum: Markup = html`<output class="amount" data-amount="${amount}" data-formula="${formula}" data-currency="${currency}">${shown}</output>`
    return question.required
      ? html`<div class="payment">${sum}<input type="hidden" id="${id}" value="yes"></div>`
      : html`<div class="payment"><label class="option"><input type="checkbox" id="${id}" value="yes"><span>Yes, I want to pay</span></label>${sum}</div>`
  },
}

function moneyOf(amount: number | null, currency: string | null): string {
  if (amount === null) return '–'
  return currency === null ? String(amount) : formatMoney(amount, currency)
}
