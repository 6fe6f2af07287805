import { deleteOrganisation } from '../../contacts/deletion/organisation.ts'
import { html } from '../../lib/html/markup.ts'
import { updateOrganisation } from '../../organisations/changes.ts'
import type { Organisation } from '../../organisations/model.ts'
import { createOrganisation, getOrganisation } from '../../organisations/operations.ts'
import { backLink, linkButton, pageHead } from '../components/display.ts'
import { button, buttons, field, form } from '../components/forms.ts'
import type { FormFields } from '../form-fields.ts'
import { refuse } from '../refusal.ts'
import { type Again, type PageContent, type Redirect, redirectTo, type Visit } from '../visit.ts'

export function newOrganisationPage(visit: Visit, again?: Again): PageContent {
  return formPage(visit, null, again)
}

export async function editOrganisationPage(visit: Visit, again?: Again): Promise<PageContent> {
  const { db, principal, params } = visit
  return formPage(visit, await getOrganisation(db, principal.tenantId, params.id as string), again)
}

function formPage(visit: Visit, organisation: Organisation | null, again?: Again): PageContent {
  const { say } = visit.wording
  const title = say(organisation ? 'organisationEdit' : 'organisationNew')
  const list = '/console/organisations'
  const back = organisation ? `${list}/${organisation.id}` : list
  return {
    title,
    width: 'narrow',
    body: html`${backLink(visit, back, organisation?.name ?? say('organisationsTitle'))}
${pageHead(title)}
${form(visit, { action: organisation ? `${back}/edit` : `${list}/new` }, [
  organisation && html`<input type="hidden" name="version" value="${organisation.updatedAt}">`,
  field(visit, {
    name: 'name',
    label: say('contactName'),
    value: organisation?.name,
    required: true,
    maxLength: 255,
    again,
  }),
  field(visit, {
    name: 'domain',
    label: say('organisationDomain'),
    value: organisation?.domain,
    maxLength: 255,
    placeholder: 'acme.test',
    help: say('organisationDomainHelp'),
    again,
  }),
  buttons(
    button(say(organisation ? 'save' : 'organisationCreate')),
    linkButton(visit, back, say('cancel'), 'secondary'),
  ),
])}`,
  }
}

const inputOf = (sent: FormFields) => ({ name: sent.text('name'), domain: sent.text('domain') || null })

export async function createOne(visit: Visit, sent: FormFields): Promise<Redirect> {
  const { id } = await visit.change((tx, caller) => createOrganisation(tx, caller, inputOf(sent)))
  return redirectTo(`/console/organisations/${id}`, visit.wording.say('organisationCreated'))
}

export async function saveOne(visit: Visit, sent: FormFields): Promise<Redirect> {
  const { say } = visit.wording
  const id = visit.params.id as string
  const hasChanged = await visit.change(async (tx, caller) => {
    const before = await getOrganisation(tx, caller.tenantId, id)
    if (sent.text('version') !== before.updatedAt) {
      const now = [before.name, before.domain].filter(Boolean).join(' · ')
      throw refuse(say('changedMeanwhile', { now }))
    }
    return (await updateOrganisation(tx, caller, id, inputOf(sent))).updatedAt !== before.updatedAt
  })
  return redirectTo(`/console/organisations/${id}`, say(hasChanged ? 'organisationSaved' : 'contactUnchanged'))
}

export async function deleteOne(visit: Visit): Promise<Redirect> {
  const id = visit.params.id as string
  // A few hundred contacts at a time: others are served in between.
  while (await visit.change((tx, caller) => deleteOrganisation(tx, caller, id))) {}
  return redirectTo('/console/organisations', visit.wording.say('organisationDeleted'))
}
