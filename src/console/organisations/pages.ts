import type { Guard } from '../guard.ts'
import { organisationPage } from './detail.ts'
import { createOne, deleteOne, editOrganisationPage, newOrganisationPage, saveOne } from './edit.ts'
import { organisationsPage } from './list.ts'

const ONE = '/console/organisations/:id'

/** The companies that contacts belong to: agents work with them as with contacts (decisions §14). */
export function organisationPages(add: Guard): void {
  add.page('/console/organisations', {}, organisationsPage)
  add.page('/console/organisations/new', {}, (visit) => newOrganisationPage(visit))
  add.action('/console/organisations/new', { again: newOrganisationPage }, createOne)
  add.page(ONE, {}, organisationPage)
  add.page(`${ONE}/edit`, {}, (visit) => editOrganisationPage(visit))
  add.action(`${ONE}/edit`, { again: editOrganisationPage }, saveOne)
  add.action(`${ONE}/delete`, {}, deleteOne)
}
