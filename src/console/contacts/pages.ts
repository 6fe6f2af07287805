import { createContact, deleteContact, subscribeContact, unsubscribeContact } from '../../contacts/operations.ts'
import { html } from '../../lib/html/markup.ts'
import { streamOf } from '../../lib/stream.ts'
import { exportContact, noteExport } from '../../privacy/export.ts'
import { backLink, linkButton, pageHead } from '../components/display.ts'
import { button, buttons, form } from '../components/forms.ts'
import type { FormFields } from '../form-fields.ts'
import type { Guard } from '../guard.ts'
import { type Again, type PageContent, type Redirect, redirectTo, type Visit } from '../visit.ts'
import { contactPage } from './detail.ts'
import { contactInput, detailFields, editPage, groupFields, orTaken, saveContact } from './edit.ts'
import { erasePage, eraseThem } from './erase.ts'
import { contactsPage, exportContacts } from './list.ts'
import { mergePage, mergeThem } from './merge.ts'

const ONE = '/console/contacts/:id'

/** The people of a tenant (decisions §7, §14). */
export function contactPages(add: Guard): void {
  add.page('/console/contacts', { isList: true }, contactsPage)
  add.resource('/console/contacts/export.csv', { isList: true }, exportContacts)
  add.page('/console/contacts/new', {}, (visit) => newPage(visit))
  add.action('/console/contacts/new', { again: newPage }, create)
  add.page(ONE, {}, (visit) => contactPage(visit, (path) => add.has(path)))
  add.page(`${ONE}/edit`, {}, (visit) => editPage(visit))
  add.action(`${ONE}/edit`, { again: editPage }, (visit, sent) => orTaken(visit, () => saveContact(visit, sent)))
  add.resource(`${ONE}/export`, {}, download)

  add.page(`${ONE}/merge`, {}, (visit) => mergePage(visit))
  add.action(`${ONE}/merge`, { again: mergePage }, mergeThem)
  // Tickets are an admin's to delete.
  add.page(`${ONE}/erase`, { role: 'admin' }, (visit) => erasePage(visit))
  add.action(`${ONE}/erase`, { role: 'admin', again: erasePage }, eraseThem)

  add.action(`${ONE}/subscribe`, {}, async (visit) => {
    const contact = await visit.change((tx, caller) => subscribeContact(tx, caller, visit.params.id as string))
    return redirectTo(`/console/contacts/${contact.id}`, visit.wording.say('contactWasSubscribed'))
  })
  add.action(`${ONE}/unsubscribe`, {}, async (visit) => {
    const contact = await visit.change((tx, caller) => unsubscribeContact(tx, caller, visit.params.id as string))
    return redirectTo(`/console/contacts/${contact.id}`, visit.wording.say('contactWasUnsubscribed'))
  })
  add.action(`${ONE}/delete`, {}, async (visit) => {
    await visit.change((tx, caller) => deleteContact(tx, caller, visit.params.id as string))
    return redirectTo('/console/contacts', visit.wording.say('contactDeleted'))
  })
}

async function newPage(visit: Visit, again?: Again): Promise<PageContent> {
  const { say } = visit.wording
  return {
    title: say('contactNew'),
    width: 'narrow',
    body: html`${backLink(visit, '/console/contacts', say('contactsTitle'))}
${pageHead(say('contactNew'))}
${form(visit, { action: '/console/contacts/new' }, [
  await detailFields(visit, null, again),
  await groupFields(visit, null, again),
  buttons(button(say('contactCreate')), linkButton(visit, '/console/contacts', say('cancel'), 'secondary')),
])}`,
  }
}

async function create(visit: Visit, sent: FormFields): Promise<Redirect> {
  const input = { ...contactInput(sent), email: sent.text('email') }
  const contact = await orTaken(visit, () => visit.change((tx, caller) => createContact(tx, caller, input, 'manual')))
  return redirectTo(`/console/contacts/${contact.id}`, visit.wording.say('contactCreated'))
}

/** Everything of one person, as a file. */
async function download(visit: Visit): Promise<Response> {
  const { db, principal, params } = visit
  const id = params.id as string
  await visit.change((tx, caller) => noteExport(tx, caller, id))
  return new Response(streamOf(exportContact(db, principal.tenantId, id)), {
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'content-disposition': `attachment; filename="contact-${id}.json"`,
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    },
  })
}
