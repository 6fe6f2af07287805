import { writeMoney } from '../../../lib/language/amounts.ts'
import type { Numbers, Result } from '../../../responses/results/tally/result.ts'
import type { View } from '../../visit.ts'
import { duration } from './duration.ts'

/** A number of one period that another has too. */
export interface Figure {
  /** What tells it from others of the same results. */
  readonly key: string
  readonly label: string
  /** null where there is nothing that it could be of. */
  readonly value: number | null
  readonly unit: Unit
}

/** `score` is one of points, `share` a part of 1, `time` in milliseconds; or the ISO 4217 code of a currency. */
type Unit = 'count' | 'number' | 'score' | 'share' | 'time' | { readonly currency: string }

/** The value of a figure as a locale writes it. */
export function figureText(view: View, { value, unit }: Pick<Figure, 'value' | 'unit'>): string {
  const { write, locale } = view.wording
  if (value === null) return '–'
  if (typeof unit === 'object') return writeMoney(value, unit.currency, locale)
  if (unit === 'share') return sharePrecisely(view, value)
  return unit === 'time' ? duration(view, value) : write(round(value))
}

/** How much more it is than it was, with its sign; of shares in points, since a percentage of a percentage says little. */
export function differenceText(view: View, unit: Unit, difference: number): string {
  const { say, locale } = view.wording
  const signed = (value: number, digits: number) =>
    new Intl.NumberFormat(locale, { signDisplay: 'exceptZero', maximumFractionDigits: digits })
      .format(value)
      .replace('-', MINUS)
  if (unit === 'share') return say('comparePoints', { points: signed(difference * 100, 1) })
  if (unit !== 'time' && typeof unit !== 'object') return signed(difference, 2)
  const text = figureText(view, { value: Math.abs(difference), unit })
  if (difference === 0) return unit === 'time' ? '0' : text
  return `${difference > 0 ? '+' : MINUS}${text}`
}

/** As wide as a plus; some locales write a hyphen. */
const MINUS = '−'

/** With a decimal, so that a difference is seen to be one: 82 % and 84 % may be 2.7 points apart. */
function sharePrecisely({ wording: { locale } }: View, value: number): string {
  return new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 }).format(value)
}

const round = (value: number) => Math.round(value * 100) / 100

/** What can be compared of the answers to one question. */
export function figuresOf(view: View, result: Result): Figure[] {
  const { say } = view.wording
  return [count('answered', say('compareAnswered'), result.answered), ...ownFigures(view, result)]
}

function ownFigures(view: View, result: Result): Figure[] {
  const { say } = view.wording
  const { answered } = result
  switch (result.kind) {
    case 'choices':
      return [
        ...result.counts.map(({ label, count }) => share(label, label, count, answered)),
        ...(result.other === 0 ? [] : [share('\0other', say('resultsOther'), result.other, answered)]),
      ]
    case 'nps':
      return [
        { key: 'score', label: say('resultsScore'), value: answered === 0 ? null : result.score, unit: 'score' },
        share('promoters', say('resultsPromoters'), result.promoters, answered),
        share('passives', say('resultsPassives'), result.passives, answered),
        share('detractors', say('resultsDetractors'), result.detractors, answered),
      ]
    case 'numbers':
      return [
        average('average', say('resultsAverage'), result.numbers),
        ...(['min', 'max'] as const).map((end) => ({
          key: end,
          label: say(end === 'min' ? 'compareLeast' : 'compareMost'),
          value: answered === 0 ? null : result.numbers[end],
          unit: 'number' as const,
        })),
      ]
    case 'scales':
      return result.scales.map(({ low, high, numbers }) =>
        average(`${low}\0${high}`, `${low} – ${high}: ${say('resultsAverage')}`, numbers),
      )
    case 'matrix':
      return result.rows.flatMap(({ label: row, counts }) => {
        const whole = counts.reduce((sum, count) => sum + count, 0)
        return counts.map((count, index) => {
          const column = result.columns[index] ?? ''
          return share(`${row}\0${column}`, `${row}: ${column}`, count, whole)
        })
      })
    case 'ranking':
      return result.items.map(({ label, average, count }) => ({
        key: label,
        label: `${label}: ${say('resultsPlace')}`,
        value: count === 0 ? null : average,
        unit: 'number',
      }))
    case 'payments':
      return [
        ...result.counts.map(({ status, count: some }) => count(status, paymentWord(view, status), some)),
        ...(['paid', 'pending'] as const).flatMap((status) =>
          result[status].map(({ currency, amount }) => ({
            key: `${status} in ${currency}`,
            label: say(SUMS[status], { currency }),
            value: amount,
            unit: { currency },
          })),
        ),
      ]
    case 'texts':
      return []
  }

  function average(key: string, label: string, { average, count }: Numbers): Figure {
    return { key, label, value: count === 0 ? null : average, unit: 'number' }
  }
}

/** What the state of a payment is called. */
export function paymentWord({ wording: { say } }: View, status: string): string {
  if (status === 'paid') return say('paymentPaid')
  return status === 'not_due' ? say('paymentNotDue') : say('paymentPending')
}

/** What sums of money are called, by the state of their payments. */
export const SUMS = { paid: 'resultsPaid', pending: 'resultsPending' } as const

function count(key: string, label: string, value: number): Figure {
  return { key, label, value, unit: 'count' }
}

function share(key: string, label: string, part: number, whole: number): Figure {
  return { key, label, value: whole === 0 ? null : part / whole, unit: 'share' }
}
