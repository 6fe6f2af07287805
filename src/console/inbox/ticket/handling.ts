import type { Caller } from '../../../caller.ts'
import type { Tx } from '../../../db/index.ts'
import type { Ticket } from '../../../tickets/model.ts'
import type { FormFields } from '../../form-fields.ts'
import type { Guard } from '../../guard.ts'
import { redirectTo, type Visit } from '../../visit.ts'
import { pathAfterTicket } from '../after-ticket.ts'
import { ticketOf } from '../answer/answering.ts'
import { type Part, parts } from '../parts.ts'
import { taggedBy } from '../tag-choices.ts'
import { undoOf } from '../undoing.ts'
import { ticketPage } from './page.ts'
import { snoozeEndOf } from './snooze.ts'

export type Change = (tx: Tx, caller: Caller, ticket: Ticket) => Promise<unknown>

/** What a form changes of a ticket. Reads the form before anything is changed. */
interface Handling {
  /** What becomes of the ticket, so that it can be taken back. */
  readonly part: Part
  /** What is said then. */
  readonly said:
    | 'ticketAssigned'
    | 'tagsAreSaved'
    | 'ticketPrioritySet'
    | 'ticketStatusSet'
    | 'ticketIsSnoozed'
    | 'subjectSaved'
    | 'ticketMoved'
  read(visit: Visit, sent: FormFields): Change
}

/** By the last word of their address. */
const handlings: Readonly<Record<string, Handling>> = {
  assignee: {
    part: 'assignee',
    said: 'ticketAssigned',
    read: (_, sent) => parts.assignee.set(sent.text('assigneeId')),
  },
  team: { part: 'team', said: 'ticketAssigned', read: (_, sent) => parts.team.set(sent.text('teamId')) },
  tags: {
    part: 'tags',
    said: 'tagsAreSaved',
    read: (_, sent) => (tx, caller, ticket) =>
      parts.tags.set(taggedBy(sent, ticket.tags).join('\n'))(tx, caller, ticket),
  },
  priority: {
    part: 'priority',
    said: 'ticketPrioritySet',
    read: (_, sent) => parts.priority.set(sent.text('priority')),
  },
  status: { part: 'status', said: 'ticketStatusSet', read: (_, sent) => parts.status.set(sent.text('status')) },
  subject: { part: 'subject', said: 'subjectSaved', read: (_, sent) => parts.subject.set(sent.text('subject')) },
  inbox: { part: 'inbox', said: 'ticketMoved', read: (_, sent) => parts.inbox.set(sent.text('inboxId')) },
  snooze: { part: 'status', said: 'ticketIsSnoozed', read: snooze },
}

/** Leaves the status as it is, until then. */
export function snooze(visit: Visit, sent: FormFields): Change {
  const until = snoozeEndOf(visit, sent)
  return (tx, caller, ticket) => parts.status.set(`${ticket.status} ${until}`)(tx, caller, ticket)
}

/** Whether a form says that nothing is left to do. */
const isOver = (sent: FormFields) => ['closed', 'spam'].includes(sent.text('status'))

/** Assigning, tags, priority, subject, inbox, status and snooze: each applies at once, and can be taken back (decisions §20). */
export function handlingActions(add: Guard): void {
  for (const [path, { part, said, read }] of Object.entries(handlings)) {
    add.action(`/console/tickets/:id/${path}`, { again: ticketPage }, async (visit, sent) => {
      const before = await ticketOf(visit)
      const change = read(visit, sent)
      const next = isOver(sent) ? await pathAfterTicket(visit, before, sent) : `/console/tickets/${before.id}`
      await visit.change((tx, caller) => change(tx, caller, before))
      return redirectTo(next, visit.wording.say(said), undoOf(part, [before]))
    })
  }
}
