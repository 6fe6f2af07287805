import type { Numbers } from './result.ts'

/** Bars that numbers are shown in, at most. */
const MOST_BARS = 20

/** Numbers as they come in. */
export class Sample {
  readonly #counts = new Map<number, number>()
  #count = 0
  #sum = 0

  add(value: number, times: number): void {
    this.#counts.set(value, (this.#counts.get(value) ?? 0) + times)
    this.#count += times
    this.#sum += value * times
  }

  /** Each whole number from `first` to `last` has a bar, where they are few; without them, whatever was given. */
  numbers(first?: number, last?: number): Numbers {
    const given = [...this.#counts.keys()]
    const min = given.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY)
    const max = given.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY)
    const bounds = { min: this.#count === 0 ? 0 : min, max: this.#count === 0 ? 0 : max }
    const average = this.#count === 0 ? 0 : this.#sum / this.#count
    const [low, high] = [Math.min(first ?? bounds.min, bounds.min), Math.max(last ?? bounds.max, bounds.max)]
    const from = first !== undefined && this.#count === 0 ? first : low
    const to = last !== undefined && this.#count === 0 ? last : high
    return {
      count: this.#count,
      average,
      ...bounds,
      bars: this.#count === 0 && first === undefined ? [] : this.#bars(from, to),
    }
  }

  /** Whole numbers that are few have a bar each, others about ten ranges of which the last takes in its end. */
  #bars(low: number, high: number): Numbers['bars'] {
    const isWhole = [...this.#counts.keys()].every(Number.isInteger)
    const each = isWhole && high - low < MOST_BARS
    const width = each ? 1 : isWhole ? Math.ceil((high - low) / 10) : (high - low) / 10 || 1
    const amount = each ? high - low + 1 : Math.max(1, Math.ceil((high - low) / width))
    const bars = Array.from({ length: Math.min(amount, MOST_BARS) }, (_, index) => {
      const from = low + index * width
      const to = each ? from : index === amount - 1 ? high : from + width - (isWhole ? 1 : 0)
      return { from, to, count: 0 }
    })
    for (const [value, count] of this.#counts) {
      const bar = bars[Math.min(amount - 1, Math.floor((value - low) / width))]
      if (bar) bar.count += count
    }
    return bars
  }
}
