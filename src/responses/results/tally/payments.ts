import type { PaymentAnswer } from '../../../forms/question-types/index.ts'
import { Labels } from './labels.ts'
import type { Sum, Tally } from './result.ts'

export function payments(): Tally {
  const counts = new Map([
    ['paid', 0],
    ['pending', 0],
    ['not_due', 0],
  ])
  const paid = new Labels([])
  const pending = new Labels([])
  let answered = 0
  return {
    add({ value }, _asked, times) {
      const { status, amount, currency } = value as PaymentAnswer
      answered += times
      counts.set(status, (counts.get(status) ?? 0) + times)
      if (amount === null || currency === null) return
      if (status === 'paid') paid.add(currency, amount * times)
      if (status === 'pending') pending.add(currency, amount * times)
    },
    result: () => ({
      kind: 'payments',
      answered,
      counts: [...counts].map(([status, count]) => ({ status, count })),
      paid: sumsOf(paid),
      pending: sumsOf(pending),
    }),
  }
}

const sumsOf = (amounts: Labels): Sum[] =>
  amounts.list().map(({ label, count }) => ({ currency: label, amount: count }))
