import type { KeptMail } from '../../../channels/email/kept-mails.ts'
import { html, type Markup } from '../../../lib/html/markup.ts'
import type { ChatMarks } from '../../../livechat/seen.ts'
import { UNDO_WINDOW } from '../../../tickets/replies/send-later.ts'
import type { AgentsMessage } from '../../../tickets/thread/agents-thread.ts'
import { avatar, badge, time } from '../../components/display.ts'
import { button, form } from '../../components/forms.ts'
import { icons } from '../../icons.ts'
import type { View, Visit } from '../../visit.ts'
import type { ConsoleWording } from '../../words/index.ts'
import { ago } from '../labels.ts'
import { secondsOf } from '../moments.ts'
import { actionsOf, forwardLine } from './actions.ts'
import { filesOf } from './files.ts'
import { originLine } from './origin.ts'
import { rawMailLine } from './raw-mail.ts'
import { shownHtml } from './stored-html.ts'

/** A time of day says enough for so long, in milliseconds. */
const HALF_A_DAY = 12 * 60 * 60 * 1000

/** What a page says of one message, and how many of its images it keeps back. */
export interface ShownMessage {
  readonly markup: Markup
  readonly blockedImages: number
}

/** How messages of this page are shown. */
export interface ThreadView extends Pick<Visit, keyof View | 'at' | 'principal'> {
  readonly showsImages: boolean
  /** The mails that messages came as. */
  readonly mails: ReadonlyMap<string, KeptMail>
  /** Whether a customer's mail can be split off. */
  readonly canSplit: boolean
  /** Whether messages can be forwarded: mails alone. */
  readonly canForward: boolean
  /** The message whose button is the one that keys and links mean by "Undo": of several the newest. */
  readonly undoId: string | null
  /** Of a chat. */
  readonly marks: ChatMarks | null
}

/** Of a time as the API writes it, what is the same within a minute. */
const MINUTE = '2026-03-01T14:30'.length

/** One message of a ticket, with what can be done with it; it may go on with what the same person said just `before`. */
export function messageOf(view: ThreadView, message: AgentsMessage, before?: AgentsMessage): ShownMessage {
  const { content, blockedImages } = shownHtml(view, message.html, view.showsImages)
  const kind = message.state === 'note' ? 'note' : isInternal(message) ? 'internal' : message.direction
  const heading = `m-${message.id}`
  const author = authorOf(view.wording, message)
  const isContinued =
    before !== undefined &&
    message.state === 'public' &&
    before.state === 'public' &&
    before.direction === message.direction &&
    authorOf(view.wording, before) === author &&
    before.createdAt.slice(0, MINUTE) === message.createdAt.slice(0, MINUTE)
  const markup = html`<article class="message ${kind}${isUnsent(message) && ' unsent'}${isContinued && ' continued'}"${message.state === 'sending' && html` data-sending`} aria-labelledby="${heading}">
${avatar(author)}
<header><h2 id="${heading}">${author}</h2>${addressesOf(view, message)}<span class="facts">${kindOf(view, message)}${ago(view, message.createdAt)}${actionsOf(view, message)}</span></header>
${forwardLine(view, message)}
${originLine(view, message)}<div class="said">${content}</div>
${filesOf(view, message)}
${readLine(view, message)}
${rawMailLine(view, message.id, view.mails.get(message.id))}
${problemOf(view, message)}
${waitingOf(view, message)}
</article>`
  return { markup, blockedImages }
}

/** What agents alone see that is no note: what was forwarded, and what came of it. */
const isInternal = ({ state, forwarded }: AgentsMessage) => state === 'outside' || forwarded !== null

/** Under the answer that the visitor of a chat has read last. */
function readLine(view: ThreadView, { id }: AgentsMessage): Markup | false {
  const { readId = null, readAt = null } = view.marks ?? {}
  if (readId !== id || readAt === null) return false
  return html`<p class="read">${view.wording.say('visitorRead')} ${time(view, readAt, view.at - Date.parse(readAt) < HALF_A_DAY ? 'clock' : 'moment')}</p>`
}

function authorOf({ say }: ConsoleWording, { author, from, source }: AgentsMessage): string {
  if (author.name) return author.name
  if (source === 'livechat' && from === null) return say('visitor')
  if (author.type === 'api') return say('authorApi')
  if (author.type === 'system') return say('authorSystem')
  return from ?? say('authorUnknown')
}

