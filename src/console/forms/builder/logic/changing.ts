import type { Caller } from '../../../../caller.ts'
import type { Tx } from '../../../../db/index.ts'
import { notFound } from '../../../../errors.ts'
import type { FormDraft } from '../../../../forms/drafts.ts'
import { changeEnd, changeVariables } from '../../../../forms/editing-logic.ts'
import { formRecordOf } from '../../../../forms/operations.ts'
import type { FormFields } from '../../../form-fields.ts'
import type { Redirect, Visit } from '../../../visit.ts'
import { changeDraft, differing, editedIn, requireOwn, saved } from '../changing.ts'
import { sentEnd } from './ends.ts'
import { sentVariables } from './variables.ts'

/** What was typed in the form of an end. */
export async function saveEnd(visit: Visit, sent: FormFields): Promise<Redirect> {
  const number = Number(visit.params.end)
  const save = async (tx: Tx, caller: Caller, draft: FormDraft) => {
    const end = draft.ends[number - 1]
    if (!end) throw notFound('end')
    requireOwn(visit, sent, draft, end)
    const form = await formRecordOf(tx, caller.tenantId, visit.params.id ?? '')
    const next = sentEnd(visit, { form, draft }, sent, end)
    if (differing(end, next)) await changeEnd(tx, caller, editedIn(visit, draft), number - 1, next)
  }
  await changeDraft(visit, sent, save, () => ({ ownPlace: `ends[${number - 1}]` }))
  return saved(visit, `end-${number}`)
}

/** What was typed in the form of the variables. */
export async function saveVariables(visit: Visit, sent: FormFields): Promise<Redirect> {
  const save = async (tx: Tx, caller: Caller, draft: FormDraft) => {
    requireOwn(visit, sent, draft, draft.variables)
    const variables = sentVariables(sent)
    const isSame = JSON.stringify(variables) === JSON.stringify(draft.variables)
    if (!isSame) await changeVariables(tx, caller, editedIn(visit, draft), variables)
  }
  await changeDraft(visit, sent, save, () => ({ ownPlace: 'variables' }))
  return saved(visit, 'variables')
}
