import { AppError } from '../../../errors.ts'
import { html, type Markup } from '../../../lib/html/markup.ts'
import { comparable } from '../../../lib/input/comparable-email.ts'
import { mergePair, ticketsToMerge, undoMerge } from '../../../tickets/merging/operations.ts'
import { referenceOf, type TicketRow, ticketIdOf } from '../../../tickets/read.ts'
import { card, definitions, linkButton, time } from '../../components/display.ts'
import { button, buttons, form } from '../../components/forms.ts'
import type { Guard } from '../../guard.ts'
import { refuse } from '../../refusal.ts'
import { type PageContent, redirectTo, type Visit } from '../../visit.ts'
import { ticketOf } from '../answer/answering.ts'
import { besideList } from '../beside-list.ts'
import { statusBadge } from '../labels.ts'
import { ticketPage } from './page.ts'

/** Making two tickets one, once both were shown (decisions §20), and taking that back. */
export function mergeActions(add: Guard): void {
  add.action('/console/tickets/:id/merge', { again: ticketPage }, async (visit, sent) => {
    const { id } = await ticketOf(visit)
    const named = await namedTicket(visit, sent.text('into'))
    const { ticket, into, isMerged } = await visit.change(async (tx, caller) => {
      const both = await ticketsToMerge(tx, caller, id, named)
      const isSeen = sent.text('seen') === both.into.id
      if (isSeen) await mergePair(tx, caller, both)
      return { ...both, isMerged: isSeen }
    })
    if (!isMerged) return mergePage(visit, ticket, into)
    const undo = { action: `/console/tickets/${ticket.id}/merge/undo`, fields: [] }
    return redirectTo(`/console/tickets/${into.id}`, visit.wording.say('ticketsMerged'), undo)
  })

  add.action('/console/tickets/:id/merge/undo', { again: ticketPage }, async (visit) => {
    const { id } = await ticketOf(visit)
    await visit.change((tx, caller) => undoMerge(tx, caller, id))
    return redirectTo(`/console/tickets/${id}`, visit.wording.say('ticketMergeUndone'))
  })
}

/** What is asked before two tickets that were ticked become one: the older one. Refuses another number of them. */
export async function askToMerge(visit: Visit, ids: readonly string[]): Promise<PageContent> {
  // Ids sort by when they were made.
  const [into, ticket, more] = [...ids].sort()
  if (into === undefined || ticket === undefined || more !== undefined) throw refuse(visit.wording.say('mergeTwoOnly'))
  const both = await visit.change((tx, caller) => ticketsToMerge(tx, caller, ticket, into))
  return mergePage(visit, both.ticket, both.into)
}

/** Both tickets, and whether they are one customer's, before anything is done. */
function mergePage(visit: Visit, ticket: TicketRow, into: TicketRow): Promise<PageContent> {
  const { say } = visit.wording
  const path = `/console/tickets/${ticket.id}`
  const [reference, other] = [referenceOf(ticket.sequentialNumber), referenceOf(into.sequentialNumber)]
  const title = say('ticketMergeTitle', { reference, other })
  return besideList(
    visit,
    { kind: 'asking', title, back: { path, text: reference } },
    html`<div class="asked"><p class="help">${say('ticketMergeHelp')}</p>
${
  !isSameCustomer(ticket, into) &&
  html`<div class="problem"><p><strong>${say('ticketMergeDiffers')}</strong></p><p>${say('ticketMergeDiffersWhy', { reference, other })}</p></div>`
}
<div class="merging">${shown(visit, ticket, 'ticketMergeThis')}${shown(visit, into, 'ticketMergeOther')}</div>
${form(visit, { action: `${path}/merge` }, [
  html`<input type="hidden" name="into" value="${into.id}"><input type="hidden" name="seen" value="${into.id}">`,
  buttons(button(say('mergeThem')), linkButton(visit, path, say('cancel'), 'secondary')),
])}</div>`,
  )
}

function shown(visit: Visit, ticket: TicketRow, heading: 'ticketMergeThis' | 'ticketMergeOther'): Markup {
  const { say } = visit.wording
  const { id, subject, requesterName, requesterEmail, messageCount, excerpt, lastMessageAt } = ticket
  const reference = referenceOf(ticket.sequentialNumber)
  const name = requesterName || requesterEmail || say('unknownRequester')
  const address = requesterEmail !== name && requesterEmail
  return card(say(heading, { reference }), [
    html`<p><a href="${visit.href(`/console/tickets/${id}`)}" dir="auto">${subject}</a> ${statusBadge(visit, ticket)}</p>`,
    definitions([
      [say('ticketRequester'), html`<strong>${name}</strong>${address && html`<br>${address}`}`],
      [say('ticketMergeMessages'), String(messageCount)],
      [
        say('ticketMergeNewest'),
        html`<span dir="auto">${excerpt}</span><br><span class="help">${time(visit, lastMessageAt)}</span>`,
      ],
    ]),
  ])
}

function isSameCustomer(one: TicketRow, other: TicketRow): boolean {
  if (one.contactId !== null && one.contactId === other.contactId) return true
  return (
    one.requesterEmail !== null &&
    other.requesterEmail !== null &&
    comparable(one.requesterEmail) === comparable(other.requesterEmail)
  )
}

/** The id of the ticket that somebody named, by its reference. Refuses one that is not there, beside its field. */
async function namedTicket({ db, principal, wording }: Visit, name: string): Promise<string> {
  try {
    return await ticketIdOf(db, principal.tenantId, name)
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') throw refuse(wording.say('ticketMergeUnknown'), 'into')
    throw error
  }
}
