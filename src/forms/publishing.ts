import { and, eq, isNotNull } from 'drizzle-orm'
import { audit } from '../audit/record.ts'
import type { Caller } from '../caller.ts'
import type { Tx } from '../db/index.ts'
import { ofTenant } from '../db/index.ts'
import { forms } from '../db/schema.ts'
import { notFound, refusal, rule } from '../errors.ts'
import { emit } from '../events/outbox.ts'
import type { AuditAction } from '../kinds/audit.ts'
import { formatTime } from '../lib/time.ts'
import { whyOver } from './closing.ts'
import { draftOf, requireVersion } from './drafts.ts'
import { forgetEdits } from './edits.ts'
import type { Form, FormListItem } from './model.ts'
import { formRecordOf, getForm } from './operations.ts'
import { storedContent } from './pages.ts'
import { keepRevision } from './revisions.ts'

/*
 * What happens to a form outside the API (decisions §5), from the command line and the console. Its hosted page collects
 * while it is published and active. Repeating a change changes nothing. Each throws `not_found`, for a trashed form too.
 */

/**
 * Publishes what is drafted, as a new revision (decisions §12), and makes the form active, unless its settings say that
 * collecting is over; it keeps the time it was first published. Respondents who have begun go on in the revision they began in.
 * Throws `conflict` when the draft is not the version that was `expected`: left out, whatever it is.
 */
export async function publishForm(tx: Tx, caller: Caller, id: string, expected?: number): Promise<FormListItem> {
  const { tenantId } = caller
  const form = await formRecordOf(tx, tenantId, id)
  requireVersion(form, expected)
  const draft = await draftOf(tx, tenantId, form)
  const isOver = (await whyOver(tx, caller, form)) !== null
  const published: Changes = {
    status: isOver ? 'inactive' : 'active',
    publishedAt: form.publishedAt ?? formatTime(caller.at),
  }
  if (form.revision > 0 && draft === null)
    return announce(tx, caller, await change(tx, caller, id, 'form.published', published))
  const revision = form.revision + 1
  const stored = storedContent(draft ?? form)
  await keepRevision(tx, caller, form.id, revision, stored)
  await forgetEdits(tx, caller, form.id)
  const content = { ...stored, revision, draft: null, draftedAt: null }
  return announce(tx, caller, await change(tx, caller, id, 'form.published', { ...published, ...content }))
}

async function announce(tx: Tx, caller: Caller, form: FormListItem): Promise<FormListItem> {
  await emit(tx, caller, 'form.published', { form })
  return form
}

/** Stops collecting. */
export async function closeForm(tx: Tx, caller: Caller, id: string): Promise<FormListItem> {
  return change(tx, caller, id, 'form.closed', { status: 'inactive' })
}

/**
 * Makes a closed form active again; one that was never published stays unpublished. Throws `conflict` where its settings
 * say that collecting is over.
 */
export async function reopenForm(tx: Tx, caller: Caller, id: string): Promise<FormListItem> {
  const why = await whyOver(tx, caller, await formRecordOf(tx, caller.tenantId, id))
  if (why) throw refusal('conflict', rule('form_over', { why }))
  return change(tx, caller, id, 'form.reopened', { status: 'active' })
}

/** Puts a form into the trash: until it is restored it is as if gone, and its responses with it. */
export async function trashForm(tx: Tx, caller: Caller, id: string): Promise<FormListItem> {
  return change(tx, caller, id, 'form.trashed', { trashedAt: formatTime(caller.at) })
}

/**
 * Takes a form out of the trash, with its responses; it is closed then, so that nobody answers what was thrown away by
 * accident of an old link. Throws `not_found` for a form that is not in the trash.
 */
export async function restoreForm(tx: Tx, caller: Caller, id: string): Promise<FormListItem> {
  const { tenantId } = caller
  const restored = { trashedAt: null, status: 'inactive' as const, updatedAt: formatTime(caller.at) }
  const rows = await tx
    .update(forms)
    .set(restored)
    .where(and(ofTenant(forms, tenantId), eq(forms.id, id.toLowerCase()), isNotNull(forms.trashedAt)))
    .returning({ id: forms.id })
  const [row] = rows
  if (!row) throw notFound('form')
  await audit(tx, caller, 'form.restored', row.id)
  return listItemOf(await getForm(tx, tenantId, row.id))
}

function listItemOf({ id, title, status, workspaceId, publishedAt, updatedAt }: Form): FormListItem {
  return { id, title, status, workspaceId, publishedAt, updatedAt }
}

type Changes = Partial<
  Pick<
    typeof forms.$inferInsert,
    | 'title'
    | 'description'
    | 'pages'
    | 'variables'
    | 'ends'
    | 'revision'
    | 'draft'
    | 'draftedAt'
    | 'status'
    | 'publishedAt'
    | 'trashedAt'
  >
>

async function change(
  tx: Tx,
  caller: Caller,
  anyCaseId: string,
  action: AuditAction,
  changes: Changes,
): Promise<FormListItem> {
  const form = listItemOf(await getForm(tx, caller.tenantId, anyCaseId))
  const { id, title, status, publishedAt } = form
  const isNews = changes.trashedAt !== undefined || changes.revision !== undefined
  const after = {
    ...form,
    title: changes.title ?? title,
    status: changes.status ?? status,
    publishedAt: changes.publishedAt ?? publishedAt,
  }
  if (!isNews && after.status === status && after.publishedAt === publishedAt) return form
  after.updatedAt = formatTime(caller.at)
  await tx
    .update(forms)
    .set({ ...changes, updatedAt: after.updatedAt })
    .where(and(ofTenant(forms, caller.tenantId), eq(forms.id, id)))
  await audit(tx, caller, action, id)
  return after
}
