/**
 * Chance that comes out the same every time: a generator (sfc32) seeded by a name. Each part of the demo has its own,
 * so that a change to one leaves the others as they were.
 */
export class Random {
  readonly #state: Uint32Array

  constructor(name: string) {
    const seed = new Bun.CryptoHasher('sha256').update(name).digest()
    this.#state = new Uint32Array([0, 4, 8, 12].map((offset) => seed.readUInt32LE(offset)))
    for (let round = 0; round < 12; round++) this.next()
  }

  /** At least 0, less than 1. */
  next = (): number => {
    const [a, b, c, d] = this.#state as unknown as [number, number, number, number]
    const result = (a + b + d) >>> 0
    this.#state.set([b ^ (b >>> 9), c + (c << 3), ((c << 21) | (c >>> 11)) + result, d + 1])
    return result / 2 ** 32
  }

  /** True with a probability of `p`. */
  chance(p: number): boolean {
    return this.next() < p
  }

  /** An integer from `min` to `max`. */
  integer(min: number, max: number): number {
    return min + Math.floor(this.next() * (max - min + 1))
  }

  /** A number around `mean`; two of three are within `deviation` of it. */
  normal(mean: number, deviation: number): number {
    let sum = -6
    for (let i = 0; i < 12; i++) sum += this.next()
    return mean + sum * deviation
  }

  pick<T>(items: readonly T[]): T {
    return items[this.integer(0, items.length - 1)] as T
  }

  /** One of `items`, each as often as its weight says. */
  weighted<T>(items: readonly (readonly [item: T, weight: number])[]): T {
    let left = this.next() * items.reduce((sum, [, weight]) => sum + weight, 0)
    for (const [item, weight] of items) {
      left -= weight
      if (left < 0) return item
    }
    return (items.at(-1) as readonly [T, number])[0]
  }

  shuffle<T>(items: readonly T[]): T[] {
    const keyed = items.map((item) => ({ item, key: this.next() }))
    return keyed.sort((a, b) => a.key - b.key).map(({ item }) => item)
  }
}
