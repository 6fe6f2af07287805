import type { Inbox } from '../../inboxes/model.ts'
import type { Markup } from '../../lib/html/markup.ts'
import type { ChatSettings, ChatSettingsChanges } from '../../livechat/settings.ts'
import { button, checkbox, field, form, select, textArea } from '../components/forms.ts'
import type { FormFields } from '../form-fields.ts'
import { seenInput } from '../seen.ts'
import type { Again, Visit } from '../visit.ts'
import { languageOptions } from './tenant.ts'

/** How a chat looks and when it answers; it is sent to `action`. */
export function chatForm(
  visit: Visit,
  action: string,
  settings: ChatSettings,
  inboxes: readonly Inbox[],
  again?: Again,
): Markup {
  const { say } = visit.wording
  const emailInboxes = inboxes.filter(({ channel }) => channel === 'email')
  return form(visit, { action }, [
    seenInput(settings),
    textArea(visit, {
      name: 'origins',
      label: say('chatOrigins'),
      help: say('chatOriginsHelp'),
      value: settings.origins?.join('\n') ?? '',
      rows: 3,
      again,
    }),
    field(visit, { name: 'hours', label: say('chatHours'), help: say('chatHoursHelp'), value: settings.hours, again }),
    textArea(visit, { name: 'awayText', label: say('chatAway'), value: settings.awayText, rows: 2, again }),
    checkbox(visit, { name: 'hidesWhenAway', label: say('chatHides'), checked: settings.hidesWhenAway, again }),
    field(visit, {
      name: 'accent',
      label: say('chatAccent'),
      help: say('chatAccentHelp'),
      value: settings.accent,
      again,
    }),
    select(visit, {
      name: 'language',
      label: say('chatLanguage'),
      options: [
        ['', say('chatLanguageTenant', { tenant: visit.session.tenantName })],
        ...languageOptions(visit, settings.language),
      ],
      value: settings.language,
      again,
    }),
    select(visit, {
      name: 'emailInboxId',
      label: say('chatEmailInbox'),
      help: say('chatEmailInboxHelp'),
      options: [
        ['', say('chatEmailInboxOldest')],
        ...emailInboxes.map(({ id, name, emailAddress }) => [id, `${name} (${emailAddress})`] as const),
      ],
      value: settings.emailInboxId,
      again,
    }),
    button(say('save')),
  ])
}

/** The settings as they were typed: what is empty is cleared. */
export function readChatForm(sent: FormFields): ChatSettingsChanges {
  const typed = (name: string) => sent.text(name) || null
  const origins = sent
    .text('origins')
    .split(/[\s,]+/)
    .filter(Boolean)
  return {
    origins: origins.length === 0 ? null : origins,
    hours: typed('hours'),
    emailInboxId: typed('emailInboxId'),
    awayText: typed('awayText'),
    hidesWhenAway: sent.has('hidesWhenAway'),
    accent: typed('accent'),
    language: typed('language'),
  }
}
