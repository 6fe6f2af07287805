import type { NumberedQuestion } from '../../../forms/question-types/index.ts'
import { Labels, MOST_LABELS } from './labels.ts'
import { settingsOf, type Tally } from './result.ts'

export function matrix(question: NumberedQuestion): Tally {
  const { rowHeadings, columnHeadings } = settingsOf(question, 'matrix')
  const rows = new Map(rowHeadings.map((label) => [label, new Labels(columnHeadings)]))
  let answered = 0
  return {
    add({ part, value }, asked, times) {
      if (part === null) {
        answered += times
        return
      }
      const then = settingsOf(asked, 'matrix')
      const [rowLabel, columnLabel] = [then.rowHeadings[part], then.columnHeadings[value as number]]
      if (rowLabel === undefined || columnLabel === undefined) return
      const labels = rows.get(rowLabel) ?? new Labels(columnHeadings)
      rows.set(rowLabel, labels)
      labels.add(columnLabel, times)
    },
    result() {
      const columns = [...new Set([...rows.values()].flatMap(({ counts }) => [...counts.keys()]))]
      return {
        kind: 'matrix',
        answered,
        columns,
        rows: [...rows].map(([label, { counts }]) => ({
          label,
          counts: columns.map((column) => counts.get(column) ?? 0),
        })),
      }
    },
  }
}

export function ranking(question: NumberedQuestion): Tally {
  const { rankOptions } = settingsOf(question, 'ranking')
  const places = new Map(rankOptions.map((label) => [label, { sum: 0, count: 0 }]))
  let answered = 0
  return {
    add({ part, value }, _asked, times) {
      if (part === null) {
        answered += times
        return
      }
      const label = value as string
      const known = places.get(label) ?? { sum: 0, count: 0 }
      if (!places.has(label) && places.size >= MOST_LABELS) return
      places.set(label, { sum: known.sum + (part + 1) * times, count: known.count + times })
    },
    result: () => ({
      kind: 'ranking',
      answered,
      items: [...places]
        .map(([label, { sum, count }]) => ({ label, count, average: count === 0 ? 0 : sum / count }))
        .sort((one, other) => (one.average || Number.MAX_VALUE) - (other.average || Number.MAX_VALUE)),
    }),
  }
}
