import { and, eq } from 'drizzle-orm'
import type { Caller } from '../caller.ts'
import type { Tx } from '../db/index.ts'
import { ofTenant } from '../db/index.ts'
import { forms } from '../db/schema.ts'
import { formFileKinds } from '../kinds/form-files.ts'
import { readDraft } from './draft-content.ts'
import { draftedOf } from './drafts.ts'
import { type Form, MAX_TITLE } from './model.ts'
import { createForm, formRecordOf, getForm } from './operations.ts'
import { getFile, keepFile } from './settings/files.ts'
import { storedSettings } from './settings/model.ts'
import { copyTexts } from './texts/operations.ts'

const SUFFIX = ' (copy)'

/**
 * A new form that asks what the form's draft asks, unpublished and under ids of its own, in the same workspace and with
 * the same settings and languages; when it closes is its own matter. Throws `not_found`, `unprocessable_entity` when
 * nobody can own it.
 */
export async function copyForm(tx: Tx, caller: Caller, formId: string): Promise<Form> {
  const { tenantId } = caller
  const form = await formRecordOf(tx, tenantId, formId)
  const { id, workspaceId, settings } = form
  const draft = await draftedOf(tx, tenantId, form)
  const title = draft.title.slice(0, MAX_TITLE - SUFFIX.length).toWellFormed() + SUFFIX
  const copy = await createForm(tx, caller, { title, workspaceId }, readDraft(draft, draft))
  await tx
    .update(forms)
    .set({ settings: storedSettings(settings) })
    .where(and(ofTenant(forms, tenantId), eq(forms.id, copy.id)))
  for (const kind of formFileKinds) {
    if (settings[kind]) await keepFile(tx, tenantId, copy.id, kind, await getFile(tx, tenantId, id, kind))
  }
  await copyTexts(tx, caller, { id, pages: draft.pages }, copy.id)
  return getForm(tx, tenantId, copy.id)
}
