import { invalid, rule } from '../../errors.ts'
import { decode, parseJsonObject } from '../../http/requests/body.ts'
import { formFileKinds } from '../../kinds/form-files.ts'
import { FormHtml, MAX_SAFE_HTML } from '../../lib/html/limits.ts'
import { ownValue, readFields, readList, readObject, readString } from '../../lib/input/read.ts'
import { checkLanguage } from '../../lib/language/languages.ts'
import type { NewContent } from '../content.ts'
import { type DraftInput, readDraft } from '../draft-content.ts'
import { checkTitle, MAX_DESCRIPTION, MAX_TITLE } from '../model.ts'
import { type FormContent, numberContent, type PageIds } from '../pages.ts'
import { MAX_QUESTIONS } from '../question-types/index.ts'
import { MAX_TEXT_LENGTH } from '../question-types/parse.ts'
import { defaultSettings, MAX_THANKS } from '../settings/model.ts'
import type { SettingsChanges } from '../settings/read.ts'
import type { FormTexts, Translatable } from '../texts/model.ts'
import { givenIds, type IdentifiedPage } from './ids.ts'
import { FORMAT, type FormFile } from './model.ts'
import { SafeHtml } from './safe-html.ts'
import { readTexts } from './texts.ts'

const MIB = 1024 * 1024

/** How much is read of a file: a form with all that it can have takes longer than others can wait for. */
export interface FileLimits {
  /** In bytes. */
  readonly size: number
  /** Beside the pictures and the font, in characters. */
  readonly text: number
  /** In all objects together. */
  readonly keys: number
}

/** Where a service reads it, which has others to serve meanwhile, and where nobody waits. */
export const SERVED: FileLimits = { size: 8 * MIB, text: MIB, keys: 40_000 }
export const ALONE: FileLimits = { size: 128 * MIB, text: 128 * MIB, keys: 4_000_000 }

/** A form's file, read: valid, sanitised, and to be made a form of by `importForm`. */
export interface ReadForm {
  readonly title: string
  readonly language: string
  readonly content: NewContent
  /** The ids that the keys of `texts` name. */
  readonly pages: FormContent['pages']
  readonly settings: SettingsChanges
  readonly texts: ReadonlyMap<string, FormTexts>
  isSafe(html: unknown): boolean
}

const FIELDS = [
  'frontdesk',
  'title',
  'description',
  'language',
  'pages',
  'variables',
  'ends',
  'settings',
  'texts',
] as const

/**
 * Reads a form's file, which anybody may have written, in turns of the serving thread. Throws `invalid_request` naming the
 * place in the file and the rule; what breaks a rule of its settings, `importForm` refuses.
 */
export async function readFormFile(bytes: Uint8Array, limits: FileLimits): Promise<ReadForm> {
  const file: Record<keyof FormFile, unknown> = readFields(parse(bytes, limits), FIELDS, 'file')
  if (file.frontdesk !== FORMAT) throw invalid('frontdesk', rule('one_of', { choices: FORMAT }))
  const title = checkTitle(readString(file.title ?? '', MAX_TITLE, 'title'))
  const language = checkLanguage(readString(file.language ?? '', 100, 'language'), 'language')
  const html = new SafeHtml()
  const { input, before, ids } = await readAsked(title, file, html)
  const settings = await readGivenSettings(file.settings, html)
  const content = readDraft(input, before)
  const { description, variables } = content
  // Whatever the file leaves without an id gets one that is free in it.
  const numbers = ids.flatMap(({ page, questions }) => [page ?? 0, ...questions.map((id) => id ?? 0)])
  const free = Math.max(0, ...numbers) + 1
  const { pages, ends } = numberContent(content, ids, free, free)
  const thanks = typeof settings.thanks === 'string' ? settings.thanks : null
  const said: Translatable = { title, description, pages, variables, ends, thanks }
  const texts = await readTexts(file.texts, said, html)
  return { title, language, content, pages, settings, texts, isSafe: (text) => html.isSafe(text) }
}

/** What can be nothing but Base64, for its length. */
const LONG_BASE64 = /"[A-Za-z0-9+/=]{1000,}"/g

