import { and, eq } from 'drizzle-orm'
import { audit } from '../../audit/record.ts'
import type { Caller } from '../../caller.ts'
import type { Tx } from '../../db/index.ts'
import { ofTenant } from '../../db/index.ts'
import { forms, formTexts } from '../../db/schema.ts'
import { invalid, rule } from '../../errors.ts'
import { FormHtml, MAX_HTML } from '../../lib/html/limits.ts'
import { newId } from '../../lib/ids.ts'
import { isBlank, quote } from '../../lib/input/read.ts'
import { checkLanguage } from '../../lib/language/languages.ts'
import { formatTime } from '../../lib/time.ts'
import { readHtml } from '../html.ts'
import { checkTitle } from '../model.ts'
import { type FormRecord, formRecordOf } from '../operations.ts'
import type { FormPage } from '../pages.ts'
import { readLabel } from '../question-types/fields.ts'
import { textsIn } from './localise.ts'
import { type FormTexts, MAX_LANGUAGES, markOf, type StoredText, storedKey, type TextPlace } from './model.ts'
import { type TextSheet, textSheet, textsOf, translatableOf, translatedInto } from './read.ts'

/** The longest text that is HTML, before it is sanitised, in characters. */
export const MAX_TEXT = 10_000
/** What the texts of a language may be together, in bytes. */
export const MAX_TEXTS = 1024 * 1024

/** A text in another language, as somebody wrote it. */
export interface TextChange {
  /** `TextPlace.key`. */
  readonly key: string
  /** What it translates, where that is known; null for what the form says now. */
  readonly base?: string | null
  /** Blank takes the text away, null leaves what is there. */
  readonly text: string | null
  /** What a refusal names; left out, the key. */
  readonly place?: string
}

/**
 * Changes texts of a form in a language that is not its own, for respondents at once; those that are not named stay as
 * they are. A language without texts is none of the form's. All or nothing: throws `not_found`, and `invalid_request`
 * naming the text and the rule, for a text that the form does not have, too.
 */
export async function changeTexts(
  tx: Tx,
  caller: Caller,
  formId: string,
  anyCaseLanguage: string,
  changes: readonly TextChange[],
): Promise<TextSheet> {
  const { tenantId } = caller
  const form = await formRecordOf(tx, tenantId, formId)
  const language = checkLanguage(anyCaseLanguage)
  if (language === form.language) throw invalid('language', rule('text_language'))
  const find = await finder(tx, tenantId, form)
  const before = await textsOf(tx, tenantId, form.id, language)
  const after = new Map(Object.entries(before))
  // Before anything is sanitised, so that a file full of it costs nothing.
  const sent = new FormHtml(MAX_HTML, 'the HTML')
  for (const change of changes) {
    const place = find(change)
    if (change.text === null) continue
    const at = change.place ?? change.key
    const key = storedKey(place)
    const known = after.get(key)?.text
    if (change.text !== known) sent.add(change.text, at)
    const text = change.text === known ? known : readText(change.text, place.kind, at)
    if (text === null) after.delete(key)
    else after.set(key, { text, of: markOf(baseIn(change, place)) })
  }
  const texts = limited(after, find.known)
  if (JSON.stringify(texts) !== JSON.stringify(before)) await keepTexts(tx, caller, form, language, texts)
  return textSheet(tx, tenantId, form, language)
}

/** Line breaks and spaces are what spreadsheets and editors change by themselves. */
const plain = (text: string) => text.replace(/\s+/g, ' ').trim()

const baseIn = ({ base }: TextChange, place: TextPlace) =>
  base && plain(base) !== plain(place.base) ? base : place.base

/** Finds what a change translates: among what is drafted, else among what is published. */
async function finder(tx: Tx, tenantId: string, form: FormRecord) {
  const { drafted, published } = await translatableOf(tx, tenantId, form)
  const places = [...textsIn(drafted), ...textsIn(published)]
  const byKey = Map.groupBy(places, ({ key }) => key)
  const byLabel = new Map(places.toReversed().map((place) => [storedKey(place), place]))
  const find = ({ key, text, base = null, place: at = key }: TextChange): TextPlace => {
    const [place, ...others] = byKey.get(key) ?? []
    if (!place) throw invalid(at, rule('text_unknown', { key: quote(key) }))
    if (place.list === null || text === null || base === null || isBlank(base)) return place
    // The labels may stand in another order now.
    const named =
      byLabel.get(storedKey({ ...place, base })) ??
      [place, ...others].find((other) => plain(other.base) === plain(base))
    if (!named) throw invalid(at, rule('text_other', { was: quote(base), is: quote(place.base) }))
    return named
  }
  return Object.assign(find, { known: new Set(byLabel.keys()) })
}

