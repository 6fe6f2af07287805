import { html, type Markup } from '../../../lib/html/markup.ts'
import { backLink, linkButton, pageHead } from '../../components/display.ts'
import { button, form, textArea } from '../../components/forms.ts'
import type { Again, PageContent, Visit } from '../../visit.ts'
import { composer } from '../answer/composer.ts'
import { channelBadge, priorityBadge, statusBadge } from '../labels.ts'
import { isUnsent, messageOf } from '../message/message.ts'
import { shortcutScripts, shortcutSheet } from '../shortcuts.ts'
import { sidePanel } from './side-panel.ts'
import { readTicket, type TicketRead } from './ticket.ts'

/** A ticket with its thread, an answer to write below, and what can be done with it beside. Throws `not_found`. */
export async function ticketPage(visit: Visit, again?: Again): Promise<PageContent> {
  const read = await readTicket(visit)
  const { ticket, mergedInto } = read
  const showsImages = visit.query.has('images')
  return {
    title: `${ticket.ticketReference} ${ticket.subject}`,
    body: html`${backLink(visit, '/console/inbox', visit.wording.say('inboxTitle'))}
${head(visit, read)}
<div class="ticket"><div class="conversation">
${mergedInto ? merged(visit, read) : thread(visit, read, showsImages)}
${read.isLatest && !mergedInto && [composer(visit, read, again), noteForm(visit, read, again), news(visit, read)]}
</div>${sidePanel(visit, read, again)}</div>${shortcutSheet(visit, 'ticket')}`,
    scripts: ['ticket', ...shortcutScripts(visit)],
    ...(showsImages ? { policy: { 'img-src': "'self' data: https:" } } : {}),
  }
}

function head(visit: Visit, { ticket, mergedInto, assigneeId }: TicketRead): Markup {
  const { say } = visit.wording
  const path = `/console/tickets/${ticket.id}`
  const to = (status: string, label: string, kind: 'primary' | 'secondary' = 'secondary') =>
    button(label, { kind, name: 'status', value: status })
  const isDone = ticket.status === 'closed' || ticket.status === 'spam'
  const actions =
    mergedInto === null &&
    html`${
      assigneeId !== visit.principal.userId &&
      form(visit, { action: `${path}/assignee`, inline: true }, [
        html`<input type="hidden" name="assigneeId" value="${visit.principal.userId}">`,
        button(say('takeIt'), { kind: 'secondary' }),
      ])
    }${form(visit, { action: `${path}/status`, inline: true }, [
      html`<span class="buttons">${
        isDone
          ? to('open', ticket.status === 'spam' ? say('notSpam') : say('reopenTicket'))
          : [
              to('spam', say('markSpam')),
              ticket.status === 'open' ? to('pending', say('waitForCustomer')) : to('open', say('reopenTicket')),
              to('closed', say('closeTicket')),
            ]
      }</span>`,
    ])}`
  return pageHead(ticket.subject, actions, [
    html`<span class="facts"><span class="ref">${ticket.ticketReference}</span>${mergedInto === null && statusBadge(visit, ticket)}${priorityBadge(visit, ticket)}${channelBadge(visit, ticket)}</span>`,
  ])
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

function thread(visit: Visit, { ticket, thread, mails, isLatest }: TicketRead, showsImages: boolean): Markup {
  const { say } = visit.wording
  const path = `/console/tickets/${ticket.id}`
  const images = showsImages ? '&images=1' : ''
  const canSplit = ticket.channel === 'email' && ticket.messageCount > 1
  const view = { ...visit, showsImages, canSplit, mails }
  const shown = thread.messages.map((message) => messageOf(view, message))
  const count = shown.reduce((sum, { blockedImages }) => sum + blockedImages, 0)
  const unsent = thread.messages.filter(isUnsent)
  const first = thread.messages[0]
  const before = visit.query.get('before')
  const withImages = `${path}?images=1${before === null ? '' : `&before=${encodeURIComponent(before)}`}`
  return html`<section aria-label="${say('ticketThread')}" class="thread">
${
  unsent.length > 0 &&
  html`<div class="problem"><p>${say('unsent', { count: unsent.length })} <a href="#m-${unsent.at(-1)?.id}">${say('showUnsent')}</a></p></div>`
}
${
  count > 0 &&
  html`<div class="blocked-images"><p>${say('imagesBlocked', { count })}</p><a class="secondary" href="${visit.href(withImages)}">${say('showImages')}</a></div>`
}
${(thread.hasEarlier || !isLatest) && html`<nav class="pager" aria-label="${say('pages')}">${thread.hasEarlier && first && html`<a class="secondary" href="${visit.href(`${path}?before=${first.id}${images}`)}">${say('earlierMessages')}</a>`}${!isLatest && html`<a class="secondary" href="${visit.href(path)}">${say('latestMessages')}</a>`}</nav>`}
${shown.map(({ markup }) => markup)}
</section>`
}

function noteForm(visit: Visit, { ticket }: TicketRead, again?: Again): Markup {
  const { say } = visit.wording
  const own = again?.form.has('note') ? again : undefined
  return html`<details class="card note-form"${own && html` open`}><summary>${say('noteTitle')}</summary>${form(
    visit,
    { action: `/console/tickets/${ticket.id}/notes` },
    [
      textArea(visit, { name: 'note', label: say('yourNote'), help: say('noteHelp'), required: true, again: own }),
      button(say('addNote'), { kind: 'secondary' }),
    ],
  )}</details>`
}

/** Where a script says that there is more to read by now. */
function news(visit: Visit, { ticket, newest }: TicketRead): Markup {
  const { say } = visit.wording
  const path = `/console/tickets/${ticket.id}`
  return html`<p class="news" role="status" hidden data-events="${visit.href(`${path}/events?after=${newest ?? ''}`)}"><span></span> <a class="secondary" href="${visit.href(path)}">${say('showNew')}</a></p>`
}
