import { customValueText } from '../../contacts/fields/custom-values.ts'
import { type ContactMerge, mergeContacts, mergedFields, moveBeforeMerge } from '../../contacts/merging.ts'
import type { Contact } from '../../contacts/model.ts'
import { getContact } from '../../contacts/read.ts'
import { searchContacts } from '../../contacts/search.ts'
import { html, type Markup } from '../../lib/html/markup.ts'
import { isUuid } from '../../lib/ids.ts'
import { organisationNamesOf } from '../../organisations/operations.ts'
import { backLink, card, definitions, linkButton, pageHead, time } from '../components/display.ts'
import { button, buttons, field, form, select } from '../components/forms.ts'
import { filters, table, withQuery } from '../components/lists.ts'
import type { FormFields } from '../form-fields.ts'
import { refuse } from '../refusal.ts'
import { type Again, type PageContent, type Redirect, redirectTo, type Visit } from '../visit.ts'
import { emailOf, nameOf, pathOf } from './shown.ts'

/** People that a search for the other contact shows. */
const FOUND = 20

/** Two contacts that are one person: whom it is, and what stays of each. */
export async function mergePage(visit: Visit, again?: Again): Promise<PageContent> {
  const { db, principal, params, query } = visit
  const { say } = visit.wording
  const kept = await getContact(db, principal.tenantId, params.id as string)
  const otherId = (again?.form.text('with') ?? query.get('with') ?? '').toLowerCase()
  const other = isUuid(otherId) && otherId !== kept.id ? await getContact(db, principal.tenantId, otherId) : null
  return {
    title: say('mergeTitle'),
    ...(other && { width: 'narrow' as const }),
    body: html`${backLink(visit, pathOf(kept), nameOf(visit, kept))}
${pageHead(say('mergeTitle'), null, say(other ? 'mergeIntro' : 'mergeFindIntro', { name: nameOf(visit, kept) }))}
${other ? await comparison(visit, kept, other, again) : await search(visit, kept)}`,
  }
}

async function search(visit: Visit, kept: Contact): Promise<Markup> {
  const { db, principal, query, url } = visit
  const { say } = visit.wording
  const text = (query.get('q') ?? '').slice(0, 320).toWellFormed().trim()
  const page = { cursor: undefined, limit: FOUND }
  const { items } = text === '' ? { items: [] } : await searchContacts(db, principal.tenantId, page, { text })
  const others = items.filter(({ id }) => id !== kept.id)
  return html`${filters(visit, say('mergeFind'), field(visit, { name: 'q', type: 'search', label: say('contactSearch'), value: text, placeholder: say('contactSearchHelp'), maxLength: 320 }))}
${
  text !== '' &&
  table({
    caption: say('mergeFind'),
    hidesCaption: true,
    columns: [
      ...['contactName', 'contactEmail', 'contactAdded'].map((word) => ({ label: say(word as 'contactName') })),
      { label: say('actions'), kind: 'actions' as const },
    ],
    rows: others.map((other) => [
      html`<a href="${visit.href(pathOf(other))}">${nameOf(visit, other)}</a>`,
      other.email && emailOf(other.email),
      time(visit, other.createdAt, 'date'),
      html`<a href="${visit.href(withQuery(url, { with: other.id, q: null }))}" aria-label="${`${say('mergeChoose')}: ${nameOf(visit, other)}`}">${say('mergeChoose')}</a>`,
    ]),
    empty: say('contactsNotFound'),
  })
}`
}

const words = {
  email: 'contactEmail',
  name: 'contactFirstName',
  lastName: 'contactLastName',
  phone: 'contactPhone',
  organisationId: 'contactOrganisation',
} as const

