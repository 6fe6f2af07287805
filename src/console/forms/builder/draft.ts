import { type FormDraft, getDraft } from '../../../forms/drafts.ts'
import { editsOf } from '../../../forms/edits.ts'
import { type FormRecord, formRecordOf } from '../../../forms/operations.ts'
import type { FormPage, FormQuestion } from '../../../forms/pages.ts'
import { plainText } from '../../../lib/html/sanitise.ts'
import type { Visit } from '../../visit.ts'

/** A form that is being built. */
export interface Built {
  readonly form: FormRecord
  readonly draft: FormDraft
  /** What could be undone and done again, in the words of the audit log. */
  readonly edits: { readonly undo: string | null; readonly redo: string | null }
}

/** The form that the address names. Throws `not_found`. */
export async function builtForm({ db, principal: { tenantId }, params }: Visit): Promise<Built> {
  const form = await formRecordOf(db, tenantId, params.id ?? '')
  const draft = await getDraft(db, tenantId, form.id)
  return { form, draft, edits: await editsOf(db, tenantId, form.id) }
}

/** Where something of a form is built: `show` names what is worked on, such as `question-12`. */
export function buildPath(formId: string, show?: string): string {
  const path = `/console/forms/${formId}/build`
  return show === undefined ? path : `${path}?show=${show}#pane`
}

/** A question with where it stands, counted from 0. */
export interface Placed {
  readonly question: FormQuestion
  readonly page: FormPage
  /** On its page, and in the form. */
  readonly at: number
  readonly index: number
}

/** The questions of a draft, in the order they are asked. */
export function placedQuestions({ pages }: Pick<FormDraft, 'pages'>): Placed[] {
  let index = 0
  return pages.flatMap((page) => page.questions.map((question, at) => ({ question, page, at, index: index++ })))
}

/** What a question asks, or a page is called, in a line of plain text; '' for nothing. */
export function lineOf(html: string | null): string {
  if (html === null) return ''
  return (/[<&]/.test(html) ? plainText(html) : html).replace(/\s+/g, ' ').trim()
}

/** A hash of a part of a form as somebody saw it before they changed it: it tells whether the part has changed since. */
export function stampOf(part: unknown): string {
  return new Bun.CryptoHasher('sha256').update(JSON.stringify(part)).digest('hex').slice(0, 16)
}
