import type { Caller } from '../../../caller.ts'
import type { Reader, Tx } from '../../../db/index.ts'
import { formsToAskBy, satisfactionForm } from '../../../satisfaction/ready-made.ts'
import type { ActionDraft, Draft } from './draft.ts'

/** In place of a form's id: the ready-made one that asks how content customers were, which is made once the rule is kept. */
export const READY_MADE_FORM = 'ready-made'

/** The form that a new rule asks by: the one that is usually asked by, else the ready-made one; null: somebody has to choose. */
export async function formToAskBy(db: Reader, tenantId: string, at: number): Promise<string | null> {
  const { forms, usual } = await formsToAskBy(db, tenantId, at)
  if (usual === null) return READY_MADE_FORM
  return forms.some(({ id }) => id === usual.id) ? usual.id : null
}

/** The draft with the ready-made form made wherever it was chosen. Throws `unprocessable_entity` where nobody can own forms. */
export async function withReadyMadeForm(tx: Tx, caller: Caller, draft: Draft): Promise<Draft> {
  if (!draft.then.some(asksByReadyMade)) return draft
  const form = await satisfactionForm(tx, caller)
  const then = draft.then.map((one) => (asksByReadyMade(one) ? { ...one, values: { ...one.values, form } } : one))
  return { ...draft, then }
}

/** The draft without what it sends by a form that is not there yet: a trial does nothing, but wants to find what is named. */
export function withoutReadyMadeForm(draft: Draft): Draft {
  const then = draft.then.map((one): ActionDraft => (asksByReadyMade(one) ? { do: 'stop', values: {} } : one))
  return { ...draft, then }
}

const asksByReadyMade = (action: ActionDraft) => action.do === 'send_form' && action.values.form === READY_MADE_FORM
