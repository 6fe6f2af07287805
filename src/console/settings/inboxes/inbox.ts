import { providerEndpoints } from '../../../channels/email/mailboxes/oauth.ts'
import { type ConnectedMailbox, getMailbox } from '../../../channels/email/mailboxes/operations.ts'
import type { Deps } from '../../../deps.ts'
import type { Inbox } from '../../../inboxes/model.ts'
import { getInbox } from '../../../inboxes/operations.ts'
import { type MailProvider, mailProviders } from '../../../kinds/mailboxes.ts'
import { html, type Markup } from '../../../lib/html/markup.ts'
import { backLink, badge, card, definitions, pageHead, time } from '../../components/display.ts'
import { button, buttons, confirmed, form } from '../../components/forms.ts'
import type { Again, PageContent, Visit } from '../../visit.ts'
import { consentForm, passwordForm } from '../mailboxes/forms.ts'
import { providerWords, sayProblem } from '../mailboxes/words.ts'
import { answersForm } from './answers.ts'
import { inboxEnd, inboxForm } from './forms.ts'
import { channelWords, INBOXES, pathOf, stateBadge } from './inboxes.ts'

/** The inbox that a path names. Throws `not_found`, for another tenant's too. */
export function inboxOf({ db, principal, params }: Pick<Visit, 'db' | 'principal' | 'params'>): Promise<Inbox> {
  return getInbox(db, principal.tenantId, params.inboxId as string)
}

/** One inbox: what it is called, and the mailbox that it is connected to, or how to connect it. */
export async function inboxPage(visit: Visit, again?: Again): Promise<PageContent> {
  const { say } = visit.wording
  const inbox = await inboxOf(visit)
  // Each form comes again as it was typed only where it was the one that was sent.
  const isGeneral = again?.form.has('name')
  const isAnswers = again?.form.has('acknowledgement')
  const isArchived = inbox.archivedAt !== null
  const ofMail = inbox.channel === 'email' && !isArchived
  return {
    title: inbox.name,
    width: 'narrow',
    policy: { 'form-action': ["'self'", ...consentOrigins(visit.deps)].join(' ') },
    body: html`${backLink(visit, INBOXES, say('settingsInboxes'))}
${pageHead(inbox.name, isArchived && badge(say('inboxArchived'), 'warn'))}
${definitions([
  [say('inboxChannel'), say(channelWords[inbox.channel])],
  [say('inboxAddress'), inbox.emailAddress],
])}
${inboxForm(visit, inbox, isGeneral ? again : undefined)}
${ofMail && (await answersForm(visit, inbox, isAnswers ? again : undefined))}
${ofMail && (await mailboxParts(visit, inbox, isGeneral || isAnswers ? undefined : again))}
${inbox.channel !== 'email' && html`<p>${say('mailboxOnlyEmail')}</p>`}
${inboxEnd(visit, inbox)}`,
  }
}

/** Where a form of the page may lead: browsers look at where its answer leads on, too. */
function consentOrigins({ config, providerEndpoints: endpoints = providerEndpoints }: Deps): string[] {
  const registered = mailProviders.filter((provider) => config.oauth[provider] !== null)
  return [...new Set(registered.map((provider) => new URL(endpoints[provider].consent.url).origin))]
}

async function mailboxParts(visit: Visit, inbox: Inbox, again?: Again): Promise<Markup> {
  const { say } = visit.wording
  const mailbox = await getMailbox(visit.db, visit.principal.tenantId, inbox.id)
  const path = pathOf(inbox.id)
  // Both forms have some of the same fields: only the one that was sent comes again.
  const isConsent = again?.form.has('account')
  const forms = html`${consentForm(visit, inbox, `${path}/consent`, isConsent ? again : undefined)}
${passwordForm(visit, inbox, `${path}/connect`, isConsent ? undefined : again)}`
  if (!mailbox) return html`${card(say('mailboxTitle'), html`<p>${say('mailboxNone')}</p>`)}${forms}`
  const isTyped = again?.form.has('user') || isConsent
  return html`${card(say('mailboxTitle'), stateOf(visit, mailbox, path))}
<details class="further"${isTyped && html` open`}><summary>${say('mailboxReplace')}</summary>${forms}</details>`
}

function stateOf(visit: Visit, mailbox: ConnectedMailbox, path: string): Markup {
  const { say } = visit.wording
  const { imap, smtp, provider, problem, detail } = mailbox
  const place = ({ host, port, security }: typeof imap) =>
    `${host}:${port} (${say(security === 'tls' ? 'mailboxTls' : 'mailboxStartTls')})`
  const why =
    problem && html`<p>${sayProblem(visit, problem)}${detail && html` ${say('mailboxSaid', { said: detail })}`}</p>`
  return html`<p>${stateBadge(visit, mailbox)} ${time(visit, mailbox.since)}</p>
${why}
${definitions([
  [say('mailboxUser'), say('mailboxUserBy', { user: imap.user ?? '–', way: wayOf(visit, provider) })],
  [say('mailboxImap'), place(imap)],
  [say('mailboxSmtp'), place(smtp)],
])}
${buttons(
  form(visit, { action: `${path}/test`, inline: true }, button(say('mailboxTest'), { kind: 'secondary' })),
  confirmed(visit, {
    label: say('mailboxDisconnect'),
    question: say('mailboxDisconnectAsk'),
    action: `${path}/disconnect`,
  }),
)}`
}

function wayOf({ wording: { say } }: Visit, provider: MailProvider | null): string {
  return provider === null ? say('mailboxByPassword') : say(providerWords[provider])
}
