import type { Caller } from '../../caller.ts'
import type { Tx } from '../../db/index.ts'
import { invalid, rule } from '../../errors.ts'
import { ticketStatuses } from '../../kinds/tickets.ts'
import { assignTicket, setPriority } from '../../tickets/assignment.ts'
import { setInbox, setSubject } from '../../tickets/filing.ts'
import type { Ticket } from '../../tickets/model.ts'
import { setStatus } from '../../tickets/status.ts'
import { setTags } from '../../tickets/tagging.ts'

/** What of a ticket is changed with a click, and so can be taken back with one. */
export type Part = 'status' | 'assignee' | 'team' | 'priority' | 'tags' | 'subject' | 'inbox'

export interface Changeable {
  /** What the ticket has, as a text. */
  read(ticket: Ticket): string
  /** What gives a ticket that. Throws `invalid_request`, before anything is changed, for a text that says nothing. */
  set(text: string): (tx: Tx, caller: Caller, ticket: Pick<Ticket, 'id'>) => Promise<unknown>
}

/** Each part of a ticket, for its own page, for many at once, and for taking back. */
export const parts: Readonly<Record<Part, Changeable>> = {
  // The status, and when its snooze ends.
  status: {
    read: ({ status, snoozedUntil }) => [status, snoozedUntil ?? ''].join(' '),
    set: (text) => {
      const [name, until = ''] = text.split(' ')
      const status = ticketStatuses.find((known) => known === name)
      if (!status) throw invalid('status', rule('one_of', { choices: ticketStatuses.join(', ') }))
      // A snooze that would have ended by now is over.
      return (tx, caller, { id }) =>
        setStatus(tx, caller, id, { status, snoozedUntil: Date.parse(until) > caller.at ? until : null })
    },
  },
  assignee: {
    read: ({ assignee }) => assignee?.id ?? '',
    set:
      (userId) =>
      (tx, caller, { id }) =>
        assignTicket(tx, caller, id, { userId: userId || null }),
  },
  // The team, and the person: a team may have handed it to somebody. One that is not named stays.
  team: {
    read: ({ team, assignee }) => [team?.id ?? '', assignee?.id ?? ''].join(' '),
    set: (text) => {
      const [team = '', person] = text.split(' ')
      const named = person === undefined ? {} : { userId: person || null }
      return (tx, caller, { id }) => assignTicket(tx, caller, id, { teamId: team || null, ...named })
    },
  },
  priority: {
    read: ({ priority }) => priority,
    set:
      (priority) =>
      (tx, caller, { id }) =>
        setPriority(tx, caller, id, priority),
  },
  // A name may hold a comma, but is one line.
  tags: {
    read: ({ tags }) => tags.join('\n'),
    set: (text) => {
      const names = text === '' ? [] : text.split(/\r?\n/)
      return (tx, caller, { id }) => setTags(tx, caller, id, names)
    },
  },
  subject: {
    read: ({ subject }) => subject,
    set:
      (subject) =>
      (tx, caller, { id }) =>
        setSubject(tx, caller, id, subject),
  },
  inbox: {
    read: ({ teamInboxId }) => teamInboxId,
    set:
      (inboxId) =>
      (tx, caller, { id }) =>
        setInbox(tx, caller, id, inboxId),
  },
}
