import { invalid, rule } from '../errors.ts'
import { ownValue, quote, readObject, readString } from '../lib/input/read.ts'

/** The longest value of a hidden field, in characters (decisions §12). */
export const MAX_HIDDEN_VALUE = 500

/** Values of hidden fields by their names. */
export type HiddenFields = Readonly<Record<string, string>>

/**
 * The hidden fields of a response after a save, as its row keeps them: those given replace those stored, and null takes
 * one back. Throws `invalid` for a name that the form does not declare.
 */
export function mergeHiddenFields(names: readonly string[], stored: string | null, given: unknown): string | null {
  if (given === null || given === undefined) return stored
  const fields: Record<string, string> = stored === null ? {} : JSON.parse(stored)
  const sent = readObject(given, 'hiddenFields')
  for (const name of Object.keys(sent)) {
    const place = `hiddenFields.${name.slice(0, 40)}`
    if (!names.includes(name)) throw invalid('hiddenFields', rule('hidden_field_unknown', { name: quote(name) }))
    const value = ownValue(sent, name)
    if (value === null) delete fields[name]
    else fields[name] = readString(value, MAX_HIDDEN_VALUE, place)
  }
  return Object.keys(fields).length === 0 ? null : JSON.stringify(fields)
}

/** The hidden fields as a response's row keeps them. */
export function parseHiddenFields(stored: string | null): HiddenFields {
  return stored === null ? {} : JSON.parse(stored)
}

/** What an address says of the hidden fields: names that the form does not declare are ignored, long values cut. */
export function hiddenFieldsIn(names: readonly string[], address: URLSearchParams): HiddenFields {
  const given = names.flatMap((name) => {
    const value = address.get(name)
    return value ? [[name, value.slice(0, MAX_HIDDEN_VALUE).toWellFormed()]] : []
  })
  return Object.fromEntries(given)
}
