import { invalid, rule } from '../../errors.ts'
import { download } from '../../files/download.ts'
import { ticketStatuses } from '../../kinds/tickets.ts'
import { formatTime } from '../../lib/time.ts'
import { assignTicket, setPriority } from '../../tickets/assignment.ts'
import { getAgentsAttachment } from '../../tickets/attachments/operations.ts'
import { deleteTicket } from '../../tickets/deletion.ts'
import { getTicket } from '../../tickets/read.ts'
import { setStatus } from '../../tickets/status.ts'
import { setTags } from '../../tickets/tagging.ts'
import { hasRead, noteRead } from '../../tickets/thread/read-marks.ts'
import type { Guard } from '../guard.ts'
import { refuse } from '../refusal.ts'
import { redirectTo, type Visit } from '../visit.ts'
import { answeringActions, ticketOf } from './answer/answering.ts'
import { cannedActions } from './answer/canned.ts'
import { bulkActions, viewActions } from './list/actions.ts'
import { inboxPage } from './list/page.ts'
import { inboxEvents, ticketEvents } from './live/events.ts'
import { rawMailResource } from './message/raw-mail.ts'
import { quarantinePages } from './quarantine-page.ts'
import { mergeActions } from './ticket/merging.ts'
import { ticketPage } from './ticket/page.ts'
import { snoozeEnd, zoneOf } from './ticket/snooze.ts'

/** The inbox: its list, its tickets, and what agents do with them. */
export function inboxPages(add: Guard): void {
  add.page('/console/inbox', {}, (visit) => inboxPage(visit))
  add.page('/console/tickets/:id', {}, (visit) => ticketPage(visit))

  add.resource('/console/attachments/:attachmentId', {}, async ({ db, deps, principal, params }) => {
    const { tenantId } = principal
    const attachment = await getAgentsAttachment(db, principal, params.attachmentId as string)
    return download(deps.files, { kind: 'attachments', tenantId, id: attachment.id }, attachment, 'attachment')
  })

  rawMailResource(add)
  add.resource('/console/inbox/events', {}, inboxEvents)
  add.resource('/console/tickets/:id/events', {}, ticketEvents)

  // Pages change nothing: a script says that somebody looks at one.
  add.call('/console/tickets/:id/read', {}, async (visit) => {
    const { db, deps, principal } = visit
    const ticket = await ticketOf(visit)
    if (!(await hasRead(db, principal, ticket)))
      await deps.database.transaction((tx) => noteRead(tx, principal, ticket))
    return {}
  })

  viewActions(add)
  bulkActions(add)
  answeringActions(add)
  cannedActions(add)
  handlingActions(add)
  mergeActions(add)
  quarantinePages(add)

  add.action('/console/tickets/:id/delete', { role: 'admin', again: ticketPage }, async (visit) => {
    const { id, ticketReference: reference } = await ticketOf(visit)
    const files = await visit.change((tx, caller) => deleteTicket(tx, caller, id))
    // It is gone, whatever becomes of them: what is left is swept.
    await Promise.allSettled(files.map((file) => visit.deps.files.remove(file)))
    return redirectTo('/console/inbox', visit.wording.say('ticketDeleted', { reference }))
  })
}

const pathOf = (visit: Visit) => `/console/tickets/${visit.params.id}`

function handlingActions(add: Guard): void {
  add.action('/console/tickets/:id/assignee', { again: ticketPage }, async (visit, sent) => {
    const { id } = await ticketOf(visit)
    await visit.change((tx, caller) => assignTicket(tx, caller, id, { userId: sent.text('assigneeId') || null }))
    return redirectTo(pathOf(visit), visit.wording.say('ticketAssigned'))
  })

  add.action('/console/tickets/:id/team', { again: ticketPage }, async (visit, sent) => {
    const { id } = await ticketOf(visit)
    await visit.change((tx, caller) => assignTicket(tx, caller, id, { teamId: sent.text('teamId') || null }))
    return redirectTo(pathOf(visit), visit.wording.say('ticketAssigned'))
  })

  add.action('/console/tickets/:id/tags', { again: ticketPage }, async (visit, sent) => {
    const { id } = await ticketOf(visit)
    const names = sent.text('tags').split(',')
    await visit.change((tx, caller) =>
      setTags(
        tx,
        caller,
        id,
        names.filter((name) => name.trim() !== ''),
      ),
    )
    return redirectTo(pathOf(visit), visit.wording.say('tagsAreSaved'))
  })

  add.action('/console/tickets/:id/priority', { again: ticketPage }, async (visit, sent) => {
    const { id } = await ticketOf(visit)
    await visit.change((tx, caller) => setPriority(tx, caller, id, sent.text('priority')))
    return redirectTo(pathOf(visit), visit.wording.say('ticketPrioritySet'))
  })

  add.action('/console/tickets/:id/status', { again: ticketPage }, async (visit, sent) => {
    const { id } = await ticketOf(visit)
    const status = ticketStatuses.find((known) => known === sent.text('status'))
    if (!status) throw invalid('status', rule('one_of', { choices: ticketStatuses.join(', ') }))
    await visit.change((tx, caller) => setStatus(tx, caller, id, { status }))
    return redirectTo(pathOf(visit), visit.wording.say('ticketStatusSet'))
  })

  add.action('/console/tickets/:id/snooze', { again: ticketPage }, async (visit, sent) => {
    const { say } = visit.wording
    const { id } = await ticketOf(visit)
    const end = snoozeEnd(sent.text('until'), zoneOf(sent.text('zone')), visit.at)
    if (end === null || end <= visit.at) throw refuse(say('snoozeWrong'), 'until')
    await visit.change(async (tx, caller) => {
      const { status } = await getTicket(tx, caller.tenantId, id)
      return setStatus(tx, caller, id, { status, snoozedUntil: formatTime(end) })
    })
    return redirectTo(pathOf(visit), say('ticketIsSnoozed'))
  })
}
