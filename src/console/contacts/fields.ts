import { createCustomField, renameCustomField } from '../../contacts/fields/custom-fields.ts'
import { listCustomFields } from '../../contacts/rows.ts'
import { AppError, notFound } from '../../errors.ts'
import { html } from '../../lib/html/markup.ts'
import { backLink, linkButton, pageHead } from '../components/display.ts'
import { button, buttons, field, form, select } from '../components/forms.ts'
import { table } from '../components/lists.ts'
import type { FormFields } from '../form-fields.ts'
import type { Guard } from '../guard.ts'
import { Refusal, refuse } from '../refusal.ts'
import { type Again, type PageContent, type Redirect, redirectTo, type Visit } from '../visit.ts'
import { type ValueKind, valueKinds } from './shown.ts'
import { contactTabs } from './tabs.ts'

const LIST = '/console/contacts/fields'

/** The fields that a tenant's contacts have besides those of all. */
export function fieldPages(add: Guard): void {
  add.page(LIST, {}, fieldsPage)
  add.page(`${LIST}/new`, {}, (visit) => formPage(visit, null))
  add.action(`${LIST}/new`, { again: (visit, again) => formPage(visit, null, again) }, create)
  add.page(`${LIST}/:field`, {}, (visit) => editPage(visit))
  add.action(`${LIST}/:field`, { again: editPage }, save)
}

async function fieldsPage(visit: Visit): Promise<PageContent> {
  const { say } = visit.wording
  const fields = await listCustomFields(visit.db, visit.principal.tenantId)
  return {
    title: say('fieldsTitle'),
    body: html`${pageHead(say('fieldsTitle'), linkButton(visit, `${LIST}/new`, say('fieldNew')), say('fieldsIntro'))}
${contactTabs(visit)}
${table({
  caption: say('fieldsTitle'),
  hidesCaption: true,
  columns: [
    { label: say('contactName') },
    { label: say('fieldType') },
    { label: say('contactId') },
    { label: say('actions'), kind: 'actions' },
  ],
  rows: fields.map(({ id, name, type }) => [
    name,
    say(type === null ? 'fieldAnyType' : valueKinds[type]),
    html`<code>${id}</code>`,
    html`<a href="${visit.href(`${LIST}/${id}`)}" aria-label="${`${say('fieldRename')}: ${name}`}">${say('fieldRename')}</a>`,
  ]),
  empty: say('fieldsNone'),
  first: linkButton(visit, `${LIST}/new`, say('fieldNew'), 'secondary'),
})}`,
  }
}

async function fieldOf({ db, principal, params }: Visit) {
  const fields = await listCustomFields(db, principal.tenantId)
  const found = fields.find(({ id }) => id === params.field)
  if (!found) throw notFound('custom field')
  return found
}

async function editPage(visit: Visit, again?: Again): Promise<PageContent> {
  return formPage(visit, await fieldOf(visit), again)
}

function formPage(visit: Visit, known: { id: string; name: string } | null, again?: Again): PageContent {
  const { say } = visit.wording
  const title = say(known ? 'fieldRename' : 'fieldNew')
  return {
    title,
    width: 'narrow',
    body: html`${backLink(visit, LIST, say('fieldsTitle'))}
${pageHead(title)}
${form(visit, { action: known ? `${LIST}/${known.id}` : `${LIST}/new` }, [
  known && html`<input type="hidden" name="version" value="${known.name}">`,
  field(visit, {
    name: 'name',
    label: say('contactName'),
    value: known?.name,
    required: true,
    maxLength: 255,
    help: say('fieldNameHelp'),
    again,
  }),
  !known &&
    select(visit, {
      name: 'type',
      label: say('fieldType'),
      options: [
        ...Object.entries(valueKinds).map(([kind, word]) => [kind, say(word)] as const),
        ['', say('fieldAnyType')] as const,
      ],
      value: 'text',
      help: say('fieldTypeHelp'),
      again,
    }),
  buttons(button(say(known ? 'save' : 'fieldCreate')), linkButton(visit, LIST, say('cancel'), 'secondary')),
])}`,
  }
}

async function create(visit: Visit, sent: FormFields): Promise<Redirect> {
  const type = (Object.keys(valueKinds) as ValueKind[]).find((kind) => kind === sent.text('type')) ?? null
  const input = { name: sent.text('name'), type }
  const { name } = await orTaken(visit, () => visit.change((tx, caller) => createCustomField(tx, caller, input)))
  return redirectTo(LIST, visit.wording.say('fieldCreated', { name }))
}

async function save(visit: Visit, sent: FormFields): Promise<Redirect> {
  const { say } = visit.wording
  const { id, name: before } = await fieldOf(visit)
  if (sent.text('version') !== before) throw refuse(say('changedMeanwhile', { now: before }))
  const input = { name: sent.text('name') }
  const { name } = await orTaken(visit, () => visit.change((tx, caller) => renameCustomField(tx, caller, id, input)))
  return redirectTo(LIST, say('fieldSaved', { name }))
}

async function orTaken<T>(visit: Visit, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'conflict') throw error
    throw new Refusal({ field: 'name', text: visit.wording.say('fieldTaken') }, 409)
  }
}
