import type { Markup } from '../../../../lib/html/markup.ts'
import { currencyDigits } from '../../../../lib/language/currencies.ts'
import { field } from '../../../components/forms.ts'
import type { Again, Visit } from '../../../visit.ts'
import type { Settings } from './control.ts'

/** An amount as people write it, in the currency's own unit; forms keep it in the smallest. */
export function moneyField(visit: Visit, { amount, currency }: Settings, again: Again | undefined): Markup {
  const { say } = visit.wording
  return field(visit, {
    name: 'amount',
    label: say('set_amount'),
    help: say('set_amount_help'),
    value: typeof amount === 'number' ? writtenAmount(amount, currency as string | null) : null,
    again,
  })
}

/** `1250` EUR is `12.50`, `1250` JPY is `1250`; without a currency there are no parts of it. */
function writtenAmount(amount: number, currency: string | null): string {
  const digits = digitsOf(currency ?? '')
  const text = String(amount).padStart(digits + 1, '0')
  return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`
}

/** What `moneyField` was given, in the smallest unit; null for nothing, and as it is what is no amount of the currency. */
export function fromAmount(text: string, currency: string): number | string | null {
  if (text === '') return null
  const [, whole, part = ''] = /^(\d{1,15})(?:[.,](\d*))?$/.exec(text) ?? []
  const digits = digitsOf(currency)
  if (whole === undefined || part.length > digits) return text
  return Number(whole + part.padEnd(digits, '0'))
}

const digitsOf = (currency: string) => (/^[A-Z]{3}$/.test(currency) ? currencyDigits(currency) : 0)
