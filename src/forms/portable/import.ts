import type { Caller } from '../../caller.ts'
import type { Tx } from '../../db/index.ts'
import { RuleError, refusal } from '../../errors.ts'
import type { Form } from '../model.ts'
import { createForm, formRecordOf, getForm } from '../operations.ts'
import { changeSettings } from '../settings/operations.ts'
import { giveTexts, renumbered } from '../texts/operations.ts'
import type { ReadForm } from './read.ts'

/**
 * Makes a form of a file (decisions §21): unpublished, under ids of its own, otherwise as the one that was exported. For
 * people, not for the API. Throws `invalid_request` naming the place in the file, `unprocessable_entity` when nobody can
 * own it.
 */
export async function importForm(tx: Tx, caller: Caller, file: ReadForm): Promise<Form> {
  const { title, content, language } = file
  const { id } = await createForm(tx, caller, { title }, content)
  const settings = await withinSettings(() => changeSettings(tx, caller, id, file.settings, file.isSafe))
  const form = await formRecordOf(tx, caller.tenantId, id)
  // Where the form has no language of its own, the tenant's may be another one here.
  if (settings.language === null && form.language !== language) await changeSettings(tx, caller, id, { language })
  for (const [other, texts] of file.texts) {
    const own = renumbered(texts, file.pages, form.pages)
    if (Object.keys(own).length > 0) await giveTexts(tx, caller, id, other, own)
  }
  return getForm(tx, caller.tenantId, id)
}

/** A setting's place in the file. */
async function withinSettings<T>(change: () => Promise<T>): Promise<T> {
  try {
    return await change()
  } catch (error) {
    if (!(error instanceof RuleError)) throw error
    throw refusal(error.code, error.rule, error.details, `settings.${error.place}`)
  }
}
