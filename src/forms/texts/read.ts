import { and, asc, eq, sql } from 'drizzle-orm'
import { named, ofTenant, prepared, type Reader, remembered } from '../../db/index.ts'
import { formTexts } from '../../db/schema.ts'
import { baseOf } from '../../lib/language/languages.ts'
import { contentOf, draftedOf } from '../drafts.ts'
import type { FormRecord } from '../operations.ts'
import { textsIn } from './localise.ts'
import { type FormTexts, markOf, storedKey, type TextPlace, type Translatable } from './model.ts'

const languageRows = prepared((db) =>
  db
    .select(named({ language: formTexts.language, version: formTexts.version }))
    .from(formTexts)
    .where(and(ofTenant(formTexts), eq(formTexts.formId, sql.placeholder('formId'))))
    .orderBy(asc(formTexts.language))
    .prepare(),
)

/** A language that a form is translated into, and what changes with every change to its texts. */
export interface FormLanguage {
  readonly language: string
  readonly version: string
}

const knownLanguages = remembered([formTexts], async (db, key: string): Promise<readonly FormLanguage[]> => {
  const [tenantId = '', formId = ''] = key.split(' ')
  return languageRows(db).execute({ tenantId, formId })
})

/** The languages that a form has texts in beside its own, by their tags. */
export function translatedInto(db: Reader, tenantId: string, formId: string): Promise<readonly FormLanguage[]> {
  return knownLanguages(db, `${tenantId} ${formId}`)
}

/**
 * Which of a form's languages is meant by a tag: the very one, else one of the same language, `de` for `de-AT`; null
 * where the form has none.
 */
export function languageAmong(languages: readonly string[], wanted: string): string | null {
  const tag = wanted.toLowerCase()
  const exact = languages.find((language) => language.toLowerCase() === tag)
  if (exact !== undefined) return exact
  const base = baseOf(wanted)
  return base === null ? null : (languages.find((language) => baseOf(language) === base) ?? null)
}

const textsRow = prepared((db) =>
  db
    .select(named({ texts: formTexts.texts }))
    .from(formTexts)
    .where(
      and(
        ofTenant(formTexts),
        eq(formTexts.formId, sql.placeholder('formId')),
        eq(formTexts.language, sql.placeholder('language')),
      ),
    )
    .prepare(),
)

/** What a form says in a language, `{}` where that is nothing. */
export async function textsOf(db: Reader, tenantId: string, formId: string, language: string): Promise<FormTexts> {
  const [row] = await textsRow(db).execute({ tenantId, formId, language })
  return row ? (JSON.parse(row.texts) as FormTexts) : {}
}

/** What can be said of a form in other languages: as it is drafted, and as it is published where that differs. */
export async function translatableOf(
  db: Reader,
  tenantId: string,
  form: FormRecord,
): Promise<{ drafted: Translatable; published: Translatable }> {
  const { thanks } = form.settings
  const drafted = await draftedOf(db, tenantId, form)
  return { drafted: { ...drafted, thanks }, published: { ...contentOf(form), thanks } }
}

/** A text of a form beside what it is in one other language. */
export interface SheetText extends TextPlace {
  /** Null where it is missing. */
  readonly text: string | null
  /** Whether the form has come to say something else since it was translated. */
  readonly isOutdated: boolean
}

/** All texts of a form beside those of one other language, in the order in which they are read. */
export interface TextSheet {
  readonly language: string
  readonly texts: readonly SheetText[]
  readonly missing: number
  readonly outdated: number
}

/** What is drafted of a form beside `language`, whether there is anything in that yet or not. */
export async function textSheet(db: Reader, tenantId: string, form: FormRecord, language: string): Promise<TextSheet> {
  const { drafted } = await translatableOf(db, tenantId, form)
  return sheetOf(drafted, language, await textsOf(db, tenantId, form.id, language))
}

/** The sheets of all languages that a form has beside its own, by their tags. */
export async function textSheets(db: Reader, tenantId: string, form: FormRecord): Promise<TextSheet[]> {
  const { drafted } = await translatableOf(db, tenantId, form)
  const sheets: TextSheet[] = []
  for (const { language } of await translatedInto(db, tenantId, form.id)) {
    if (language === form.language) continue
    // A long form takes a processor for some 20 ms in each.
    await new Promise(setImmediate)
    sheets.push(sheetOf(drafted, language, await textsOf(db, tenantId, form.id, language)))
  }
  return sheets
}

function sheetOf(content: Translatable, language: string, stored: FormTexts): TextSheet {
  const texts = textsIn(content).map((place): SheetText => {
    const key = storedKey(place)
    const found = Object.hasOwn(stored, key) ? stored[key] : undefined
    return { ...place, text: found?.text ?? null, isOutdated: found !== undefined && found.of !== markOf(place.base) }
  })
  return {
    language,
    texts,
    missing: texts.filter(({ text }) => text === null).length,
    outdated: texts.filter(({ isOutdated }) => isOutdated).length,
  }
}
