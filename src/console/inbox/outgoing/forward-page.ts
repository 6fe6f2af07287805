import { notFound } from '../../../errors.ts'
import { html, type Markup } from '../../../lib/html/markup.ts'
import { writeSize } from '../../../lib/language/amounts.ts'
import type { Message } from '../../../tickets/model.ts'
import { messageToForward } from '../../../tickets/outgoing/forwards.ts'
import { newestMessageOf } from '../../../tickets/thread/agents-thread.ts'
import { forwardSubject, replySubject } from '../../../tickets/thread/content.ts'
import { findForwardDraft } from '../../../tickets/writing/drafts.ts'
import { time } from '../../components/display.ts'
import { buttons, checkbox, fieldset, form } from '../../components/forms.ts'
import type { Again, PageContent, Visit } from '../../visit.ts'
import { answerTools } from '../answer/editor-tools.ts'
import { filesField, writingField } from '../answer/writing-fields.ts'
import { shownHtml } from '../message/stored-html.ts'
import { addressFields } from './address-fields.ts'
import { outgoingPage } from './outgoing-page.ts'

/** Where a message of a ticket is forwarded. */
export function forwardPath(ticketId: string, messageId: string): string {
  return `/console/tickets/${ticketId}/messages/${messageId}/forward`
}

/** The message that the path names. Throws `not_found`, and as `messageToForward`. */
export async function forwardedBy({ db, principal, params }: Visit) {
  const found = await messageToForward(db, principal.tenantId, params.messageId as string)
  if (found.message.ticketId !== params.id) throw notFound('message')
  return found
}

/** A mail that forwards a message: what its writer has kept of it, the message's files, each to be left out, and the message. */
export async function forwardPage(visit: Visit, again?: Again): Promise<PageContent> {
  const { db, principal, wording } = visit
  const { say } = wording
  const { tenantId, userId } = principal
  const { message, isFromOutside } = await forwardedBy(visit)
  const path = forwardPath(message.ticketId, message.id)
  const [draft, newest] = await Promise.all([
    findForwardDraft(db, tenantId, message, userId),
    newestMessageOf(db, tenantId, message.ticketId),
  ])
  const begun = draft ?? beginningOf(message, isFromOutside)
  const content = form(visit, { action: path, files: true }, [
    // Enter in a field presses the first button.
    html`<button name="after" value="keep" formnovalidate hidden></button>`,
    html`<div class="recipients">${addressFields(visit, begun, again)}</div>`,
    writingField(visit, {
      draft,
      draftPath: `${path}/draft`,
      mine: newest ?? '',
      label: say('yourWords'),
      help: say('answerEmail'),
      hint: say('answerHintAlone'),
      isOptional: true,
      again,
    }),
    carriedFiles(visit, message, draft?.leftOut ?? [], again),
    html`<div class="composer-foot">${answerTools(visit)}${filesField(visit, draft, again)}${buttons(
      html`<a class="quiet" href="${visit.href(`/console/tickets/${message.ticketId}`)}">${say('backToTicket')}</a>`,
      html`<button class="primary" data-send title="Ctrl+Enter">${say('sendForward')}</button>`,
    )}</div>`,
  ])
  const back = { path: `/console/tickets/${message.ticketId}`, text: say('backToTicket') }
  return outgoingPage(visit, say('forwardMessage'), html`${content}${quoted(visit, message)}`, back)
}

/** What comes from outside is mostly answered. */
function beginningOf({ subject, from }: Message, isFromOutside: boolean) {
  const to = isFromOutside && from !== null ? [from] : []
  return {
    recipients: { to, cc: [] },
    bcc: [],
    subject: (isFromOutside ? replySubject : forwardSubject)(subject ?? ''),
  }
}

/** The files of the message that is forwarded: what is ticked comes along. */
function carriedFiles(
  visit: Visit,
  { attachments }: Message,
  leftOut: readonly string[],
  again?: Again,
): Markup | false {
  if (attachments.length === 0) return false
  const { say, locale } = visit.wording
  const boxes = attachments.map(({ id, fileName, size }) =>
    checkbox(visit, {
      name: 'carried',
      value: id,
      label: `${fileName} (${writeSize(size, locale)})`,
      checked: !leftOut.includes(id),
      again,
    }),
  )
  return fieldset({ legend: say('filesOfForwarded'), name: 'carried', again }, [
    html`<input type="hidden" name="carries" value="yes">`,
    ...boxes,
  ])
}

/** What goes out below. */
function quoted(visit: Visit, message: Message): Markup {
  const { say } = visit.wording
  const { author, from, to, cc, createdAt, html: said } = message
  const writer = author.name && from && author.name !== from ? `${author.name} <${from}>` : (from ?? author.name ?? '')
  return html`<section class="quoted-below" aria-label="${say('forwardedMessage')}"><h2>${say('forwardedMessage')}</h2><p class="help"><bdi>${writer}</bdi> · ${time(visit, createdAt)}<br>${say('mailTo')}: <bdi>${to.join(', ')}</bdi>${
    cc.length > 0 && html` · ${say('mailCc')}: <bdi>${cc.join(', ')}</bdi>`
  }</p><div class="said" dir="auto">${shownHtml(visit, said, false).content}</div></section>`
}
