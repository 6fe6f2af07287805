import { and, eq, isNull } from 'drizzle-orm'
import { findGroup, listCustomFields } from '../contacts/rows.ts'
import { ofTenant, type Reader } from '../db/index.ts'
import { forms } from '../db/schema.ts'
import { invalid, rule, type rules } from '../errors.ts'
import { getDraft } from '../forms/drafts.ts'
import { formRecordOf } from '../forms/operations.ts'
import { findInbox } from '../inboxes/operations.ts'
import { isUuid } from '../lib/ids.ts'
import { organisationNamesOf } from '../organisations/operations.ts'
import { findTag } from '../tags/read.ts'
import { findTeam } from '../teams/read.ts'
import { colleaguesById } from '../users/colleagues.ts'
import { familyOf, fieldNamed, memberOf, type NamedRecord } from './fields.ts'
import { type Condition, type Conditions, fold } from './model.ts'
import { eachCondition } from './parse.ts'

/* Whether there is what conditions and actions name. */

/**
 * Throws `invalid_request`, naming the place beneath `place`, where the conditions name a record, a tag, a custom field or a
 * question that the tenant does not have. Another tenant's are none of its own.
 */
export async function checkNamed(
  db: Reader,
  tenantId: string,
  conditions: Conditions | null,
  place: string,
): Promise<void> {
  const all = [...eachCondition(conditions, place)]
  for (const [condition, at] of all) await checkValues(db, tenantId, condition, at)
  const formIds = all.flatMap(([{ field, operator, texts }]) =>
    field === 'form' && (operator === 'is' || operator === 'one_of') ? texts : [],
  )
  for (const [condition, at] of all) await checkMember(db, tenantId, condition, formIds, `${at}.field`)
}

async function checkValues(
  db: Reader,
  tenantId: string,
  { field: name, operator, texts, value }: Condition,
  place: string,
) {
  const field = fieldNamed(name)
  const record = field?.record
  const isWhole = operator === 'is' || operator === 'is_not' || operator === 'one_of'
  if (!isWhole) return
  for (const [index, text] of texts.entries()) {
    const at = `${place}.${operator}${Array.isArray(value) ? `[${index}]` : ''}`
    if (record) await requireRecord(db, tenantId, record, text, at)
    else if (field?.kind === 'tags' && !(await findTag(db, tenantId, text))) throw invalid(at, rule('tag_unknown'))
  }
}

/** The question, hidden field or custom field that a condition is about. Those of forms are asked of the forms that are named. */
async function checkMember(
  db: Reader,
  tenantId: string,
  { field }: Condition,
  formIds: readonly string[],
  place: string,
) {
  const family = familyOf(field)
  const wanted = fold(memberOf(field))
  if (family === 'contact.custom:') {
    const isKnown = (await listCustomFields(db, tenantId)).some(({ name }) => fold(name) === wanted)
    if (!isKnown) throw invalid(place, rule('custom_field_unknown'))
  }
  if ((family !== 'answer:' && family !== 'hidden:') || formIds.length === 0) return
  for (const formId of formIds) if ((await namesInForm(db, tenantId, formId, family)).has(wanted)) return
  throw invalid(place, rule(family === 'answer:' ? 'answer_unknown' : 'hidden_unknown'))
}

async function namesInForm(db: Reader, tenantId: string, formId: string, family: 'answer:' | 'hidden:') {
  const { pages, settings } = await formRecordOf(db, tenantId, formId)
  if (family === 'hidden:') return new Set(settings.hidden.map(fold))
  const draft = await getDraft(db, tenantId, formId)
  const questions = [...pages, ...draft.pages].flatMap((page) => page.questions)
  return new Set(questions.flatMap(({ friendlyId }) => (friendlyId === null ? [] : fold(friendlyId))))
}

const UNKNOWN = {
  inbox: rule('inbox_unknown'),
  user: rule('user_unknown'),
  team: rule('team_unknown'),
  form: rule('form_unknown'),
  organisation: rule('organisation_unknown'),
} as const satisfies Partial<Record<NamedRecord, ReturnType<typeof rule<keyof typeof rules>>>>

/** Throws `invalid_request` at the place unless the tenant has the record of this id, whatever its case. */
export async function requireRecord(db: Reader, tenantId: string, kind: NamedRecord, id: string, place: string) {
  if (await hasRecord(db, tenantId, kind, id.toLowerCase())) return
  throw invalid(place, kind === 'group' ? rule('group_unknown', { group: id.slice(0, 20) }) : UNKNOWN[kind])
}

/** Whether the tenant has the record of this id. */
export async function hasRecord(db: Reader, tenantId: string, kind: NamedRecord, id: string): Promise<boolean> {
  if (kind === 'group') return /^\d{1,15}$/.test(id) && (await findGroup(db, tenantId, Number(id))) !== undefined
  if (!isUuid(id)) return false
  switch (kind) {
    case 'inbox':
      return (await findInbox(db, tenantId, id)) !== null
    case 'user':
      return (await colleaguesById(db, tenantId)).has(id)
    case 'team':
      return (await findTeam(db, tenantId, id)) !== undefined
    case 'organisation':
      return (await organisationNamesOf(db, tenantId, [id])).has(id)
    case 'form':
      return hasForm(db, tenantId, id)
  }
}

async function hasForm(db: Reader, tenantId: string, id: string): Promise<boolean> {
  const found = await db
    .select({ id: forms.id })
    .from(forms)
    .where(and(ofTenant(forms, tenantId), eq(forms.id, id), isNull(forms.trashedAt)))
  return found.length > 0
}
