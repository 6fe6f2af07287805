import { invalid, rule } from '../../errors.ts'

/*
 * Readers of untrusted JSON values. Each returns the value with its type, or throws `invalid(place, rule)`.
 */

/** An object, or a 400. Own keys only are of interest: read it with `Object.hasOwn`. */
export function readObject(value: unknown, place: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalid(place, rule('object'))
  return value as Record<string, unknown>
}

/** An object that has no other keys than `keys`. What it lacks comes back as null. */
export function readFields<K extends string>(value: unknown, keys: readonly K[], place: string): Record<K, unknown> {
  const object = readObject(value, place)
  for (const key of Object.keys(object)) {
    if (!(keys as readonly string[]).includes(key))
      throw invalid(place, rule('unknown_field_named', { name: quote(key) }))
  }
  return Object.fromEntries(keys.map((key) => [key, ownValue(object, key)])) as Record<K, unknown>
}

/** The own value of `key`, null when there is none: inherited names such as `constructor` do not count. */
export function ownValue(object: Record<string, unknown>, key: string): unknown {
  return Object.hasOwn(object, key) ? (object[key] ?? null) : null
}

/** A list of at most `max` items. */
export function readList(value: unknown, max: number, place: string): unknown[] {
  if (!Array.isArray(value)) throw invalid(place, rule('list'))
  if (value.length > max) throw invalid(place, rule('too_many_items', { most: max }))
  return value
}

/** A string of at most `max` characters (UTF-16 units), possibly empty. */
export function readString(value: unknown, max: number, place: string): string {
  if (typeof value !== 'string') throw invalid(place, rule('string'))
  if (value.length > max) throw invalid(place, rule('too_long', { most: max }))
  return value
}

/** An integer that JSON numbers hold exactly. */
export function readInteger(value: unknown, place: string): number {
  if (!Number.isSafeInteger(value)) throw invalid(place, rule('integer'))
  return value as number
}

/** A number; JSON's `1e999`, which arrives as infinity, is none. */
export function readNumber(value: unknown, place: string): number {
  if (!Number.isFinite(value)) throw invalid(place, rule('number'))
  return value as number
}

/** true or false. */
export function readBoolean(value: unknown, place: string): boolean {
  if (typeof value !== 'boolean') throw invalid(place, rule('boolean'))
  return value
}

/** `text` in quotes for a message, cut so that hostile input does not make the message long. */
export function quote(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text)
}

/** Whether nothing but white space is in `text`. */
export function isBlank(text: string): boolean {
  return text.trim() === ''
}
