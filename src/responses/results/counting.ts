import type { NumberedQuestion } from '../../forms/question-types/index.ts'
import type { Codes, Column, Segment, VariableColumn } from './columns/segment.ts'
import type { Tally } from './tally/result.ts'
import { Sample } from './tally/sample.ts'

const DAY = 86_400_000

/** How many of those that are meant have each of so many codes, and how many have 0. */
export function countsOf(codes: Codes, most: number, places: Uint32Array): Uint32Array {
  const counts = new Uint32Array(most + 1)
  for (let index = 0; index < places.length; index++) {
    const code = codes[places[index] as number] as number
    counts[code] = (counts[code] as number) + 1
  }
  return counts
}

/** Counts what a variable came to. */
export function addVariable(
  samples: Map<string, Sample>,
  { name, values, codes }: VariableColumn,
  places: Uint32Array,
): void {
  const counts = countsOf(codes, values.length, places)
  const sample = samples.get(name) ?? new Sample()
  samples.set(name, sample)
  values.forEach((value, index) => {
    const times = counts[index + 1] as number
    if (times > 0) sample.add(value, times)
  })
}

/** Counts days of those that are meant. Most were begun on the same day as the one before. */
export function addDays(days: Map<number, number>, { begun }: Segment, places: Uint32Array): void {
  let [today, count] = [Number.NaN, 0]
  const finish = () => count > 0 && days.set(today, (days.get(today) ?? 0) + count)
  for (let index = 0; index < places.length; index++) {
    const day = Math.floor((begun[places[index] as number] as number) / DAY)
    if (day !== today) {
      finish()
      today = day
      count = 0
    }
    count += 1
  }
  finish()
}

/** How long each of those that are meant took, in milliseconds. */
export function timesOf({ took }: Segment, places: Uint32Array): Float64Array {
  const times = new Float64Array(places.length)
  for (let index = 0; index < places.length; index++) times[index] = took[places[index] as number] as number
  return times
}

/** Where a mask is 1. */
export function placesOf(mask: Uint8Array): Uint32Array {
  const places = new Uint32Array(mask.length)
  let count = 0
  for (let place = 0; place < mask.length; place++) if (mask[place] === 1) places[count++] = place
  return places.subarray(0, count)
}

/** Counts the answers to a question, or a part of them. */
export function addColumn(
  { questionId, part, values, codes }: Column,
  mask: Uint8Array,
  tally: Tally | undefined,
  questionsOf: (revision: number) => ReadonlyMap<number, NumberedQuestion>,
): void {
  const counts = new Uint32Array(values.length + 1)
  for (let place = 0; place < mask.length; place++) {
    // Multiplying by the mask avoids a branch: responses that are not meant count as unanswered.
    const code = (codes[place] as number) * (mask[place] as number)
    counts[code] = (counts[code] as number) + 1
  }
  values.forEach(({ revision, value }, index) => {
    const times = counts[index + 1] as number
    const then = questionsOf(revision).get(questionId)
    if (times > 0 && then) tally?.add({ part, value }, then, times)
  })
}

/** The upper median of all of them. */
export function medianOf(parts: readonly Float64Array[], count: number): number | null {
  if (count === 0) return null
  const all = new Float64Array(count)
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all.sort()[count >> 1] as number
}
