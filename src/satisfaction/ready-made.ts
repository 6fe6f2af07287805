import { and, desc, eq, isNotNull, isNull } from 'drizzle-orm'
import type { Caller } from '../caller.ts'
import { ofTenant, type Reader, type Tx } from '../db/index.ts'
import { forms, satisfactionForms } from '../db/schema.ts'
import { isCollecting } from '../forms/closing.ts'
import { createForm, formRecordOf } from '../forms/operations.ts'
import { publishForm } from '../forms/publishing.ts'
import { getTenantSettings } from '../tenants/operations.ts'
import { satisfactionWordsOf } from './words.ts'

/** The id of the form that asks how content customers were, or null where nobody has wanted one yet, or it was thrown away. */
export async function findSatisfactionForm(db: Reader, tenantId: string): Promise<string | null> {
  const [found] = await db
    .select({ id: forms.id })
    .from(satisfactionForms)
    .innerJoin(forms, and(eq(forms.tenantId, satisfactionForms.tenantId), eq(forms.id, satisfactionForms.formId)))
    .where(and(ofTenant(satisfactionForms, tenantId), isNull(forms.trashedAt)))
  return found?.id ?? null
}

/**
 * The id of the form that asks how content customers were, made ready and published the first time: thumbs, and why. In the
 * tenant's language. Throws `unprocessable_entity` where nobody can own forms.
 */
export async function satisfactionForm(tx: Tx, caller: Caller): Promise<string> {
  const found = await findSatisfactionForm(tx, caller.tenantId)
  if (found !== null) return found
  const { language } = await getTenantSettings(tx, caller.tenantId)
  const words = satisfactionWordsOf(language ?? 'en')
  const { id } = await createForm(tx, caller, {
    title: words.title,
    active: true,
    questions: [
      { type: 'binary', text: words.thumbs, required: true, trueLabel: words.good, falseLabel: words.bad },
      { type: 'textbox', text: words.why, rows: 4 },
    ],
  })
  await publishForm(tx, caller, id)
  await chooseSatisfactionForm(tx, caller, id)
  return id
}

/** Has the tenant ask by this form. Throws `not_found`. */
export async function chooseSatisfactionForm(tx: Tx, { tenantId }: Caller, id: string): Promise<void> {
  const { id: formId } = await formRecordOf(tx, tenantId, id)
  await tx
    .insert(satisfactionForms)
    .values({ tenantId, formId })
    .onConflictDoUpdate({ target: satisfactionForms.tenantId, set: { formId } })
}

/** Forms that are offered at most. */
const MOST = 50

/** A form by which customers can be asked. */
export interface AskingForm {
  readonly id: string
  readonly title: string
}

/** The forms that collect, newest first, and the one that the tenant usually asks by; null where none was wanted yet. */
export async function formsToAskBy(
  db: Reader,
  tenantId: string,
  at: number,
): Promise<{ forms: AskingForm[]; usual: AskingForm | null }> {
  const { id, title, status, publishedAt, closesAt } = forms
  const found = await db
    .select({ id, title, status, publishedAt, closesAt })
    .from(forms)
    .where(and(ofTenant(forms, tenantId), isNull(forms.trashedAt), isNotNull(forms.publishedAt), eq(status, 'active')))
    .orderBy(desc(id))
    .limit(MOST)
  const usualId = await findSatisfactionForm(db, tenantId)
  const usual = usualId === null ? null : await formRecordOf(db, tenantId, usualId)
  return { forms: found.filter((form) => isCollecting(form, at)), usual }
}
