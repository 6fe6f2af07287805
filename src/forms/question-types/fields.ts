import { Type } from '@sinclair/typebox'
import { invalid, rule } from '../../errors.ts'
import { nullable, oneOf } from '../../http/requests/schemas.ts'
import { isBlank, quote, readBoolean, readInteger, readList, readString } from '../../lib/input/read.ts'
import type { Field } from './types.ts'

/** The longest label of an option, heading, slot, scale end or placeholder. */
export const MAX_LABEL_LENGTH = 500

/** What the document says of a label. */
export const LABEL = { maxLength: MAX_LABEL_LENGTH, pattern: '\\S' }

const INT32_MIN = -(2 ** 31)
const INT32_MAX = 2 ** 31 - 1

interface LabelListOptions {
  readonly min: number
  readonly max: number
  /** What the labels are called in messages: `option`, `row heading`. */
  readonly noun: string
  readonly description: string
  readonly example: string[]
}

/** A list of `min` to `max` labels, none blank, no two the same but for surrounding white space (decisions §5). */
export function labelList({ min, max, noun, description, example }: LabelListOptions): Field<string[]> {
  const tooFew = rule('too_few_labels', { count: min, noun })
  return {
    schema: Type.Array(Type.String(LABEL), { description, minItems: min, maxItems: max, examples: [example] }),
    read(value, place) {
      if (value === null) throw invalid(place, tooFew)
      const items = readList(value, max, place)
      if (items.length < min) throw invalid(place, tooFew)
      const labels = items.map((item, index) => readLabel(item, `${place}[${index}]`))
      refuseDuplicates(labels, place)
      return labels
    },
  }
}

/** A label that may be left out. */
export function optionalLabel(description: string): Field<string | null> {
  return {
    schema: nullable(Type.String({ description, ...LABEL })),
    read: (value, place) => (value === null ? null : readLabel(value, place)),
  }
}

/** A label with a default. */
export function labelOr(fallback: string, description: string): Field<string> {
  return {
    schema: Type.String({ description, default: fallback, ...LABEL }),
    read: (value, place) => (value === null ? fallback : readLabel(value, place)),
  }
}

/** Any text up to the length of a label, which may be left out. */
export function optionalText(description: string): Field<string | null> {
  return {
    schema: nullable(Type.String({ description, maxLength: MAX_LABEL_LENGTH })),
    read: (value, place) => (value === null ? null : readString(value, MAX_LABEL_LENGTH, place)),
  }
}

/** An int32 with a default, within `min` and `max` where given. */
export function int32Or(
  fallback: number,
  description: string,
  { min = INT32_MIN, max = INT32_MAX }: { min?: number; max?: number } = {},
): Field<number> {
  return {
    schema: Type.Integer({ format: 'int32', description, default: fallback, minimum: min, maximum: max }),
    read: (value, place) => (value === null ? fallback : readIntegerBetween(value, min, max, place)),
  }
}

/** An int32 that may be left out. */
export function optionalInt32(description: string): Field<number | null> {
  return {
    schema: nullable(Type.Integer({ format: 'int32', description })),
    read: (value, place) => (value === null ? null : readIntegerBetween(value, INT32_MIN, INT32_MAX, place)),
  }
}

/** true or false; false when left out. */
export function flag(description: string): Field<boolean> {
  return {
    schema: Type.Boolean({ description, default: false }),
    read: (value, place) => (value === null ? false : readBoolean(value, place)),
  }
}

/** One of a few words, with a default. */
export function wordOr<const W extends string>(words: readonly W[], fallback: W, description: string): Field<W> {
  return {
    schema: { ...oneOf(words, description), default: fallback },
    read: (value, place) => (value === null ? fallback : readWord(value, words, place)),
  }
}

/** One of a few words, which may be left out. */
export function optionalWord<const W extends string>(words: readonly W[], description: string): Field<W | null> {
  return {
    schema: nullable(oneOf(words, description)),
    read: (value, place) => (value === null ? null : readWord(value, words, place)),
  }
}

/** A label: a string that is not blank. */
export function readLabel(value: unknown, place: string): string {
  const label = readString(value, MAX_LABEL_LENGTH, place)
  if (isBlank(label)) throw invalid(place, rule('not_blank'))
  return label
}

/** One of `words`; the message of a refusal lists them. */
export function readWord<const W extends string>(value: unknown, words: readonly W[], place: string): W {
  const word = words.find((known) => known === value)
  if (word === undefined) throw invalid(place, rule('one_of', { choices: words.join(', ') }))
  return word
}

/** An integer from `min` to `max`. */
export function readIntegerBetween(value: unknown, min: number, max: number, place: string): number {
  const integer = readInteger(value, place)
  if (integer < min || integer > max) throw invalid(place, rule('between', { least: min, most: max }))
  return integer
}

/** Throws when two of `labels` read the same. */
function refuseDuplicates(labels: readonly string[], place: string): void {
  const seen = new Set<string>()
  labels.forEach((label, index) => {
    const trimmed = label.trim()
    if (seen.has(trimmed)) throw invalid(`${place}[${index}]`, rule('listed_twice', { item: quote(trimmed) }))
    seen.add(trimmed)
  })
}
