import { type ConnectedMailbox, listMailboxes } from '../../../channels/email/mailboxes/operations.ts'
import type { Inbox } from '../../../inboxes/model.ts'
import { createInbox, listInboxes } from '../../../inboxes/operations.ts'
import { channels } from '../../../kinds/inboxes.ts'
import type { MailboxState } from '../../../kinds/mailboxes.ts'
import { html, type Insert, type Markup } from '../../../lib/html/markup.ts'
import { badge, card, time } from '../../components/display.ts'
import { button, field, form, select } from '../../components/forms.ts'
import { table } from '../../components/lists.ts'
import type { FormFields } from '../../form-fields.ts'
import { type Again, type PageContent, type Redirect, redirectTo, type Visit } from '../../visit.ts'
import { settingsHead } from '../head.ts'
import { sayProblem } from '../mailboxes/words.ts'

export const INBOXES = '/console/settings/inboxes'

export const pathOf = (inboxId: string) => `${INBOXES}/${inboxId}`

export const channelWords = {
  email: 'channel_email',
  livechat: 'channel_livechat',
  messaging: 'channel_messaging',
} as const satisfies Record<Inbox['channel'], string>

/** Where tickets come in, and whether mailboxes are connected. */
export async function inboxesPage(visit: Visit, again?: Again): Promise<PageContent> {
  const { db, principal } = visit
  const { say } = visit.wording
  const [inboxes, mailboxes] = await Promise.all([
    listInboxes(db, principal.tenantId),
    listMailboxes(db, principal.tenantId),
  ])
  return {
    title: say('settingsInboxes'),
    body: html`${settingsHead(visit, INBOXES, say('inboxesIntro'))}
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
    html`<a href="${visit.href(pathOf(inbox.id))}">${inbox.name}</a>${inbox.archivedAt !== null && html` ${badge(say('inboxArchived'), 'warn')}`}`,
    say(channelWords[inbox.channel]),
    inbox.emailAddress === null ? '–' : html`<span class="long">${inbox.emailAddress}</span>`,
    inbox.channel === 'email' && inbox.archivedAt === null ? connectionOf(visit, mailboxes.get(inbox.id)) : '–',
  ]),
  empty: say('inboxesNone'),
})}
${card(
  say('inboxNew'),
  form(visit, { action: INBOXES }, [
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
      required: 'depends',
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

/** How a mailbox is connected, in a word. */
export function stateBadge({ wording: { say } }: Visit, { state }: Pick<ConnectedMailbox, 'state'>): Markup {
  const [word, tone] = states[state]
  return badge(say(word), tone)
}

function connectionOf(visit: Visit, mailbox: ConnectedMailbox | undefined): Insert {
  if (!mailbox) return badge(visit.wording.say('inboxNotConnected'))
  const why = mailbox.problem && html`<div class="under">${sayProblem(visit, mailbox.problem)}</div>`
  return html`${stateBadge(visit, mailbox)} ${time(visit, mailbox.since)}${why}`
}

export async function addInbox(visit: Visit, sent: FormFields): Promise<Redirect> {
  const input = {
    name: sent.text('name'),
    channel: sent.text('channel'),
    emailAddress: sent.text('emailAddress') || null,
  }
  const { id, name } = await visit.change((tx, caller) => createInbox(tx, caller, input))
  return redirectTo(input.channel === 'email' ? pathOf(id) : INBOXES, visit.wording.say('inboxCreated', { name }))
}
