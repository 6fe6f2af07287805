import type { Caller } from '../../../caller.ts'
import type { Tx } from '../../../db/index.ts'
import { invalid, rule } from '../../../errors.ts'
import { ticketStatuses } from '../../../kinds/tickets.ts'
import { assignTicket, setPriority } from '../../../tickets/assignment.ts'
import type { Ticket } from '../../../tickets/model.ts'
import { setStatus } from '../../../tickets/status.ts'
import { setTags } from '../../../tickets/tagging.ts'
import type { FormFields } from '../../form-fields.ts'
import type { Guard } from '../../guard.ts'
import { redirectTo, type Visit } from '../../visit.ts'
import { ticketOf } from '../answer/answering.ts'
import { onward } from '../onward.ts'
import { type Part, undoOf } from '../undoing.ts'
import { ticketPage } from './page.ts'
import { snoozeEndOf } from './snooze.ts'

/** What a form changes of a ticket. Reads the form before anything is changed. */
interface Handling {
  /** What becomes of the ticket, so that it can be taken back. */
  readonly part: Part
  /** What is said then. */
  readonly said: 'ticketAssigned' | 'tagsAreSaved' | 'ticketPrioritySet' | 'ticketStatusSet' | 'ticketIsSnoozed'
  read(visit: Visit, sent: FormFields): (tx: Tx, caller: Caller, ticket: Ticket) => Promise<unknown>
}

/** By the last word of their address. */
const handlings: Readonly<Record<string, Handling>> = {
  assignee: {
    part: 'assignee',
    said: 'ticketAssigned',
    read: (_, sent) => {
      const userId = sent.text('assigneeId') || null
      return (tx, caller, { id }) => assignTicket(tx, caller, id, { userId })
    },
  },
  team: {
    part: 'team',
    said: 'ticketAssigned',
    read: (_, sent) => {
      const teamId = sent.text('teamId') || null
      return (tx, caller, { id }) => assignTicket(tx, caller, id, { teamId })
    },
  },
  tags: {
    part: 'tags',
    said: 'tagsAreSaved',
    read: (_, sent) => {
      const names = namesIn(sent.text('tags'))
      return (tx, caller, { id }) => setTags(tx, caller, id, names)
    },
  },
  priority: {
    part: 'priority',
    said: 'ticketPrioritySet',
    read: (_, sent) => {
      const priority = sent.text('priority')
      return (tx, caller, { id }) => setPriority(tx, caller, id, priority)
    },
  },
  status: {
    part: 'status',
    said: 'ticketStatusSet',
    read: (_, sent) => {
      const status = ticketStatuses.find((known) => known === sent.text('status'))
      if (!status) throw invalid('status', rule('one_of', { choices: ticketStatuses.join(', ') }))
      return (tx, caller, { id }) => setStatus(tx, caller, id, { status })
    },
  },
  snooze: {
    part: 'status',
    said: 'ticketIsSnoozed',
    read: (visit, sent) => {
      const snoozedUntil = snoozeEndOf(visit, sent)
      return (tx, caller, { id, status }) => setStatus(tx, caller, id, { status, snoozedUntil })
    },
  },
}

/** Assigning, tags, priority, status and snooze: each applies at once, and can be taken back (decisions §20). */
export function handlingActions(add: Guard): void {
  for (const [path, { part, said, read }] of Object.entries(handlings)) {
    add.action(`/console/tickets/:id/${path}`, { again: ticketPage }, async (visit, sent) => {
      const before = await ticketOf(visit)
      const change = read(visit, sent)
      const isOver = path === 'status' && (sent.text('status') === 'closed' || sent.text('status') === 'spam')
      const next = isOver ? await onward(visit, before, sent) : `/console/tickets/${before.id}`
      await visit.change((tx, caller) => change(tx, caller, before))
      return redirectTo(next, visit.wording.say(said), undoOf(part, [before]))
    })
  }
}

/** The names of tags in a field, with commas between them. */
export function namesIn(text: string): string[] {
  return text.split(',').filter((name) => name.trim() !== '')
}
