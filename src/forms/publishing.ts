import { and, eq } from 'drizzle-orm'
import type { AuditAction } from '../audit/model.ts'
import { audit } from '../audit/record.ts'
import type { Caller } from '../caller.ts'
import type { Tx } from '../db/index.ts'
import { forms } from '../db/schema.ts'
import { formatTime } from '../lib/time.ts'
import type { FormListItem } from './model.ts'
import { getForm } from './operations.ts'

/*
 * What happens to a form outside the API (decisions §5), from the command line and the console. Its hosted page collects
 * while it is published and active. Repeating a change changes nothing. Each throws `not_found`, for a trashed form too.
 */

/** Publishes a form and makes it active; it keeps the time it was first published. */
export async function publishForm(tx: Tx, caller: Caller, id: string): Promise<FormListItem> {
  const { publishedAt } = await getForm(tx, caller.tenantId, id)
  return change(tx, caller, id, 'form.published', {
    status: 'active',
    publishedAt: publishedAt ?? formatTime(caller.at),
  })
}

/** Stops collecting. */
export async function closeForm(tx: Tx, caller: Caller, id: string): Promise<FormListItem> {
  return change(tx, caller, id, 'form.closed', { status: 'inactive' })
}

/** Makes a closed form active again; one that was never published stays unpublished. */
export async function reopenForm(tx: Tx, caller: Caller, id: string): Promise<FormListItem> {
  return change(tx, caller, id, 'form.reopened', { status: 'active' })
}

/** Puts a form into the trash: from here on it is as if gone, and its responses with it. */
export async function trashForm(tx: Tx, caller: Caller, id: string): Promise<FormListItem> {
  return change(tx, caller, id, 'form.trashed', { trashedAt: formatTime(caller.at) })
}

interface Changes {
  status?: 'active' | 'inactive'
  publishedAt?: string
  trashedAt?: string
}

async function change(
  tx: Tx,
  caller: Caller,
  anyCaseId: string,
  action: AuditAction,
  changes: Changes,
): Promise<FormListItem> {
  const { id, title, status, workspaceId, publishedAt, updatedAt } = await getForm(tx, caller.tenantId, anyCaseId)
  const form = { id, title, status, workspaceId, publishedAt, updatedAt }
  const { trashedAt, ...visible } = changes
  const after = { ...form, ...visible }
  if (!trashedAt && after.status === status && after.publishedAt === publishedAt) return form
  after.updatedAt = formatTime(caller.at)
  await tx
    .update(forms)
    .set({ ...changes, updatedAt: after.updatedAt })
    .where(and(eq(forms.tenantId, caller.tenantId), eq(forms.id, id)))
  await audit(tx, caller, action, id)
  return after
}
