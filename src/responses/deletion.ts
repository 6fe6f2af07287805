import { and, eq } from 'drizzle-orm'
import { audit } from '../audit/record.ts'
import type { Caller } from '../caller.ts'
import { isOneOf, ofTenant, type Tx } from '../db/index.ts'
import { checkouts, notifications, responses } from '../db/schema.ts'
import type { FileName } from '../files/names.ts'
import { deleteUploadsOf } from '../uploads/of-responses.ts'
import { forgetEventsHolding } from '../webhooks/forgetting.ts'
import { getResponse } from './operations.ts'
import { forgetSegments } from './results/columns/adding.ts'

/** What was deleted: how many responses, and the files that came with them, which the caller removes after the commit. */
export interface Deleted {
  readonly count: number
  readonly files: FileName[]
}

type Doomed = readonly { readonly id: string; readonly formId: string }[]

/**
 * Deletes responses of a contact for good, `most` at most, as `deleteResponses` does, and says whether more may be left. For
 * the deletion of a person with everything.
 */
export async function deleteResponsesOfContact(
  tx: Tx,
  caller: Caller,
  contactId: string,
  most: number,
): Promise<{ files: FileName[]; isMore: boolean }> {
  const found = await tx
    .select({ id: responses.id, formId: responses.formId })
    .from(responses)
    .where(and(ofTenant(responses, caller.tenantId), eq(responses.contactId, contactId)))
    .limit(most)
  const { files } = await deleteResponses(tx, caller, found)
  return { files, isMore: found.length === most }
}

/**
 * Deletes a response to a form for good, as `deleteResponses` does. Returns its files, which the caller removes after the
 * commit. Throws `not_found` for either.
 */
export async function deleteResponse(tx: Tx, caller: Caller, formId: string, id: string): Promise<FileName[]> {
  const response = await getResponse(tx, caller.tenantId, formId, id)
  const { files } = await deleteResponses(tx, caller, [response])
  return files
}

/**
 * Deletes responses for good, with their files, what they were to pay, the mails about them that wait and the events that hold
 * them. Forms have still had as many responses as they had. No event tells of it, the audit log does.
 */
export async function deleteResponses(tx: Tx, caller: Caller, doomed: Doomed): Promise<Deleted> {
  const deleted = await deleteUnfinished(tx, caller, doomed)
  for (const formId of new Set(doomed.map((response) => response.formId))) {
    await forgetSegments(tx, caller.tenantId, formId)
  }
  for (const { id } of doomed) await audit(tx, caller, 'response.deleted', id)
  return deleted
}

/** The same of responses that were never completed and are too old to be counted: the audit log never knew of them. */
export async function deleteUnfinished(tx: Tx, { tenantId }: Caller, doomed: Doomed): Promise<Deleted> {
  if (doomed.length === 0) return { count: 0, files: [] }
  const doomedIds = doomed.map(({ id }) => id)
  const ids = JSON.stringify(doomedIds)
  const files = await deleteUploadsOf(tx, tenantId, ids)
  await tx.delete(checkouts).where(and(ofTenant(checkouts, tenantId), isOneOf(tx, checkouts.responseId, ids)))
  await tx
    .delete(notifications)
    .where(and(ofTenant(notifications, tenantId), isOneOf(tx, notifications.responseId, ids)))
  await tx.delete(responses).where(and(ofTenant(responses, tenantId), isOneOf(tx, responses.id, ids)))
  await forgetEventsHolding(tx, tenantId, doomedIds)
  return { count: doomed.length, files }
}
