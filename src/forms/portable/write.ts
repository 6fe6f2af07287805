import type { Reader } from '../../db/index.ts'
import { type FormFileKind, formFileKinds } from '../../kinds/form-files.ts'
import { pausing } from '../../lib/concurrency/pausing.ts'
import { draftedOf } from '../drafts.ts'
import { shownEnds, shownPages } from '../logic-input/shown.ts'
import { type FormRecord, formRecordOf } from '../operations.ts'
import { getFile } from '../settings/files.ts'
import { getSettings } from '../settings/operations.ts'
import { textsIn } from '../texts/localise.ts'
import { type FormTexts, markOf, storedKey, type TextPlace, type Translatable } from '../texts/model.ts'
import { textsOf, translatedInto } from '../texts/read.ts'
import { type FileText, FORMAT, type FormFile } from './model.ts'

/** A form as a file, with what is drafted of it. For people, not for the API. Throws `not_found`. */
export async function exportForm(db: Reader, tenantId: string, formId: string): Promise<FormFile> {
  const form = await formRecordOf(db, tenantId, formId)
  const drafted = await draftedOf(db, tenantId, form)
  const { title, description, pages, variables, ends } = drafted
  return {
    frontdesk: FORMAT,
    title,
    description,
    language: form.language,
    pages: shownPages(pages),
    variables,
    ends: shownEnds(pages, ends),
    settings: await settingsOf(db, tenantId, form.id),
    texts: await textsByLanguage(db, tenantId, form, { ...drafted, thanks: form.settings.thanks }),
  }
}

/** So far into a file its parts are written one by one: each page, setting and language. */
const DEPTH = 2

/**
 * The file as it is written: people may want to read it, or to compare two. Some hold several megabytes, so others are served
 * between its parts.
 */
export async function writeForm(file: FormFile): Promise<string> {
  const pause = pausing()
  const written: string[] = []
  const write = async (value: unknown, depth: number): Promise<void> => {
    const line = `\n${'  '.repeat(depth)}`
    const members = depth < DEPTH && value !== null && typeof value === 'object' ? Object.entries(value) : []
    if (members.length === 0) {
      written.push(JSON.stringify(value, null, 2).replaceAll('\n', line))
      return pause()
    }
    const isList = Array.isArray(value)
    let before = isList ? '[' : '{'
    for (const [key, member] of members) {
      if (member === undefined) continue
      written.push(`${before}${line}  ${isList ? '' : `${JSON.stringify(key)}: `}`)
      await write(member, depth + 1)
      before = ','
    }
    written.push(before === ',' ? `${line}${isList ? ']' : '}'}` : '{}')
  }
  await write(file, 0)
  return `${written.join('')}\n`
}

async function settingsOf(db: Reader, tenantId: string, id: string): Promise<FormFile['settings']> {
  const settings = await getSettings(db, tenantId, id)
  const files: Partial<Record<FormFileKind, string | null>> = {}
  for (const kind of formFileKinds) {
    files[kind] = settings[kind] && (await getFile(db, tenantId, id, kind)).bytes.toString('base64')
  }
  return { ...settings, ...files } as FormFile['settings']
}

async function textsByLanguage(
  db: Reader,
  tenantId: string,
  { id, language: own }: FormRecord,
  content: Translatable,
): Promise<FormFile['texts']> {
  const places = textsIn(content)
  const pause = pausing()
  const all: Record<string, Record<string, FileText>> = {}
  for (const { language } of await translatedInto(db, tenantId, id)) {
    if (language === own) continue
    await pause()
    const stored = await textsOf(db, tenantId, id, language)
    all[language] = Object.fromEntries(places.flatMap((place) => entryOf(place, stored)))
  }
  return all
}

function entryOf(place: TextPlace, stored: FormTexts): [string, FileText][] {
  const key = storedKey(place)
  if (!Object.hasOwn(stored, key)) return []
  const { text, of } = stored[key] as FormTexts[string]
  return [[place.key, of === markOf(place.base) ? text : { text, of }]]
}
