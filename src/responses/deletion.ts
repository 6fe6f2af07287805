import { and, eq } from 'drizzle-orm'
import { audit } from '../audit/record.ts'
import type { Caller } from '../caller.ts'
import { isOneOf, ofTenant, type Tx } from '../db/index.ts'
import { checkouts, notifications, responses } from '../db/schema.ts'
import type { FileName } from '../files/names.ts'
import { deleteUploadsOf } from '../uploads/of-responses.ts'
import { forgetSegments } from './results/columns.ts'

/**
 * Deletes responses of a contact for good, `most` at most, with their files, what they were to pay and the mails about
 * them that wait. Forms have still had as many responses as they had. No event tells of it. Returns the files, which the
 * caller removes after the commit, and whether more may be left. For the deletion of a person with everything.
 */
export async function deleteResponsesOfContact(
  tx: Tx,
  caller: Caller,
  contactId: string,
  most: number,
): Promise<{ files: FileName[]; isMore: boolean }> {
  const { tenantId } = caller
  const found = await tx
    .select({ id: responses.id, formId: responses.formId })
    .from(responses)
    .where(and(ofTenant(responses, tenantId), eq(responses.contactId, contactId)))
    .limit(most)
  if (found.length === 0) return { files: [], isMore: false }
  const ids = JSON.stringify(found.map(({ id }) => id))
  const files = await deleteUploadsOf(tx, tenantId, ids)
  await tx.delete(checkouts).where(and(ofTenant(checkouts, tenantId), isOneOf(tx, checkouts.responseId, ids)))
  await tx
    .delete(notifications)
    .where(and(ofTenant(notifications, tenantId), isOneOf(tx, notifications.responseId, ids)))
  await tx.delete(responses).where(and(ofTenant(responses, tenantId), isOneOf(tx, responses.id, ids)))
  for (const formId of new Set(found.map((response) => response.formId))) await forgetSegments(tx, tenantId, formId)
  for (const { id } of found) await audit(tx, caller, 'response.deleted', id)
  return { files, isMore: found.length === most }
}
