/** A line's worth of a metric: a suffix of its name, its labels in their written form, and the number. */
export interface Sample {
  readonly suffix: '' | '_bucket' | '_sum' | '_count'
  readonly labels: string
  readonly value: number
}

/** The labels of a line, as they stand between braces. Values are escaped as the format asks. */
export function labelled(names: readonly string[], values: readonly (string | number)[]): string {
  return names.map((name, i) => `${name}="${escaped(String(values[i]))}"`).join()
}

function escaped(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')
}

/** Counts by the value of one label. */
export class Counts {
  readonly #counts = new Map<string, number>()

  /** `values` are there from the beginning, at zero: a rate is known of the first one too. */
  constructor(
    private readonly label: string,
    values: readonly string[] = [],
  ) {
    for (const value of values) this.#counts.set(value, 0)
  }

  add(value: string): void {
    this.#counts.set(value, (this.#counts.get(value) ?? 0) + 1)
  }

  *samples(): Generator<Sample> {
    for (const [value, count] of this.#counts) {
      yield { suffix: '', labels: labelled([this.label], [value]), value: count }
    }
  }
}

/** How often something took how long, in seconds. */
export class Times {
  /** One more than there are bounds: what is above all of them. */
  readonly #counts: Float64Array
  #sum = 0
  count = 0

  constructor(private readonly bounds: readonly number[]) {
    this.#counts = new Float64Array(bounds.length + 1)
  }

  add(seconds: number): void {
    const { bounds } = this
    let at = 0
    while (at < bounds.length && seconds > (bounds[at] as number)) at++
    this.#counts[at] = (this.#counts[at] as number) + 1
    this.#sum += seconds
    this.count++
  }

  *samples(labels = ''): Generator<Sample> {
    const before = labels === '' ? '' : `${labels},`
    let below = 0
    for (const [at, bound] of this.bounds.entries()) {
      below += this.#counts[at] as number
      yield { suffix: '_bucket', labels: `${before}le="${bound}"`, value: below }
    }
    yield { suffix: '_bucket', labels: `${before}le="+Inf"`, value: this.count }
    yield { suffix: '_sum', labels, value: this.#sum }
    yield { suffix: '_count', labels, value: this.count }
  }
}
