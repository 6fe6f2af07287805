import type { Reader } from '../db/index.ts'
import { fillHtml, hasNames, valuesIn } from '../forms/logic/texts.ts'
import type { FormRecord } from '../forms/operations.ts'
import type { Revision } from '../forms/revisions.ts'
import { localised } from '../forms/texts/localise.ts'
import type { Translatable } from '../forms/texts/model.ts'
import { textsOf } from '../forms/texts/read.ts'
import type { Merged } from './answers.ts'
import type { Response } from './model.ts'

/** How a form ends for one respondent. */
export interface ShownEnd {
  /** Sanitised simple HTML in the respondent's language, answers put in; null for our words. */
  readonly thanks: string | null
  /** Where the respondent is taken, with the response in its query; it wins over `thanks`. */
  readonly redirect: string | null
}

/** The end that answers have decided on, or the one of the settings; null for a response that is not complete. */
export async function shownEnd(
  db: Reader,
  tenantId: string,
  form: FormRecord,
  { pages, variables, ends }: Revision,
  response: Response,
  { answers, decided: { end } }: Merged,
): Promise<ShownEnd | null> {
  if (response.status !== 'complete') return null
  const { settings, title } = form
  const { thanks, redirect } = (end === null ? null : ends[end]) ?? settings
  if (thanks === null) return { thanks, redirect: withResponse(redirect, response) }
  const content: Translatable = { title, description: null, pages, variables, ends, thanks: settings.thanks }
  const spoken = await spokenIn(db, tenantId, form, content, response.language)
  const said = (end === null ? spoken.thanks : spoken.ends[end]?.thanks) ?? thanks
  return { thanks: filled(said, spoken, form, response, answers), redirect: withResponse(redirect, response) }
}

async function spokenIn(
  db: Reader,
  tenantId: string,
  { id, language: own }: FormRecord,
  content: Translatable,
  language: string,
): Promise<Translatable> {
  return language === own ? content : localised(content, await textsOf(db, tenantId, id, language))
}

/** With the answers that it names. */
function filled(
  thanks: string,
  { pages }: Translatable,
  { settings }: FormRecord,
  { language, variables, hiddenFields: hidden }: Response,
  answers: Merged['answers'],
): string {
  if (!hasNames(thanks)) return thanks
  const said = { answerOf: (id: number) => answers.get(id), variables, hiddenNames: settings.hidden, hidden }
  const questions = pages.flatMap(({ questions }) => questions)
  return fillHtml(thanks, valuesIn(questions, said, language))
}

/** Which response it was stands in the query (decisions §12). */
function withResponse(redirect: string | null, { id }: Response): string | null {
  if (redirect === null) return null
  const address = new URL(redirect)
  address.searchParams.set('response', id)
  return address.href
}
