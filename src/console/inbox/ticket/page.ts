import { html, type Markup } from '../../../lib/html/markup.ts'
import { linkButton } from '../../components/display.ts'
import { button, form } from '../../components/forms.ts'
import type { Again, PageContent, Visit } from '../../visit.ts'
import { composer } from '../answer/composer.ts'
import { readViews, viewList } from '../list/views.ts'
import { canTakeBack, isUnsent, messageOf, type ShownMessage } from '../message/message.ts'
import { pictureViewer } from '../message/picture.ts'
import { shortcutSheet } from '../shortcuts.ts'
import { customerChoice } from './customer.ts'
import { ticketHead } from './head.ts'
import { responseInThread } from './satisfaction.ts'
import { sidePanel } from './side-panel.ts'
import { readTicket, type TicketRead } from './ticket.ts'

/** A ticket with its thread, an answer to write below, and who it is from beside. Throws `not_found`. */
export async function ticketPage(visit: Visit, again?: Again): Promise<PageContent> {
  const [read, views] = await Promise.all([readTicket(visit), readViews(visit)])
  const { ticket, mergedInto } = read
  const choice = mergedInto === null && ticket.channel === 'email' && (await customerChoice(visit, ticket.id, again))
  const showsImages = visit.query.has('images')
  return {
    title: `${ticket.ticketReference} ${ticket.subject}`,
    body: html`<div class="panes" data-desk="ticket" data-lost="${visit.wording.say('deskLost')}"><div class="ticket-pane" data-pane="ticket" data-ticket="${ticket.id}" data-channel="${ticket.channel}">
${ticketHead(visit, read, again)}
<div class="ticket"><div class="conversation">
<div class="thread-place">${choice}${mergedInto ? merged(visit, read) : thread(visit, read, showsImages)}</div>
${read.isLatest && !mergedInto && html`<div class="foot">${news(visit, read)}${composer(visit, read, again)}</div>`}
</div>${sidePanel(visit, read)}</div>${pictureViewer(visit)}</div></div>${shortcutSheet(visit)}`,
    isDesk: true,
    within: viewList(visit, views, null),
    scripts: ['desk'],
    ...(showsImages ? { policy: { 'img-src': "'self' data: https:" } } : {}),
  }
}

function merged(visit: Visit, { ticket, mergedInto }: TicketRead): Markup | false {
  if (!mergedInto) return false
  const { say } = visit.wording
  const reference = mergedInto.ticketReference
  return html`<div class="card"><p>${say('mergedInto', { reference })}</p><div class="buttons">${linkButton(visit, `/console/tickets/${mergedInto.id}`, say('openOther', { reference }))}${form(
    visit,
    { action: `/console/tickets/${ticket.id}/merge/undo`, inline: true },
    button(say('undoTicketMerge'), { kind: 'secondary' }),
  )}</div></div>`
}

function thread(visit: Visit, read: TicketRead, showsImages: boolean): Markup {
  const { ticket, thread, mails, isLatest, marks } = read
  const { say } = visit.wording
  const path = `/console/tickets/${ticket.id}`
  const images = showsImages ? '&images=1' : ''
  const canSplit = ticket.channel === 'email' && ticket.messageCount > 1
  // What was read last may have been taken back.
  const seen = thread.messages.findLast(
    ({ id, state, direction }) => state === 'public' && direction === 'outbound' && id <= (marks?.readId ?? ''),
  )
  const canForward = ticket.channel === 'email'
  const view = {
    ...visit,
    showsImages,
    canSplit,
    canForward,
    mails,
    undoId: thread.messages.findLast((message) => canTakeBack(message, visit.principal.userId))?.id ?? null,
    marks: marks && { ...marks, readId: seen?.id ?? null },
  }
  const shown = thread.messages.map((message, index) => messageOf(view, message, thread.messages[index - 1]))
  const count = shown.reduce((sum, { blockedImages }) => sum + blockedImages, 0)
  const unsent = thread.messages.filter((message) => isUnsent(message) && !message.isSettled)
  const first = thread.messages[0]
  const before = visit.query.get('before')
  const withImages = `${path}?images=1${before === null ? '' : `&before=${encodeURIComponent(before)}`}`
  return html`<section aria-label="${say('ticketThread')}" class="thread${ticket.channel === 'livechat' && ' chat'}">
${
  unsent.length > 0 &&
  html`<div class="problem"><p>${say('unsent', { count: unsent.length })} <a href="#m-${unsent.at(-1)?.id}">${say('showUnsent')}</a></p></div>`
}
${
  count > 0 &&
  html`<div class="blocked-images"><p>${say('imagesBlocked', { count })}</p><a class="secondary" href="${visit.href(withImages)}">${say('showImages')}</a></div>`
}
${(thread.hasEarlier || !isLatest) && html`<nav class="pager" aria-label="${say('pages')}">${thread.hasEarlier && first && html`<a class="secondary" href="${visit.href(`${path}?before=${first.id}${images}`)}">${say('earlierMessages')}</a>`}${!isLatest && html`<a class="secondary" href="${visit.href(path)}">${say('latestMessages')}</a>`}</nav>`}
${inOrder(visit, read, shown)}
</section>`
}

/** The messages, with the customer's answers to forms between them where they came in. */
function inOrder(visit: Visit, read: TicketRead, shown: readonly ShownMessage[]): Markup[] {
  const { thread, isLatest, responses } = read
  const { messages } = thread
  const from = thread.hasEarlier ? (messages[0]?.createdAt ?? '') : ''
  const until = isLatest ? null : (messages.at(-1)?.createdAt ?? '')
  const between = responses.filter(({ at }) => at >= from && (until === null || at < until))
  const after = (index: number) => {
    const [since, before] = [messages[index]?.createdAt ?? '', messages[index + 1]?.createdAt]
    const isHere = (at: string) => (index < 0 || at >= since) && (before === undefined || at < before)
    return between.filter(({ at }) => isHere(at)).map((response) => responseInThread(visit, read, response))
  }
  return [...after(-1), ...shown.flatMap(({ markup }, index) => [markup, ...after(index)])]
}

/** Where a script says that there is more to read by now. */
function news(visit: Visit, { ticket, newest }: TicketRead): Markup {
  const { say } = visit.wording
  const path = `/console/tickets/${ticket.id}`
  return html`<p class="news" role="status" hidden data-events="${visit.href(`${path}/events?list&after=${newest ?? ''}`)}"><span></span> <a class="secondary" href="${visit.href(path)}">${say('showNew')}</a></p>`
}