/** A text in another language as it is kept; null for a blank one. Throws `invalid`. */
export function readText(text: string, kind: TextPlace['kind'], place: string): string | null {
  if (isBlank(text)) return null
  if (kind === 'label') return readLabel(text.trim(), place)
  if (kind === 'title') return checkTitle(text.trim(), place)
  return readHtml(text, MAX_TEXT, place)
}

/**
 * Texts of what is gone are kept, since that may come back, as long as there is room. Throws `invalid` where those that
 * are needed are more than a language may have.
 */
function limited(texts: ReadonlyMap<string, StoredText>, known: ReadonlySet<string>): FormTexts {
  const needed = new FormHtml(MAX_TEXTS, 'the texts of a language')
  for (const [key, { text }] of texts) if (known.has(key)) needed.add(key + text, key)
  const all = [...texts]
  const size = all.reduce((sum, [key, { text }]) => sum + Buffer.byteLength(key + text), 0)
  return Object.fromEntries(size <= MAX_TEXTS ? all : all.filter(([key]) => known.has(key)))
}

/** Stores the texts of a language, whole; without any, the form no longer has it. */
async function keepTexts(tx: Tx, caller: Caller, form: FormRecord, language: string, texts: FormTexts): Promise<void> {
  const { tenantId, at } = caller
  const known = await translatedInto(tx, tenantId, form.id)
  if (known.length >= MAX_LANGUAGES && known.every((other) => other.language !== language)) {
    throw invalid('language', rule('too_many_languages', { most: MAX_LANGUAGES }))
  }
  const own = and(ofTenant(formTexts, tenantId), eq(formTexts.formId, form.id), eq(formTexts.language, language))
  await tx.delete(formTexts).where(own)
  if (Object.keys(texts).length > 0) {
    await tx
      .insert(formTexts)
      .values({ tenantId, formId: form.id, language, texts: JSON.stringify(texts), version: newId(at) })
  }
  await tx
    .update(forms)
    .set({ updatedAt: formatTime(at) })
    .where(and(ofTenant(forms, tenantId), eq(forms.id, form.id)))
  await audit(tx, caller, 'form.texts_changed', form.id, [language])
}

/** Takes a language away from a form, with all its texts. Throws `not_found`, and `invalid_request` for no language. */
export async function removeLanguage(
  tx: Tx,
  caller: Caller,
  formId: string,
  anyCaseLanguage: string,
): Promise<FormRecord> {
  const form = await formRecordOf(tx, caller.tenantId, formId)
  const language = checkLanguage(anyCaseLanguage)
  const texts = await textsOf(tx, caller.tenantId, form.id, language)
  if (Object.keys(texts).length > 0) await keepTexts(tx, caller, form, language, {})
  return form
}

/**
 * Gives a form the texts of another that asks the same, in the same order, under other ids. For the operations that make
 * such forms.
 */
export async function copyTexts(
  tx: Tx,
  caller: Caller,
  from: { readonly id: string; readonly pages: readonly FormPage[] },
  toId: string,
): Promise<void> {
  const to = await formRecordOf(tx, caller.tenantId, toId)
  for (const { language } of await translatedInto(tx, caller.tenantId, from.id)) {
    const texts = renumbered(await textsOf(tx, caller.tenantId, from.id, language), from.pages, to.pages)
    if (Object.keys(texts).length > 0) await keepTexts(tx, caller, to, language, texts)
  }
}

/**
 * Gives a new form all that it says in a language, which is read and sanitised. For the operations that make such forms.
 * Throws `invalid` for more than a language may have.
 */
export async function giveTexts(
  tx: Tx,
  caller: Caller,
  formId: string,
  language: string,
  texts: FormTexts,
): Promise<void> {
  const form = await formRecordOf(tx, caller.tenantId, formId)
  if (language === form.language) throw invalid(`texts.${language}`, rule('text_language'))
  await keepTexts(tx, caller, form, language, limited(new Map(Object.entries(texts)), new Set(Object.keys(texts))))
}

/** Texts under the ids of pages and questions that ask the same, in the same order. */
export function renumbered(texts: FormTexts, from: readonly FormPage[], to: readonly FormPage[]): FormTexts {
  const ids = new Map<string, string>()
  for (const [index, page] of from.entries()) {
    ids.set(`page${page.id}`, `page${to[index]?.id}`)
    for (const [at, { id }] of page.questions.entries()) ids.set(`q${id}`, `q${to[index]?.questions[at]?.id}`)
  }
  const entries = Object.entries(texts).flatMap(([key, text]): [string, StoredText][] => {
    const dot = key.search(/[.=]/)
    if (dot < 0 || !/^(?:q|page)\d+$/.test(key.slice(0, dot))) return [[key, text]]
    const id = ids.get(key.slice(0, dot))
    return id === undefined ? [] : [[id + key.slice(dot), text]]
  })
  return Object.fromEntries(entries)
}
