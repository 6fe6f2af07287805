import { Type } from '@sinclair/typebox'
import { invalid, rule } from '../../errors.ts'
import { nullable, oneOf } from '../../http/requests/schemas.ts'
import { isBlank, readFields, readString } from '../../lib/input/read.ts'
import { formatMoney, isCurrency } from '../../lib/language/currencies.ts'
import { readIntegerBetween } from './fields.ts'
import { friendlyIdsIn, MAX_FORMULA_LENGTH, parseFormula, payableAmount } from './formula.ts'
import { type Field, questionType } from './types.ts'

const amount: Field<number | null> = {
  schema: nullable(Type.Integer({ format: 'int64', minimum: 0, description: 'In the smallest unit of the currency.' })),
  read: (value, place) => (value === null ? null : readIntegerBetween(value, 0, Number.MAX_SAFE_INTEGER, place)),
}

const currency: Field<string | null> = {
  schema: nullable(Type.String({ description: 'ISO 4217 code.', pattern: '^[A-Z]{3}$', maxLength: 3 })),
  read(value, place) {
    if (value === null) return null
    if (typeof value !== 'string' || !isCurrency(value)) throw invalid(place, rule('currency'))
    return value
  },
}

const formula: Field<string | null> = {
  isInternal: true,
  schema: nullable(
    Type.String({
      description: 'The amount as arithmetic over other answers, such as {SEATS} * 1200; wins over amount.',
      maxLength: MAX_FORMULA_LENGTH,
    }),
  ),
  read(value, place) {
    if (value === null) return null
    const text = readString(value, MAX_FORMULA_LENGTH, place)
    if (isBlank(text)) throw invalid(place, rule('not_blank'))
    parseFormula(text, place)
    return text
  },
}

/** The client sends `{}`: amount and currency are the server's (decisions §6), the amount once the rest is known. */
export const payment = questionType({
  type: 'payment',
  meaning: 'Card payment.',
  fields: { amount, currency, formula },
  answerSchema: Type.Object({
    amount: nullable(Type.Integer({ format: 'int64', description: 'Null while a formula waits for other answers.' })),
    currency: nullable(Type.String({ description: 'ISO 4217 code.', examples: ['EUR'] })),
    status: oneOf(
      ['pending', 'paid', 'not_due'],
      'not_due: completion found that there is nothing to pay, an amount of 0.',
    ),
    reference: nullable(Type.String({ description: "The payment provider's reference; null until it is paid." })),
  }),
  checkInForm(settings, place, givesNumber) {
    if (settings.formula === null) return
    for (const friendlyId of friendlyIdsIn(parseFormula(settings.formula, `${place}.formula`))) {
      const known = givesNumber(friendlyId)
      if (known === null) throw invalid(`${place}.formula`, rule('formula_unknown', { name: friendlyId }))
      if (!known) throw invalid(`${place}.formula`, rule('formula_no_number', { name: friendlyId }))
    }
  },
  accept(value, settings, place): PaymentAnswer {
    readFields(value, [], place)
    return {
      amount: settings.formula === null ? settings.amount : null,
      currency: settings.currency,
      status: 'pending',
      reference: null,
    }
  },
  finish(answer, settings, place, ctx) {
    const { formula } = settings
    const amount = formula === null ? answer.amount : payableAmount(parseFormula(formula, place), ctx.number, place)
    // With nothing to pay, the payment must not show as pending.
    return { ...answer, amount, status: amount === 0 ? 'not_due' : answer.status }
  },
  sample: () => ({}),
  text: ({ amount, currency, status }) =>
    `${amount === null || currency === null ? (amount ?? 'Payment') : formatMoney(amount, currency)} (${words[status]})`,
})

const words: Record<PaymentAnswer['status'], string> = { pending: 'pending', paid: 'paid', not_due: 'not due' }

/** decisions §4. */
export interface PaymentAnswer {
  /** In the smallest unit of the currency; null while, or where, nobody says it. */
  amount: number | null
  currency: string | null
  status: 'pending' | 'paid' | 'not_due'
  reference: string | null
}