/** Of what both have a value, one is chosen; what only one has stays. */
async function comparison(visit: Visit, kept: Contact, other: Contact, again?: Again): Promise<Markup> {
  const { say } = visit.wording
  const values = await valuesOf(visit, kept, other)
  const differing = values.filter((value) => value.kept !== value.other)
  const chosen = differing.filter((value) => value.kept !== '' && value.other !== '')
  const groups = new Set([...kept.groups, ...other.groups].map((group) => group.name))
  return html`${form(visit, { action: `${pathOf(kept)}/merge` }, [
    html`<input type="hidden" name="with" value="${other.id}"><input type="hidden" name="version" value="${versionOf(kept, other)}">`,
    differing
      .filter((value) => value.kept === '')
      .map((value) => html`<input type="hidden" name="${value.name}" value="other">`),
    chosen.map((value) =>
      select(visit, {
        name: value.name,
        label: value.label,
        options: [
          ['kept', value.kept],
          ['other', value.other],
        ],
        value: 'kept',
        again,
      }),
    ),
    card(
      say('mergeStays'),
      definitions([
        ...values
          .filter((value) => !chosen.includes(value))
          .map((value) => [value.label, value.kept || value.other] as const),
        [say('contactGroups'), [...groups].join(', ')],
        [say('contactEmails'), say(isUnsubscribed(kept, other) ? 'contactUnsubscribed' : 'contactSubscribed')],
      ]),
    ),
    html`<p class="help">${say('mergeGoesAlong', { name: nameOf(visit, other) })}</p>`,
    chosen.some(({ name }) => name === 'email') && html`<p class="help">${say('mergeEmailHelp')}</p>`,
    buttons(
      button(say('mergeDo'), { kind: 'danger' }),
      linkButton(visit, `${pathOf(kept)}/merge`, say('mergeAnother'), 'secondary'),
    ),
  ])}`
}

const isUnsubscribed = (kept: Contact, other: Contact) => kept.unsubscribed || other.unsubscribed

const versionOf = (kept: Contact, other: Contact) => `${kept.updatedAt} ${other.updatedAt}`

interface Value {
  readonly name: string
  readonly label: string
  readonly kept: string
  readonly other: string
}

/** What either contact has, as it is shown. */
async function valuesOf({ db, principal, wording }: Visit, kept: Contact, other: Contact): Promise<Value[]> {
  const ids = [kept, other].flatMap(({ organisationId }) => organisationId ?? [])
  const organisations = await organisationNamesOf(db, principal.tenantId, ids)
  const shown = (contact: Contact, name: keyof typeof words) =>
    (name === 'organisationId' ? organisations.get(contact.organisationId ?? '') : contact[name]) ?? ''
  const fields = new Map([...kept.customValues, ...other.customValues].map((value) => [value.fieldId, value.fieldName]))
  const custom = ({ customValues }: Contact, id: string) => {
    const value = customValues.find(({ fieldId }) => fieldId === id)
    return value ? customValueText(value) : ''
  }
  return [
    ...mergedFields.map((name) => ({
      name,
      label: wording.say(words[name]),
      kept: shown(kept, name),
      other: shown(other, name),
    })),
    ...[...fields].map(([id, label]) => ({ name: id, label, kept: custom(kept, id), other: custom(other, id) })),
  ]
}

export async function mergeThem(visit: Visit, sent: FormFields): Promise<Redirect> {
  const { db, principal, params } = visit
  const { say } = visit.wording
  const id = params.id as string
  const kept = await getContact(db, principal.tenantId, id)
  const otherId = sent.text('with').toLowerCase()
  if (!isUuid(otherId)) throw refuse(say('mergeFind'))
  const other = await getContact(db, principal.tenantId, otherId)
  if (sent.text('version') !== versionOf(kept, other)) throw refuse(say('mergeChanged'))
  const fromOther = new Set(
    (await valuesOf(visit, kept, other)).map(({ name }) => name).filter((name) => sent.text(name) === 'other'),
  )
  const merge: ContactMerge = { id, otherId, fromOther }
  // Some hundreds at a time: others are served in between.
  while (await visit.change((tx, caller) => moveBeforeMerge(tx, caller, merge))) {}
  await visit.change((tx, caller) => mergeContacts(tx, caller, merge))
  return redirectTo(pathOf(kept), say('mergeDone', { name: nameOf(visit, other) }))
}
