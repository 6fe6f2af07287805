import type { Counted } from './result.ts'

/** Labels of choices that are told apart: what earlier revisions offered adds to those of today. */
export const MOST_LABELS = 1000

/** Counts by label: those of today in their order, then what was offered before. */
export class Labels {
  readonly counts: Map<string, number>

  constructor(labels: readonly string[]) {
    this.counts = new Map(labels.map((label) => [label, 0]))
  }

  add(label: string, by = 1): void {
    const before = this.counts.get(label)
    if (before === undefined && this.counts.size >= MOST_LABELS) return
    this.counts.set(label, (before ?? 0) + by)
  }

  list(): Counted[] {
    return [...this.counts].map(([label, count]) => ({ label, count }))
  }
}
