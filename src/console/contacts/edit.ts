import { type CustomValueInput, customValueText } from '../../contacts/fields/custom-values.ts'
import { type Contact, ContactUpdate } from '../../contacts/model.ts'
import { updateContact } from '../../contacts/operations.ts'
import { findContactId, getContact } from '../../contacts/read.ts'
import { groupsToChoose, listCustomFields } from '../../contacts/rows.ts'
import { AppError } from '../../errors.ts'
import { checkValue } from '../../http/requests/validation.ts'
import { html, type Insert, type Markup } from '../../lib/html/markup.ts'
import { parseTime } from '../../lib/time.ts'
import { backLink, linkButton, pageHead } from '../components/display.ts'
import { button, buttons, checkbox, field, fieldset, form, select } from '../components/forms.ts'
import type { FormFields } from '../form-fields.ts'
import { Refusal, refuse } from '../refusal.ts'
import { type Again, type PageContent, type Redirect, redirectTo, type Visit } from '../visit.ts'
import { organisationsToChoose } from './list.ts'
import { kindOf, nameOf, pathOf, type ValueKind, valueKinds } from './shown.ts'

/** Everything of a contact that people change, in one form. */
export async function editPage(visit: Visit, again?: Again): Promise<PageContent> {
  const { say } = visit.wording
  const contact = await getContact(visit.db, visit.principal.tenantId, visit.params.id as string)
  return {
    title: say('contactEdit'),
    width: 'narrow',
    body: html`${backLink(visit, pathOf(contact), nameOf(visit, contact))}
${pageHead(say('contactEdit'))}
${form(visit, { action: `${pathOf(contact)}/edit` }, [
  html`<input type="hidden" name="version" value="${contact.updatedAt}">`,
  await detailFields(visit, contact, again),
  await groupFields(visit, contact, again),
  await customFields(visit, contact, again),
  buttons(button(say('save')), linkButton(visit, pathOf(contact), say('cancel'), 'secondary')),
])}`,
  }
}

/** The fields that a contact is made with, too; `contact` is null for a new one. */
export async function detailFields(visit: Visit, contact: Contact | null, again?: Again): Promise<Insert> {
  const { say } = visit.wording
  const organisations = await organisationsToChoose(visit, contact?.organisationId ?? null)
  const text = (name: 'name' | 'lastName' | 'phone', label: string, maxLength = 255) =>
    field(visit, { name, label, maxLength, value: contact?.[name], again, type: name === 'phone' ? 'tel' : 'text' })
  return [
    field(visit, {
      name: 'email',
      type: 'email',
      label: say('contactEmail'),
      value: contact?.email,
      required: contact === null || contact.email !== null,
      maxLength: 320,
      help: await otherWithEmail(visit, contact, again),
      again,
    }),
    text('name', say('contactFirstName')),
    text('lastName', say('contactLastName')),
    text('phone', say('contactPhone'), 50),
    organisations.length > 0 &&
      select(visit, {
        name: 'organisationId',
        label: say('contactOrganisation'),
        options: [['', say('contactNoOrganisation')], ...organisations],
        value: contact?.organisationId ?? '',
        again,
      }),
  ]
}

/** Beside an email that somebody else has: the way to them. */
async function otherWithEmail(visit: Visit, contact: Contact | null, again?: Again): Promise<Markup | undefined> {
  if (again?.problem.field !== 'email') return undefined
  const { tenantId } = visit.principal
  const id = await findContactId(visit.db, tenantId, again.form.text('email'))
  if (id === null || id === contact?.id) return undefined
  const other = await getContact(visit.db, tenantId, id)
  return html`<a href="${visit.href(pathOf(other))}">${visit.wording.say('contactTakenBy', { name: nameOf(visit, other) })}</a>`
}

/** Groups to be in, each with what its members agreed to. */
export async function groupFields(visit: Visit, contact: Contact | null, again?: Again): Promise<Insert> {
  const { say } = visit.wording
  const groups = await groupsToChoose(visit.db, visit.principal.tenantId)
  if (groups.length === 0) return null
  return fieldset({ legend: say('contactGroups'), help: say('contactGroupsHelp'), name: 'groupIds', again }, [
    groups.map(({ id, name, consentWording }) =>
      checkbox(visit, {
        name: 'groupIds',
        value: String(id),
        label: name,
        help: consentWording ?? undefined,
        checked: contact?.groups.some((group) => group.id === id) ?? false,
        again,
      }),
    ),
  ])
}

