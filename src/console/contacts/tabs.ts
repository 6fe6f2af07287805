import type { Markup } from '../../lib/html/markup.ts'
import { tabs } from '../components/lists.ts'
import type { Visit } from '../visit.ts'

/** The lists that belong to contacts. */
export function contactTabs(visit: Visit): Markup {
  const { say } = visit.wording
  return tabs(visit, say('contactsTitle'), [
    { path: '/console/contacts', text: say('contactsTitle') },
    { path: '/console/organisations', text: say('organisationsTitle') },
    { path: '/console/contacts/groups', text: say('contactGroups') },
    { path: '/console/contacts/fields', text: say('fieldsTitle') },
    { path: '/console/contacts/imports', text: say('importsTitle') },
  ])
}
