import type { Guard } from '../guard.ts'
import { backupPages } from './backups.ts'
import { addChat, chatPage, chatsPage, newChatPage, renewSecret, saveChat } from './chats.ts'
import { hoursPages } from './hours/hours.ts'
import { addInbox, inboxesPage } from './inboxes/inboxes.ts'
import { inboxKeeping } from './inboxes/keeping.ts'
import { mailboxPages } from './mailboxes/mailboxes.ts'
import { promisePages } from './promises/pages.ts'
import { reportMailPages } from './reports.ts'
import { retentionPages } from './retention.ts'
import { rulePages } from './rules/pages.ts'
import { tagPages } from './tags.ts'
import { teamPages } from './teams.ts'
import { saveTenant, tenantPage } from './tenant.ts'
import { addWorkspace, saveWorkspace, WORKSPACES, workspacesPage } from './workspaces.ts'

const role = 'admin'
const PATH = '/console/settings'

/** What holds for the whole tenant: for admins alone (decisions §14). */
export function settingsPages(add: Guard): void {
  add.page(PATH, { role }, (visit) => tenantPage(visit))
  add.action(PATH, { role, again: tenantPage }, saveTenant)

  add.page(`${PATH}/inboxes`, { role }, (visit) => inboxesPage(visit))
  add.action(`${PATH}/inboxes`, { role, again: inboxesPage }, addInbox)

  mailboxPages(add)
  inboxKeeping(add)
  hoursPages(add)
  promisePages(add)
  tagPages(add)
  teamPages(add)
  reportMailPages(add)
  rulePages(add)
  retentionPages(add)
  backupPages(add)

  add.page(WORKSPACES, { role }, (visit) => workspacesPage(visit))
  add.action(WORKSPACES, { role, again: workspacesPage }, addWorkspace)
  add.action(`${WORKSPACES}/:id`, { role, again: workspacesPage }, saveWorkspace)

  add.page(`${PATH}/chats`, { role }, chatsPage)
  add.page(`${PATH}/chats/new`, { role }, (visit) => newChatPage(visit))
  add.action(`${PATH}/chats`, { role, again: newChatPage }, addChat)
  add.page(`${PATH}/chats/:sourceId`, { role }, (visit) => chatPage(visit))
  add.action(`${PATH}/chats/:sourceId`, { role, again: chatPage }, saveChat)
  add.action(`${PATH}/chats/:sourceId/secret`, { role }, renewSecret)
}
