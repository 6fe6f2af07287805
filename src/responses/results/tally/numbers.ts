import type { NumberedQuestion } from '../../../forms/question-types/index.ts'
import { settingsOf, type Tally } from './result.ts'
import { Sample } from './sample.ts'

export function nps(): Tally {
  const sample = new Sample()
  const groups = { detractors: 0, passives: 0, promoters: 0 }
  return {
    add({ value }, _asked, times) {
      const points = value as number
      sample.add(points, times)
      groups[points >= 9 ? 'promoters' : points >= 7 ? 'passives' : 'detractors'] += times
    },
    result() {
      const numbers = sample.numbers(0, 10)
      const { count } = numbers
      const score = count === 0 ? 0 : Math.round(((groups.promoters - groups.detractors) / count) * 100)
      return { kind: 'nps', answered: count, numbers, ...groups, score }
    },
  }
}

export function stars(question: NumberedQuestion): Tally {
  return sampled(question, 1, settingsOf(question, 'star_rating').maxStars)
}

export function numbers(question: NumberedQuestion): Tally {
  return sampled(question)
}

function sampled(_question: NumberedQuestion, first?: number, last?: number): Tally {
  const sample = new Sample()
  return {
    add: ({ value }, _asked, times) => sample.add(value as number, times),
    result() {
      const numbers = sample.numbers(first, last)
      return { kind: 'numbers', answered: numbers.count, numbers }
    },
  }
}

export function scales(question: NumberedQuestion): Tally {
  const { scales, scaleStart, scaleEnd } = settingsOf(question, 'likert')
  const key = (low: string, high: string) => JSON.stringify([low, high])
  const samples = new Map(
    scales.map(({ text: low, opposingText: high }) => [key(low, high), { low, high, sample: new Sample() }]),
  )
  let answered = 0
  return {
    add({ part, value }, asked, times) {
      if (part === null) {
        answered += times
        return
      }
      const ends = settingsOf(asked, 'likert').scales[part]
      if (!ends) return
      const { text: low, opposingText: high } = ends
      const known = samples.get(key(low, high)) ?? { low, high, sample: new Sample() }
      samples.set(key(low, high), known)
      known.sample.add(value as number, times)
    },
    result: () => ({
      kind: 'scales',
      answered,
      scales: [...samples.values()].map(({ low, high, sample }) => ({
        low,
        high,
        numbers: sample.numbers(scaleStart, scaleEnd),
      })),
    }),
  }
}
