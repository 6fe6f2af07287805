import type { Translation } from '../../../words/sentences.ts'
import type { en } from '../en/index.ts'
import { account } from './account.ts'
import { afterTicket } from './after-ticket.ts'
import { alerts } from './alerts.ts'
import { articles } from './articles.ts'
import { attention } from './attention.ts'
import { auditWords } from './audit.ts'
import { automation } from './automation.ts'
import { backups } from './backups.ts'
import { builder } from './builder.ts'
import { cannedReplies } from './canned-replies.ts'
import { chat } from './chat.ts'
import { contacts } from './contacts.ts'
import { desk } from './desk.ts'
import { docsKey } from './docs-key.ts'
import { formLanguages } from './form-languages.ts'
import { forms } from './forms.ts'
import { hours } from './hours.ts'
import { imports } from './imports.ts'
import { inbox } from './inbox.ts'
import { inboxList } from './inbox-list.ts'
import { keys } from './keys.ts'
import { logic } from './logic.ts'
import { mailbox } from './mailbox.ts'
import { organisations } from './organisations.ts'
import { outgoing } from './outgoing.ts'
import { palette } from './palette.ts'
import { people } from './people.ts'
import { persons } from './persons.ts'
import { provider } from './provider.ts'
import { replies } from './replies.ts'
import { reports } from './reports.ts'
import { resultFigures } from './result-figures.ts'
import { results } from './results.ts'
import { retention } from './retention.ts'
import { addressesRules } from './rules/addresses.ts'
import { automationRules } from './rules/automation.ts'
import { backupsRules } from './rules/backups.ts'
import { calendarsRules } from './rules/calendars.ts'
import { conditionsRules } from './rules/conditions.ts'
import { contactsRules } from './rules/contacts.ts'
import { formsRules } from './rules/forms.ts'
import { mailRules } from './rules/mail.ts'
import { peopleRules } from './rules/people.ts'
import { promisesRules } from './rules/promises.ts'
import { ticketsRules } from './rules/tickets.ts'
import { valuesRules } from './rules/values.ts'
import { satisfaction } from './satisfaction.ts'
import { security } from './security.ts'
import { settings } from './settings.ts'
import { shell } from './shell.ts'
import { shortcuts } from './shortcuts.ts'
import { signIn } from './sign-in.ts'
import { signature } from './signature.ts'
import { tagsAndTeams } from './tags-and-teams.ts'
import { templates } from './templates.ts'
import { ticketFiling } from './ticket-filing.ts'
import { webhooks } from './webhooks.ts'
import { workspaces } from './workspaces.ts'

export const de: Translation<typeof en> = {
  ...shell,
  ...signIn,
  ...provider,
  ...account,
  ...alerts,
  ...signature,
  ...people,
  ...keys,
  ...docsKey,
  ...webhooks,
  ...settings,
  ...mailbox,
  ...workspaces,
  ...retention,
  ...backups,
  ...tagsAndTeams,
  ...automation,
  ...hours,
  ...auditWords,
  ...security,
  ...formLanguages,
  ...forms,
  ...builder,
  ...logic,
  ...results,
  ...resultFigures,
  ...inbox,
  ...inboxList,
  ...attention,
  ...desk,
  ...afterTicket,
  ...palette,
  ...templates,
  ...ticketFiling,
  ...satisfaction,
  ...reports,
  ...chat,
  ...outgoing,
  ...cannedReplies,
  ...shortcuts,
  ...replies,
  ...contacts,
  ...organisations,
  ...imports,
  ...persons,
  ...articles,
  ...valuesRules,
  ...addressesRules,
  ...peopleRules,
  ...contactsRules,
  ...formsRules,
  ...ticketsRules,
  ...mailRules,
  ...conditionsRules,
  ...automationRules,
  ...backupsRules,
  ...calendarsRules,
  ...promisesRules,
}