function parse(bytes: Uint8Array, { size, text: most, keys: maxKeys }: FileLimits): object {
  if (bytes.length > size) throw invalid('file', rule('too_large', { size }))
  const text = decode(bytes, 'file')
  const outline = text.replace(LONG_BASE64, '""')
  if (outline.length > most) throw invalid('file', rule('too_large', { size: most }))
  return parseJsonObject(text, { maxKeys, place: 'file', outline })
}

/** What the file asks, with all of its HTML sanitised. */
async function readAsked(
  title: string,
  file: Record<keyof FormFile, unknown>,
  html: SafeHtml,
): Promise<{ input: DraftInput; before: FormContent; ids: PageIds[] }> {
  const given = readPages(file.pages)
  const ids = givenIds(given)
  const pages: DraftInput['pages'][number][] = []
  for (const [index, page] of given.entries()) {
    const at = `pages[${index}]`
    const questions: Record<string, unknown>[] = []
    for (const [number, { id: _, ...question }] of page.questions.entries()) {
      const text = await html.read(question.text, MAX_TEXT_LENGTH, `${at}.questions[${number}].text`)
      questions.push({ ...question, id: ids[index]?.questions[number] ?? null, text })
    }
    const pageTitle = await html.read(page.title, MAX_TITLE, `${at}.title`)
    pages.push({ id: ids[index]?.page ?? null, title: pageTitle, showIf: page.showIf, questions })
  }
  const ends = await readSaid(file.ends, html)
  const description = await html.read(file.description, MAX_DESCRIPTION, 'description')
  const input: DraftInput = { title, description, pages, variables: file.variables ?? [], ends }
  // What was sanitised here is taken as stored HTML is.
  const before = { ...input, ends: saidIn(ends) } as unknown as FormContent
  return { input, before, ids }
}

/** Ends, with what they say sanitised; one that is none is for `readDraft` to refuse. */
async function readSaid(value: unknown, html: SafeHtml): Promise<unknown> {
  if (!Array.isArray(value)) return value ?? []
  const ends: unknown[] = []
  for (const [index, end] of value.entries()) {
    const thanks = ownValue(Object(end), 'thanks')
    const isSaid = typeof thanks === 'string'
    ends.push(isSaid ? { ...end, thanks: await html.read(thanks, MAX_THANKS, `ends[${index}].thanks`) } : end)
  }
  return ends
}

function saidIn(ends: unknown): { thanks: unknown }[] {
  return (Array.isArray(ends) ? ends : []).map((end) => ({ thanks: ownValue(Object(end), 'thanks') }))
}

function readPages(value: unknown): IdentifiedPage[] {
  const pages = readList(value, MAX_QUESTIONS, 'pages')
  if (pages.length === 0) throw invalid('pages', rule('one_page'))
  return pages.map((page, index) => {
    const at = `pages[${index}]`
    const { id, title, showIf, questions } = readFields(page, ['id', 'title', 'showIf', 'questions'], at)
    const asked = readList(questions ?? [], MAX_QUESTIONS, `${at}.questions`)
    return {
      id,
      title,
      showIf,
      questions: asked.map((question, number) => readObject(question, `${at}.questions[${number}]`)),
    }
  })
}

/** The settings as `changeSettings` takes them, files as their bytes. */
async function readGivenSettings(value: unknown, html: SafeHtml): Promise<SettingsChanges> {
  const names = Object.keys(defaultSettings) as (keyof typeof defaultSettings)[]
  const given = readFields(value ?? {}, names, 'settings')
  const files = formFileKinds.map((kind) => [kind, bytesOf(given[kind], `settings.${kind}`)])
  // It is none of the form's content.
  const total = new FormHtml(MAX_SAFE_HTML, 'the HTML')
  const thanks = await html.read(given.thanks, MAX_THANKS, 'settings.thanks', total)
  return { ...given, thanks, ...Object.fromEntries(files) }
}

function bytesOf(value: unknown, place: string): Uint8Array | null {
  if (value === null) return null
  const text = readString(value, SERVED.size, place)
  const bytes = Buffer.from(text, 'base64')
  if (bytes.toString('base64') !== text) throw invalid(place, rule('file'))
  return bytes
}
