import { download } from '../../files/download.ts'
import { getAgentsAttachment } from '../../tickets/attachments/operations.ts'
import { deleteTicket } from '../../tickets/deletion/deletion.ts'
import { hasRead, noteRead } from '../../tickets/thread/read-marks.ts'
import type { Guard } from '../guard.ts'
import { redirectTo } from '../visit.ts'
import { answeringActions, ticketOf } from './answer/answering.ts'
import { cannedActions } from './answer/canned.ts'
import { bulkActions, viewActions } from './list/actions.ts'
import { inboxPage } from './list/page.ts'
import { alertEvents } from './live/alerts.ts'
import { inboxEvents, ticketEvents } from './live/events.ts'
import { typingCall } from './live/present.ts'
import { picturePage } from './message/picture.ts'
import { rawMailResource } from './message/raw-mail.ts'
import { forwardActions } from './outgoing/forward-actions.ts'
import { newConversationActions } from './outgoing/new-actions.ts'
import { quarantinePages } from './quarantine-page.ts'
import { satisfactionActions } from './ticket/asking.ts'
import { customerActions } from './ticket/changing-customer.ts'
import { handlingActions } from './ticket/handling.ts'
import { mergeActions } from './ticket/merging.ts'
import { ticketPage } from './ticket/page.ts'
import { undoActions } from './undoing.ts'

/** The inbox: its list, its tickets, and what agents do with them. */
export function inboxPages(add: Guard): void {
  add.page('/console/inbox', {}, (visit) => inboxPage(visit))
  add.page('/console/tickets/:id', {}, (visit) => ticketPage(visit))

  add.resource('/console/attachments/:attachmentId', {}, async ({ db, deps, principal, params }) => {
    const { tenantId } = principal
    const attachment = await getAgentsAttachment(db, principal, params.attachmentId as string)
    return download(deps.files, { kind: 'attachments', tenantId, id: attachment.id }, attachment, 'attachment')
  })

  add.page('/console/pictures/:attachmentId', {}, picturePage)
  rawMailResource(add)
  add.resource('/console/inbox/events', {}, inboxEvents)
  add.resource('/console/alerts/events', {}, alertEvents)
  add.resource('/console/tickets/:id/events', {}, ticketEvents)
  add.call('/console/tickets/:id/typing', {}, typingCall)

  // Pages change nothing: a script says that somebody looks at one.
  add.call('/console/tickets/:id/read', {}, async (visit) => {
    const { db, deps, principal } = visit
    const ticket = await ticketOf(visit)
    if (!(await hasRead(db, principal, ticket)))
      await deps.database.transaction((tx) => noteRead(tx, principal, ticket, visit.at))
    return {}
  })

  viewActions(add)
  bulkActions(add)
  answeringActions(add)
  newConversationActions(add)
  forwardActions(add)
  cannedActions(add)
  handlingActions(add)
  customerActions(add)
  mergeActions(add)
  satisfactionActions(add)
  undoActions(add)
  quarantinePages(add)

  add.action('/console/tickets/:id/delete', { role: 'admin', again: ticketPage }, async (visit) => {
    const { id, ticketReference: reference } = await ticketOf(visit)
    const files = await visit.change((tx, caller) => deleteTicket(tx, caller, id))
    // It is gone, whatever becomes of them: what is left is swept.
    await Promise.allSettled(files.map((file) => visit.deps.files.remove(file)))
    return redirectTo('/console/inbox', visit.wording.say('ticketDeleted', { reference }))
  })
}
