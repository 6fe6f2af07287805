import type { Caller } from '../../../caller.ts'
import type { Tx } from '../../../db/index.ts'
import { notFound } from '../../../errors.ts'
import { type FormDraft, getDraft } from '../../../forms/drafts.ts'
import { changeIntro, changePage, changeQuestion } from '../../../forms/editing.ts'
import { formRecordOf } from '../../../forms/operations.ts'
import { findEntry } from '../../../forms/question-types/table.ts'
import type { FormFields } from '../../form-fields.ts'
import { Refusal } from '../../refusal.ts'
import { type Redirect, redirectTo, type Visit } from '../../visit.ts'
import type { Settings } from './controls/control.ts'
import { controls, type SettingName } from './controls/controls.ts'
import { buildPath, type Placed, placedQuestions, stampOf } from './draft.ts'
import { askedBefore, showIfIn } from './logic/section.ts'
import { introOf, pageOwn } from './panes.ts'
import { refusalFor, type Sent } from './refusing.ts'

/** Changes the draft of the form that the address names, which `work` gets as it is before. */
export async function changeDraft<T>(
  visit: Visit,
  fields: FormFields,
  work: (tx: Tx, caller: Caller, draft: FormDraft) => Promise<T>,
  own: (draft: FormDraft) => Pick<Sent, 'own' | 'ownPlace'> = () => ({}),
): Promise<T> {
  let draft: FormDraft | undefined
  try {
    return await visit.change(async (tx, caller) => {
      draft = await getDraft(tx, caller.tenantId, visit.params.id ?? '')
      return work(tx, caller, draft)
    })
  } catch (error) {
    if (!draft) throw error
    throw refusalFor(visit, error, { fields, draft, ...own(draft) })
  }
}

/** What was typed in the form of a question. */
export async function saveQuestion(visit: Visit, sent: FormFields): Promise<Redirect> {
  const id = Number(visit.params.questionId)
  await changeDraft(
    visit,
    sent,
    async (tx, caller, draft) => {
      const placed = placedOf(draft, id)
      if (!placed) throw notFound('question')
      const { question, index } = placed
      requireOwn(visit, sent, draft, question)
      const form = await formRecordOf(tx, caller.tenantId, draftedIn(visit))
      const showIf = showIfIn(visit, { form, draft }, sent, question.showIf, index)
      const changes = differing(question, { ...questionIn(sent, question), showIf })
      if (changes) await changeQuestion(tx, caller, editedIn(visit, draft), id, changes)
    },
    (draft) => ({ own: placedOf(draft, id) }),
  )
  return saved(visit, `question-${id}`)
}

/** What was typed in the form of a page. */
export async function savePage(visit: Visit, sent: FormFields): Promise<Redirect> {
  const id = Number(visit.params.pageId)
  const own = (draft: FormDraft) => ({ ownPlace: `pages[${draft.pages.findIndex((page) => page.id === id)}]` })
  const save = async (tx: Tx, caller: Caller, draft: FormDraft) => {
    const page = draft.pages.find((known) => known.id === id)
    if (!page) throw notFound('page')
    const before = pageOwn(page)
    requireOwn(visit, sent, draft, before)
    const form = await formRecordOf(tx, caller.tenantId, draftedIn(visit))
    const showIf = showIfIn(visit, { form, draft }, sent, before.showIf, askedBefore({ draft }, page))
    const changes = differing(before, { title: sent.text('title') || null, showIf })
    if (changes) await changePage(tx, caller, editedIn(visit, draft), id, changes)
  }
  await changeDraft(visit, sent, save, own)
  return saved(visit, `page-${id}`)
}

/** The form's title and description. */
export async function saveIntro(visit: Visit, sent: FormFields): Promise<Redirect> {
  await changeDraft(visit, sent, async (tx, caller, draft) => {
    const intro = introOf({ draft })
    requireOwn(visit, sent, draft, intro)
    const changes = differing(intro, { title: sent.text('title'), description: sent.text('description') || null })
    if (changes) await changeIntro(tx, caller, editedIn(visit, draft), changes)
  })
  return saved(visit, 'intro')
}

export const saved = ({ params, wording }: Visit, show: string) =>
  redirectTo(buildPath(params.id ?? '', show), wording.say('builderSaved'))

const draftedIn = ({ params }: Visit) => params.id ?? ''

export const editedIn = ({ params }: Visit, { version }: FormDraft) => ({ formId: params.id ?? '', expected: version })

function placedOf(draft: FormDraft, id: number | undefined): Placed | undefined {
  return placedQuestions(draft).find(({ question }) => question.id === id)
}

/**
 * Two people may work on two questions at once; on one they are told. Whoever sends again what they typed means it: the
 * page they get knows of the other's change.
 */
export function requireOwn({ wording }: Visit, sent: FormFields, draft: FormDraft, part: unknown): void {
  if (sent.text('version') === String(draft.version) || sent.text('was') === stampOf(part)) return
  throw new Refusal({ field: null, text: wording.say('builderSomebodyElse') }, 409)
}

/** A question as it was typed, as operations take it. */
function questionIn(sent: FormFields, question: Settings & { readonly type: string }): Record<string, unknown> {
  const names = Object.keys(findEntry(question.type)?.fields ?? {}) as SettingName[]
  return {
    text: sent.text('text'),
    required: sent.has('required'),
    friendlyId: sent.text('friendlyId') || null,
    ...Object.fromEntries(names.map((name) => [name, controls[name].read(sent, question)])),
  }
}

/** What differs from before; null where nothing does, which is then no change. */
export function differing<T extends object>(before: object, given: T): Partial<T> | null {
  const known = before as Record<string, unknown>
  const changes = Object.entries(given).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(known[name] ?? null),
  )
  return changes.length === 0 ? null : (Object.fromEntries(changes) as Partial<T>)
}
