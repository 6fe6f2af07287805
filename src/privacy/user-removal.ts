import type { Caller } from '../caller.ts'
import type { Tx } from '../db/index.ts'
import { handOverForms } from '../forms/operations.ts'
import { unassignAll } from '../tickets/assignment.ts'
import { deleteUser, letOwnForms, userToRemove } from '../users/changes.ts'

/**
 * Takes away somebody's access, at once and for good. Their forms become those of the admin who does it; what they wrote
 * keeps their name. Throws `not_found`, `conflict` for the last admin and for oneself.
 */
export async function removeUser(tx: Tx, caller: Caller, userId: string): Promise<void> {
  const { billable } = await userToRemove(tx, caller, userId)
  const heir = caller.author.id as string
  const hasForms = await handOverForms(tx, caller, userId, heir)
  await unassignAll(tx, caller, userId)
  // Somebody has to be there who can own forms.
  if (billable || hasForms) await letOwnForms(tx, caller, heir)
  await deleteUser(tx, caller, userId)
}
