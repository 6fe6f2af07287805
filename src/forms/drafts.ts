import { and, eq, isNull } from 'drizzle-orm'
import { audit } from '../audit/record.ts'
import type { Caller } from '../caller.ts'
import type { Reader, Tx } from '../db/index.ts'
import { ofTenant } from '../db/index.ts'
import { forms } from '../db/schema.ts'
import { invalid, refusal, rule } from '../errors.ts'
import { formatTime } from '../lib/time.ts'
import { type DraftInput, readDraft } from './draft-content.ts'
import { noteEdit } from './edits.ts'
import { checkTitle } from './model.ts'
import { type FormRecord, formRecordOf, withNumbers } from './operations.ts'
import {
  type FormContent,
  type FormPage,
  type FormQuestion,
  type PageIds,
  parseContent,
  storedContent,
} from './pages.ts'

export interface FormDraft extends FormContent {
  /** Whether it differs from what is published: there is something to publish. */
  isChanged: boolean
  /** Another one after every change: who changes it says by this what they had before them. */
  version: number
}

/** How a draft is changed. */
export interface DraftChange {
  /** The version that was changed; left out, whatever it is. */
  readonly expected?: number | undefined
  /** What was done, for the audit log. */
  readonly what?: string
}

/** What the next publishing would publish (decisions §12). For people, not for the API. Throws `not_found`. */
export async function getDraft(db: Reader, tenantId: string, formId: string): Promise<FormDraft> {
  const form = await formRecordOf(db, tenantId, formId)
  const content = await draftOf(db, tenantId, form)
  const isChanged = content !== null || form.revision === 0
  return { ...(content ?? contentOf(form)), isChanged, version: form.draftVersion }
}

/** What is drafted of a form, for operations that have its record: its unpublished changes, else what its row says. */
export async function draftedOf(db: Reader, tenantId: string, form: FormRecord): Promise<FormContent> {
  return (await draftOf(db, tenantId, form)) ?? contentOf(form)
}

/** The unpublished changes of a form that was published before, or null. */
export async function draftOf(db: Reader, tenantId: string, { id }: FormRecord): Promise<FormContent | null> {
  const [row] = await db
    .select({ draft: forms.draft })
    .from(forms)
    .where(and(ofTenant(forms, tenantId), eq(forms.id, id)))
  return row?.draft ? parseContent(row.draft) : null
}

/** What a form's row says that it asks: what is published, or drafted until then. */
export function contentOf({ title, description, pages, variables, ends }: FormContent): FormContent {
  return { title, description, pages, variables, ends }
}

/**
 * Replaces the draft of a form. Until its first publishing the draft is the form; later, respondents and the API go on
 * seeing what is published until `publishForm`. A question keeps its id and its type; one that is taken out can be put back
 * until the draft is published, and its id is never used again. Throws `not_found`, `conflict` when somebody else changed
 * it since the version that was `expected`, and `invalid_request` naming the place and the rule.
 */
export async function saveDraft(
  tx: Tx,
  caller: Caller,
  formId: string,
  input: DraftInput,
  { expected, what }: DraftChange = {},
): Promise<FormDraft> {
  const { tenantId } = caller
  const { form, before } = await openDraft(tx, tenantId, formId, expected)
  if (input.pages.length === 0) throw invalid('pages', rule('one_page'))
  const known = knownIds(input, [...form.pages, ...before.pages])
  const read = readDraft(input, before)
  const { description, variables } = read
  const { pages, ends } = await withNumbers(tx, tenantId, read, known)
  const content: FormContent = { title: checkTitle(input.title), description, pages, variables, ends }
  await noteEdit(tx, caller, form, { what: what ?? '', before })
  return storeDraft(tx, caller, form, content, what)
}

/** A form and what is drafted, to be changed. Throws as `saveDraft` for a form that is gone or that somebody else changed. */
export async function openDraft(
  tx: Tx,
  tenantId: string,
  formId: string,
  expected: number | undefined,
): Promise<{ form: FormRecord; before: FormContent }> {
  const form = await formRecordOf(tx, tenantId, formId)
  requireVersion(form, expected)
  return { form, before: await draftedOf(tx, tenantId, form) }
}

/** Throws `conflict` when somebody else changed the draft since the version that was `expected`. */
export function requireVersion({ draftVersion }: FormRecord, expected: number | undefined): void {
  if (expected === undefined || expected === draftVersion) return
  throw refusal('conflict', rule('form_changed'))
}

/** Makes `content`, which is valid and sanitised, the draft of a form. For the operations that change drafts. */
export async function storeDraft(
  tx: Tx,
  caller: Caller,
  form: FormRecord,
  content: FormContent,
  what?: string,
): Promise<FormDraft> {
  const isChanged = form.revision === 0 || JSON.stringify(content) !== JSON.stringify(contentOf(form))
  const at = formatTime(caller.at)
  const columns =
    form.revision === 0
      ? { ...storedContent(content), updatedAt: at }
      : { draft: isChanged ? JSON.stringify(content) : null, draftedAt: isChanged ? at : null }
  const version = form.draftVersion + 1
  await tx
    .update(forms)
    .set({ ...columns, draftVersion: version })
    .where(and(ofTenant(forms, caller.tenantId), eq(forms.id, form.id), isNull(forms.trashedAt)))
  await audit(tx, caller, 'form.drafted', form.id, what === undefined ? [] : [what])
  return { ...content, isChanged, version }
}

/** The ids that the draft names, each of them the form's. */
function knownIds({ pages, isFlat = false }: DraftInput, known: readonly FormPage[]): PageIds[] {
  const pageIds = new Set(known.map(({ id }) => id))
  const questions = new Map(known.flatMap((page) => page.questions).map((question) => [question.id, question]))
  return pages.map((page, index) => ({
    page: takeId(page.id, pageIds, `pages[${index}].id`, 'page'),
    questions: page.questions.map((question, at) =>
      questionId(question, questions, `${isFlat ? '' : `pages[${index}].`}questions[${at}]`),
    ),
  }))
}

function questionId(
  { id, type }: { id?: number | null; type?: unknown },
  known: Map<number, FormQuestion>,
  place: string,
): number | null {
  const question = id === undefined || id === null ? undefined : known.get(id)
  if (question && question.type !== type) {
    throw invalid(`${place}.type`, rule('question_type', { type: question.type }))
  }
  return takeId(id, known, `${place}.id`, 'question')
}

/** Each id once. */
function takeId(
  id: number | null | undefined,
  known: { delete(id: number): boolean },
  place: string,
  what: 'page' | 'question',
): number | null {
  if (id === undefined || id === null) return null
  if (!known.delete(id)) throw invalid(place, rule('form_part_unknown', { what }))
  return id
}
