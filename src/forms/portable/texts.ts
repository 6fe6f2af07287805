import { invalid, rule } from '../../errors.ts'
import { FormHtml } from '../../lib/html/limits.ts'
import { isBlank, quote, readFields, readObject, readString } from '../../lib/input/read.ts'
import { checkLanguage } from '../../lib/language/languages.ts'
import { textsIn } from '../texts/localise.ts'
import {
  type FormTexts,
  MAX_LANGUAGES,
  markOf,
  type StoredText,
  storedKey,
  type TextPlace,
  type Translatable,
} from '../texts/model.ts'
import { MAX_TEXT, MAX_TEXTS, readText } from '../texts/operations.ts'
import type { SafeHtml } from './safe-html.ts'

type Places = ReadonlyMap<string, TextPlace>

/** What the file's form says in other languages, under the file's own ids. Throws `invalid` for a text that it does not have. */
export async function readTexts(value: unknown, said: Translatable, html: SafeHtml): Promise<Map<string, FormTexts>> {
  const given = Object.entries(readObject(value ?? {}, 'texts'))
  if (given.length > MAX_LANGUAGES) throw invalid('texts', rule('too_many_languages', { most: MAX_LANGUAGES }))
  const places: Places = new Map(textsIn(said).map((place) => [place.key, place]))
  const languages = new Map<string, FormTexts>()
  for (const [tag, texts] of given) {
    const at = `texts.${tag.slice(0, 40)}`
    const language = checkLanguage(tag, at)
    if (languages.has(language)) throw invalid(at, rule('given_twice'))
    languages.set(language, await readLanguage(readObject(texts, at), at, places, html))
  }
  return languages
}

async function readLanguage(
  given: Record<string, unknown>,
  at: string,
  places: Places,
  html: SafeHtml,
): Promise<FormTexts> {
  const total = new FormHtml(MAX_TEXTS, 'the texts of a language')
  const texts: [string, StoredText][] = []
  for (const [key, value] of Object.entries(given)) {
    const place = places.get(key)
    if (!place) throw invalid(at, rule('text_unknown', { key: quote(key) }))
    const { text, of } = entryOf(value, `${at}.${key}`)
    const read = await readOne(text, place, { at: `${at}.${key}`, html, total })
    if (read !== null) texts.push([storedKey(place), { text: read, of: of ?? markOf(place.base) }])
  }
  return Object.fromEntries(texts)
}

async function readOne(
  value: unknown,
  { kind }: TextPlace,
  { at, html, total }: { at: string; html: SafeHtml; total: FormHtml },
): Promise<string | null> {
  if (kind !== 'html') return readText(readString(value, MAX_TEXT, at), kind, at)
  const safe = await html.read(value, MAX_TEXT, at, total)
  return safe === null || isBlank(safe) ? null : safe
}

function entryOf(value: unknown, place: string): { text: unknown; of: string | null } {
  if (typeof value === 'string') return { text: value, of: null }
  const { text, of } = readFields(value, ['text', 'of'], place)
  return { text: text ?? '', of: of === null ? null : readString(of, 20, `${place}.of`) }
}