async function customFields(visit: Visit, contact: Contact, again?: Again): Promise<Insert> {
  const { say } = visit.wording
  const fields = await listCustomFields(visit.db, visit.principal.tenantId)
  if (fields.length === 0) return null
  const kinds = Object.entries(valueKinds).map(([kind, word]) => [kind, say(word)] as const)
  const rows = fields.map(({ id, name, type }) => {
    const value = contact.customValues.find(({ fieldId }) => fieldId === id)
    const kind = {
      name: `kind-${id}`,
      label: say('contactFieldKind', { field: name }),
      options: type ? kinds.filter(([kind]) => kind === type) : kinds,
    }
    return html`<div class="pair">${field(visit, { name: `field-${id}`, label: name, value: value && customValueText(value), maxLength: 1000, again })}${select(
      visit,
      { ...kind, value: type ?? kindOf(value), hidesLabel: true, again },
    )}</div>`
  })
  return fieldset({ legend: say('contactFields') }, rows)
}

/** What a form says about a contact, as the API's body has it. Throws as that does. */
export function contactInput(sent: FormFields): ContactUpdate {
  const text = (name: string) => sent.text(name) || null
  return checkValue(ContactUpdate, {
    email: text('email'),
    ...{ name: text('name'), lastName: text('lastName'), phone: text('phone') },
    // Without an organisation to choose there is no field.
    ...(sent.has('organisationId') ? { organisationId: text('organisationId') } : {}),
    groupIds: sent.texts('groupIds').map(Number),
  })
}

export async function saveContact(visit: Visit, sent: FormFields): Promise<Redirect> {
  const { say } = visit.wording
  const { tenantId } = visit.principal
  const id = visit.params.id as string
  const fields = await listCustomFields(visit.db, tenantId)
  const hasChanged = await visit.change(async (tx, caller) => {
    const before = await getContact(tx, tenantId, id)
    const input = contactInput(sent)
    if (sent.text('version') !== before.updatedAt) throw refuse(changedMeanwhile(visit, before))
    if (before.email !== null && input.email === null) throw refuse(say('contactEmailNeeded'), 'email')
    const customValues = fields
      .filter((field) => sent.has(`field-${field.id}`))
      .map((field) => ({ fieldId: field.id, value: customValueOf(visit, sent, field.id) }))
    const after = await updateContact(tx, caller, id, { ...input, customValues })
    return JSON.stringify(after) !== JSON.stringify(before)
  })
  return redirectTo(`/console/contacts/${id}`, say(hasChanged ? 'contactSaved' : 'contactUnchanged'))
}

/** Says that an email is taken beside its field. */
export async function orTaken<T>(visit: Visit, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'conflict') throw error
    throw new Refusal({ field: 'email', text: visit.wording.say('contactTaken') }, 409)
  }
}

function customValueOf({ wording }: Visit, sent: FormFields, fieldId: string): CustomValueInput {
  const name = `field-${fieldId}`
  const text = sent.text(name)
  const kind = sent.text(`kind-${fieldId}`) as ValueKind
  if (text === '') return null
  if (kind === 'number') {
    if (!Number.isFinite(Number(text))) throw refuse(wording.say('contactNumber'), name)
    return { numberValue: Number(text) }
  }
  if (kind !== 'date') return { stringValue: text }
  const dateValue = parseTime(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text)
  if (dateValue === null) throw refuse(wording.say('contactDate'), name)
  return { dateValue }
}

/** Told to the second of two people who edit one contact, with what the first stored. */
function changedMeanwhile({ wording }: Visit, { name, lastName, email, phone, groups, customValues }: Contact): string {
  const values = [
    email,
    name,
    lastName,
    phone,
    ...groups.map((group) => group.name),
    ...customValues.map(customValueText),
  ]
  return wording.say('contactChanged', { now: values.filter(Boolean).join(' · ') })
}
