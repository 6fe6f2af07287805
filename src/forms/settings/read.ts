import { invalid, rule } from '../../errors.ts'
import type { FormFileKind } from '../../kinds/form-files.ts'
import { checkColour } from '../../lib/input/colours.ts'
import { isEmail } from '../../lib/input/email.ts'
import { quote, readBoolean, readList, readString } from '../../lib/input/read.ts'
import { checkLanguage } from '../../lib/language/languages.ts'
import { parseTime } from '../../lib/time.ts'
import { readHtml } from '../html.ts'
import { readIntegerBetween, readWord } from '../question-types/fields.ts'
import {
  cornerKinds,
  defaultSettings,
  type FormSettings,
  fontFamilies,
  HIDDEN_NAME,
  MAX_ADDRESS,
  MAX_THANKS,
  modes,
  schemes,
} from './model.ts'

/** Settings to change, as somebody wrote them: null clears one, and one that is left out keeps its value. */
export type SettingsChanges = {
  readonly [K in keyof FormSettings]?: unknown
}

const MAX_RESPONSES = 1_000_000_000
const MAX_HIDDEN = 20
const MAX_NOTIFY = 10

type Readable = Exclude<keyof FormSettings, FormFileKind>

/** How each setting is read. None gets null, which clears. */
const readers: { readonly [K in Readable]: (value: unknown, place: string) => FormSettings[K] } = {
  language: (value, place) => checkLanguage(readString(value, MAX_ADDRESS, place), place),
  thanks: readThanks,
  redirect: readRedirect,
  accent: (value, place) => checkColour(readString(value, MAX_ADDRESS, place), place),
  scheme: (value, place) => readWord(value, schemes, place),
  font: (value, place) => readWord(value, fontFamilies, place),
  corners: (value, place) => readWord(value, cornerKinds, place),
  background: (value, place) => checkColour(readString(value, MAX_ADDRESS, place), place),
  mode: (value, place) => readWord(value, modes, place),
  closes(value, place) {
    const time = parseTime(readString(value, MAX_ADDRESS, place))
    if (!time) throw invalid(place, rule('date_time_such_as', { example: '2026-03-01T18:00:00Z' }))
    return time
  },
  maxResponses: (value, place) => readIntegerBetween(value, 1, MAX_RESPONSES, place),
  hidden: (value, place) => readNames(value, MAX_HIDDEN, place, checkHiddenName),
  notify: (value, place) => readNames(value, MAX_NOTIFY, place, checkAddress),
  copy: readBoolean,
  later: readBoolean,
}

/**
 * The settings that `changes` names, but files, read; HTML that is safe stays as it is. Throws `invalid_request` naming the
 * setting and the rule.
 */
export function readSettings(
  changes: SettingsChanges,
  isSafe: (html: unknown) => boolean = () => false,
): Partial<FormSettings> {
  const read = (Object.keys(readers) as Readable[]).flatMap((name) => {
    const value = changes[name]
    if (value === undefined) return []
    if (name === 'thanks' && isSafe(value)) return [[name, value]]
    return [[name, value === null ? defaultSettings[name] : readers[name](value, name)]]
  })
  return Object.fromEntries(read)
}

/** What stands at the end of a form, sanitised; null for a blank one. Throws `invalid`. */
export function readThanks(value: unknown, place: string): string | null {
  return readHtml(value, MAX_THANKS, place)
}

/** Where respondents are taken at the end. Throws `invalid` for what is no `https:` address. */
export function readRedirect(value: unknown, place: string): string {
  const text = readString(value, MAX_ADDRESS, place).trim()
  const address = URL.canParse(text) ? new URL(text) : null
  if (address?.protocol !== 'https:') throw invalid(place, rule('url_https_web'))
  if (address.username || address.password) throw invalid(place, rule('url_user_held'))
  return address.href
}

/** A list of different names. */
function readNames(
  value: unknown,
  max: number,
  place: string,
  check: (name: string, place: string) => string,
): string[] {
  const names = readList(value, max, place).map((name, index) => {
    const at = `${place}[${index}]`
    return check(readString(name, MAX_ADDRESS, at).trim(), at)
  })
  return [...new Set(names)]
}

/** Throws `invalid` for what cannot be the name of a hidden field. */
export function checkHiddenName(name: string, place: string): string {
  // What every object has by birth names no member of a body.
  if (name in {}) throw invalid(place, rule('hidden_field_name', { name: quote(name) }))
  if (HIDDEN_NAME.test(name)) return name
  throw invalid(place, rule('hidden_field', { name: quote(name) }))
}

function checkAddress(address: string, place: string): string {
  if (isEmail(address)) return address
  throw invalid(place, rule('not_email', { address: quote(address) }))
}
