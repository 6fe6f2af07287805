import type { Caller } from '../caller.ts'
import type { Tx } from '../db/index.ts'
import { refusal, rule } from '../errors.ts'
import { contentOf, type FormDraft, openDraft, storeDraft } from './drafts.ts'
import type { Edited } from './editing.ts'
import { keepEdit, noteEdit, takeEdit } from './edits.ts'

/*
 * Taking changes back, until they are published. Each says what the draft is then, and throws `not_found`, and `conflict`
 * when `expected` is not the draft's version any more or there is nothing to take back.
 */

/** Undoes the last change, whoever made it. Question ids come back as they were. */
export async function undoEdit(tx: Tx, caller: Caller, edited: Edited): Promise<FormDraft> {
  return swap(tx, caller, edited, 'undo')
}

/** Makes the change that was undone last again; any other change since has ended that. */
export async function redoEdit(tx: Tx, caller: Caller, edited: Edited): Promise<FormDraft> {
  return swap(tx, caller, edited, 'redo')
}

/** Makes the draft what is published. Undone like any change. */
export async function discardDraft(tx: Tx, caller: Caller, { formId, expected }: Edited): Promise<FormDraft> {
  const { form, before } = await openDraft(tx, caller.tenantId, formId, expected)
  if (form.revision === 0) throw refusal('conflict', rule('form_unpublished'))
  const what = 'changes discarded'
  await noteEdit(tx, caller, form, { what, before })
  return storeDraft(tx, caller, form, contentOf(form), what)
}

async function swap(tx: Tx, caller: Caller, edited: Edited, kind: 'undo' | 'redo'): Promise<FormDraft> {
  const { form, before } = await openDraft(tx, caller.tenantId, edited.formId, edited.expected)
  const edit = await takeEdit(tx, caller, form.id, kind)
  if (!edit) throw refusal('conflict', kind === 'undo' ? rule('nothing_to_undo') : rule('nothing_to_redo'))
  const { what, content } = edit
  await keepEdit(tx, caller, form, kind === 'undo' ? 'redo' : 'undo', { what, before })
  return storeDraft(tx, caller, form, content, `${what}: ${kind === 'undo' ? 'undone' : 'redone'}`)
}
