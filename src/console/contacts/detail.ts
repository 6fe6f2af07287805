import { findMergedInto } from '../../contacts/merged.ts'
import type { Contact } from '../../contacts/model.ts'
import { getContact } from '../../contacts/read.ts'
import { html, type Insert, type Markup } from '../../lib/html/markup.ts'
import { organisationNamesOf } from '../../organisations/operations.ts'
import { backLink, badge, card, definitions, linkButton, pageHead, time } from '../components/display.ts'
import { button, confirmed, form } from '../components/forms.ts'
import type { PageContent, Visit } from '../visit.ts'
import { kept } from './kept.ts'
import { customValueOf, emailOf, nameOf, pathOf } from './shown.ts'
import { type HasPage, timeline } from './timeline.ts'

const sources = {
  api: 'contactFromApi',
  form: 'contactFromForm',
  email: 'contactFromEmail',
  livechat: 'contactFromChat',
  messaging: 'contactFromMessaging',
  import: 'contactFromImport',
  manual: 'contactFromHand',
} as const satisfies Record<Contact['source'], string>

/** One contact: who they are, what they agreed to, and what happened with them. */
export async function contactPage(visit: Visit, hasPage: HasPage): Promise<PageContent> {
  const { principal } = visit
  const { say } = visit.wording
  const contact = await findContact(visit)
  if (typeof contact === 'string') return mergedPage(visit, contact)
  const name = nameOf(visit, contact)
  const path = pathOf(contact)
  return {
    title: name,
    body: html`${backLink(visit, '/console/contacts', say('contactsTitle'))}
${pageHead(name, linkButton(visit, `${path}/edit`, say('edit')), contact.unsubscribed && badge(say('contactUnsubscribed'), 'warn'))}
<div class="split">
<div class="side">
${card(say('contactDetails'), await details(visit, contact))}
${card(say('contactConsent'), consent(visit, contact))}
${card(say('personKept'), await kept(visit, contact))}
<div class="contact-actions">${linkButton(visit, `${path}/export`, say('contactExport'), 'secondary')}
${linkButton(visit, `${path}/merge`, say('mergeLink'), 'secondary')}
${principal.role === 'admin' && linkButton(visit, `${path}/erase`, say('eraseLink'), 'secondary')}
${confirmed(visit, { label: say('contactDelete'), question: say('contactDeleteQuestion', { name }), action: `${path}/delete` })}</div>
</div>
${card(say('contactTimeline'), await timeline(visit, contact.id, hasPage))}
</div>`,
  }
}

/** The contact, or the id of the one that it was merged into. Throws `not_found`. */
async function findContact({ db, principal, params }: Visit): Promise<Contact | string> {
  const id = params.id as string
  const into = await findMergedInto(db, principal.tenantId, id)
  return into ?? getContact(db, principal.tenantId, id)
}

/** There is no such contact any more, as the API says it too; but somebody may have kept the address. */
async function mergedPage(visit: Visit, into: string): Promise<PageContent> {
  const { say } = visit.wording
  const contact = await getContact(visit.db, visit.principal.tenantId, into)
  const way = linkButton(visit, pathOf(contact), say('contactMergedInto', { name: nameOf(visit, contact) }))
  return { title: say('contactMergedAway'), status: 404, body: html`${pageHead(say('contactMergedAway'))}${way}` }
}

async function details(visit: Visit, contact: Contact): Promise<Markup> {
  const { say } = visit.wording
  const { email, name, lastName, phone, organisationId, customValues, source, createdAt, updatedAt } = contact
  const ids = organisationId === null ? [] : [organisationId]
  const organisations = await organisationNamesOf(visit.db, visit.principal.tenantId, ids)
  return definitions([
    [say('contactEmail'), email && html`<a href="mailto:${email}">${emailOf(email)}</a>`],
    [say('contactFirstName'), name],
    [say('contactLastName'), lastName],
    [say('contactPhone'), phone],
    [say('contactOrganisation'), organisationId && organisations.get(organisationId)],
    ...customValues.map((value) => [value.fieldName, customValueOf(visit, value)] as const),
    [say('contactSource'), say(sources[source])],
    [say('contactAdded'), time(visit, createdAt)],
    [say('contactChangedAt'), time(visit, updatedAt)],
  ])
}

function consent(visit: Visit, contact: Contact): Insert {
  const { say } = visit.wording
  const { unsubscribed, unsubscribedAt, groups } = contact
  const path = pathOf(contact)
  const since =
    unsubscribedAt === null
      ? ''
      : new Intl.DateTimeFormat(visit.wording.locale, { dateStyle: 'medium', timeZone: 'UTC' }).format(
          new Date(unsubscribedAt),
        )
  return html`<p>${unsubscribed ? say('contactGetsNoEmails', { date: since }) : say('contactGetsEmails')}</p>
${
  unsubscribed
    ? form(visit, { action: `${path}/subscribe`, inline: true }, button(say('contactSubscribe'), { kind: 'secondary' }))
    : form(
        visit,
        { action: `${path}/unsubscribe`, inline: true },
        button(say('contactUnsubscribe'), { kind: 'secondary' }),
      )
}
<h3>${say('contactGroups')}</h3>
${
  groups.length === 0
    ? html`<p class="help">${say('contactNoGroups')}</p>`
    : html`<ul class="groups">${groups.map(
        (group) =>
          html`<li><strong>${group.name}</strong>${group.consentWording && html`<p class="help">${group.consentWording}</p>`}</li>`,
      )}</ul>`
}`
}
