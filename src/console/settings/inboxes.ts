import type { MailboxState } from '../../channels/email/mailboxes/model.ts'
import { type Connection, listConnections } from '../../channels/email/mailboxes/operations.ts'
import { channels, type Inbox } from '../../inboxes/model.ts'
import { createInbox, listInboxes } from '../../inboxes/operations.ts'
import { html, type Insert } from '../../lib/markup.ts'
import { badge, card, time } from '../components/display.ts'
import { button, field, form, select } from '../components/forms.ts'
import { table } from '../components/lists.ts'
import type { FormFields } from '../form-fields.ts'
import { type Again, type PageContent, type Redirect, redirectTo, type Visit } from '../visit.ts'
import { settingsHead } from './head.ts'

const PATH = '/console/settings/inboxes'

const channelWords = {
  email: 'channel_email',
  livechat: 'channel_livechat',
  messaging: 'channel_messaging',
} as const satisfies Record<Inbox['channel'], string>

/** Where tickets come in, and whether mailboxes are connected. */
export async function inboxesPage(visit: Visit, again?: Again): Promise<PageContent> {
  const { db, principal } = visit
  const { say } = visit.wording
  const [inboxes, connections] = await Promise.all([
    listInboxes(db, principal.tenantId),
    listConnections(db, principal.tenantId),
  ])
  return {
    title: say('settingsInboxes'),
    body: html`${settingsHead(visit, PATH, say('inboxesIntro'))}
${table({
  caption: say('settingsInboxes'),
  hidesCaption: true,
  columns: [
    { label: say('inboxName') },
    { label: say('inboxChannel') },
    { label: say('inboxAddress') },
    { label: say('inboxConnection') },
  ],
  rows: inboxes.map((inbox) => [
    inbox.name,
    say(channelWords[inbox.channel]),
    inbox.emailAddress ?? '–',
    inbox.channel === 'email' ? connectionOf(visit, connections.get(inbox.id)) : '–',
  ]),
  empty: say('inboxesNone'),
})}
${card(
  say('inboxNew'),
  form(visit, { action: PATH }, [
    field(visit, { name: 'name', label: say('inboxName'), required: true, maxLength: 255, again }),
    select(visit, {
      name: 'channel',
      label: say('inboxChannel'),
      options: channels.map((channel) => [channel, say(channelWords[channel])] as const),
      value: 'email',
      again,
    }),
    field(visit, {
      name: 'emailAddress',
      label: say('inboxAddress'),
      help: say('inboxAddressHelp'),
      type: 'email',
      maxLength: 320,
      autocomplete: 'off',
      again,
    }),
    button(say('inboxCreate')),
  ]),
)}`,
  }
}

const states = {
  connecting: ['inboxConnecting', 'warn'],
  connected: ['inboxConnected', 'good'],
  failing: ['inboxConnectionFailing', 'bad'],
} as const satisfies Record<MailboxState, readonly [string, string]>

function connectionOf(visit: Visit, connection: Connection | undefined): Insert {
  const { say } = visit.wording
  if (!connection) return badge(say('inboxNotConnected'))
  const [word, tone] = states[connection.state]
  return html`${badge(say(word), tone)} ${time(visit, connection.since)}${connection.error && html`<div class="under">${connection.error}</div>`}`
}

export async function addInbox(visit: Visit, sent: FormFields): Promise<Redirect> {
  const input = {
    name: sent.text('name'),
    channel: sent.text('channel'),
    emailAddress: sent.text('emailAddress') || null,
  }
  const { name } = await visit.change((tx, caller) => createInbox(tx, caller, input))
  return redirectTo(PATH, visit.wording.say('inboxCreated', { name }))
}