/** Who speaks, and of a reply how far it has come. */
function kindOf({ wording: { say } }: View, { state, direction, error, source }: AgentsMessage): Markup {
  if (state === 'note') return badge(say('internalNote'), 'warn')
  if (state === 'outside') return badge(say('fromOutside'), 'warn')
  if (direction === 'inbound') return html`<span class="sr">${say('fromCustomer')}</span>`
  if (state === 'pending') return error === null ? badge(say('answerIsPending')) : badge(say('answerIsPutOff'), 'warn')
  if (state === 'sending') return badge(say('answerIsSending'))
  if (state === 'failed') return badge(say('answerIsNotSent'), 'bad')
  if (state === 'forwarded' && error === null) return badge(say('messageForwarded'))
  if (source === 'email' && error === null) return badge(say('answerIsAutomatic'))
  if (error !== null) return badge(say('answerCameBack'), 'bad')
  return html`<span class="sent" title="${say('answerIsSent')}">${icons.check}<span class="sr">${say('answerIsSent')}</span></span>`
}

/** Who the mail was from and to, for those who ask. */
function addressesOf({ wording: { say } }: View, { state, from, to, cc, bcc, author }: AgentsMessage): Markup | false {
  const isMail = state !== 'note' && (to.length > 0 || cc.length > 0)
  if (!isMail) return false
  const parts = [
    from !== null && from !== author.name && from,
    to.length > 0 && `${say('mailTo')}: ${to.join(', ')}`,
    cc.length > 0 && `${say('copyTo')}: ${cc.join(', ')}`,
    bcc.length > 0 && `${say('mailBcc')}: ${bcc.join(', ')}`,
  ].filter(Boolean)
  return html`<details class="addresses"><summary>${say('addressesOfMail')}</summary><p>${parts.join(' · ')}</p></details>`
}

/** Whether a reply has not got to where it should, as far as we know. */
export function isUnsent({ state, error, direction }: AgentsMessage): boolean {
  return (
    state === 'failed' || ((state === 'public' || state === 'forwarded') && direction === 'outbound' && error !== null)
  )
}

/** Whether a reply of this person's waits to go out, and can be taken back until then. */
export function canTakeBack(message: AgentsMessage, userId: string): boolean {
  return message.state === 'pending' && !isPutOff(message) && message.author.id === userId
}

/** Whether the mail server has refused a reply for now. */
function isPutOff({ error, nextAttemptAt }: AgentsMessage): boolean {
  return error !== null && nextAttemptAt !== null
}

/** How long a reply can still be taken back, and what does that, for who wrote it. */
function waitingOf(view: ThreadView, message: AgentsMessage): Markup | false {
  const { state, author, id, ticketId, createdAt, error, nextAttemptAt } = message
  if (state !== 'pending') return false
  if (error !== null && nextAttemptAt !== null) return putOff(view, message, { why: error, at: nextAttemptAt })
  const { say, locale } = view.wording
  const left = Math.max(0, Math.ceil((Date.parse(createdAt) + UNDO_WINDOW - view.at) / 1000))
  const isOwn = author.id === view.principal.userId
  return html`<div class="waiting" data-waiting="${left}"${isOwn && html` data-sent="${say('answerSent')}"`}><p data-text="${say('answerGoesOut', { time: '%' })}">${say('answerGoesOut', { time: secondsOf(locale, left) })}</p>${
    isOwn &&
    form(
      view,
      { action: `/console/tickets/${ticketId}/messages/${id}/undo`, inline: true },
      html`<button class="secondary"${id === view.undoId && html` id="undo"`}>${say('takeBack')}</button>`,
    )
  }</div>`
}

/** What the mail server said, when it is tried again, and how its writer takes it back. */
function putOff(
  view: ThreadView,
  { id, ticketId, author }: AgentsMessage,
  { why, at }: { why: string; at: string },
): Markup {
  const { say } = view.wording
  return html`<div class="waiting"><p>${say('whyPutOff', { why })} ${say('triedAgainAt')} ${time(view, at)}</p>${
    author.id === view.principal.userId &&
    form(
      view,
      { action: `/console/tickets/${ticketId}/messages/${id}/undo`, inline: true },
      button(say('takeBack'), { kind: 'secondary' }),
    )
  }</div>`
}

function problemOf(view: View, message: AgentsMessage): Markup | false {
  if (!isUnsent(message)) return false
  const { say } = view.wording
  const why = message.error ?? ''
  const path = `/console/tickets/${message.ticketId}/messages/${message.id}`
  const again = form(
    view,
    { action: `${path}/resend`, inline: true },
    button(say('sendAnswerAgain'), { kind: 'secondary' }),
  )
  const dismiss = form(
    view,
    { action: `${path}/dismiss`, inline: true },
    button(say('dismissUnsent'), { kind: 'quiet' }),
  )
  return html`<div class="${message.isSettled ? 'waiting' : 'problem'}"><p>${message.state === 'failed' ? say('whyFailed', { why }) : say('whyBounced', { why })}</p><div class="buttons">${again}${!message.isSettled && dismiss}</div></div>`
}
