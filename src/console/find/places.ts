import { isFor, type PageRoles, type Role } from '../navigation.ts'
import type { ConsoleWords } from '../words/index.ts'

/** Pages that one goes to by their name, by the words that name them. */
const places: readonly (readonly [path: string, word: keyof ConsoleWords & string])[] = [
  ['/console/inbox', 'navInbox'],
  ['/console/forms', 'navForms'],
  ['/console/forms/new', 'formNew'],
  ['/console/contacts', 'navContacts'],
  ['/console/organisations', 'organisationsTitle'],
  ['/console/articles', 'navArticles'],
  ['/console/canned-replies', 'cannedTitle'],
  ['/console/quarantine', 'quarantineTitle'],
  ['/console/account', 'navAccount'],
  ['/console/keys', 'navKeys'],
  ['/console/webhooks', 'navWebhooks'],
  ['/console/audit', 'navAudit'],
  ['/console/users', 'navUsers'],
  ['/console/settings', 'navSettings'],
  ['/console/settings/inboxes', 'settingsInboxes'],
  ['/console/settings/chats', 'settingsChats'],
  ['/console/settings/hours', 'settingsHours'],
  ['/console/settings/promises', 'settingsPromises'],
  ['/console/settings/tags', 'settingsTags'],
  ['/console/settings/teams', 'settingsTeams'],
  ['/console/settings/rules', 'settingsRules'],
  ['/console/settings/workspaces', 'settingsWorkspaces'],
  ['/console/settings/retention', 'settingsRetention'],
  ['/console/settings/backups', 'settingsBackups'],
]

/** Those that somebody of this role may open. */
export function placesFor(pages: PageRoles, role: Role) {
  return places.filter(([path]) => isFor(pages.get(path), role))
}
