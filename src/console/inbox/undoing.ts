import type { Caller } from '../../caller.ts'
import type { Tx } from '../../db/index.ts'
import { invalid, rule } from '../../errors.ts'
import { ticketStatuses } from '../../kinds/tickets.ts'
import { cut } from '../../lib/text/one-line.ts'
import { parseTime } from '../../lib/time.ts'
import { assignTicket, setPriority } from '../../tickets/assignment.ts'
import { setInbox, setSubject } from '../../tickets/filing.ts'
import type { Ticket } from '../../tickets/model.ts'
import type { TicketRow } from '../../tickets/read.ts'
import { restoreCustomer } from '../../tickets/requester.ts'
import { setStatus } from '../../tickets/status.ts'
import { setTags } from '../../tickets/tagging.ts'
import type { Undo } from '../flash.ts'
import type { Guard } from '../guard.ts'
import { redirectTo } from '../visit.ts'
import { askedBy, listPath, MOST, queryOf } from './list/query.ts'
import { isDone } from './still-there.ts'

/** What of a ticket is changed with a click, and so can be taken back with one. */
export type Part = 'status' | 'assignee' | 'team' | 'priority' | 'tags' | 'subject' | 'inbox'

interface Changeable {
  /** What the ticket has, as a text. */
  read(ticket: Ticket): string
  /** Gives it that again. */
  write(tx: Tx, caller: Caller, id: string, was: string): Promise<unknown>
}

const parts: Readonly<Record<Part, Changeable>> = {
  status: {
    read: ({ status, snoozedUntil }) => [status, snoozedUntil ?? ''].join(' '),
    write: (tx, caller, id, was) => {
      const [name, until = ''] = was.split(' ')
      const status = ticketStatuses.find((known) => known === name)
      if (!status) throw invalid('status', rule('one_of', { choices: ticketStatuses.join(', ') }))
      // A snooze that would have ended by now is over.
      return setStatus(tx, caller, id, { status, snoozedUntil: Date.parse(until) > caller.at ? until : null })
    },
  },
  assignee: {
    read: ({ assignee }) => assignee?.id ?? '',
    write: (tx, caller, id, was) => assignTicket(tx, caller, id, { userId: was || null }),
  },
  team: {
    // A team may have handed it to somebody.
    read: ({ team, assignee }) => [team?.id ?? '', assignee?.id ?? ''].join(' '),
    write: (tx, caller, id, was) => {
      const [team = '', person = ''] = was.split(' ')
      return assignTicket(tx, caller, id, { teamId: team || null, userId: person || null })
    },
  },
  priority: {
    read: ({ priority }) => priority,
    write: (tx, caller, id, was) => setPriority(tx, caller, id, was),
  },
  tags: {
    // A name may hold a comma, but is one line.
    read: ({ tags }) => tags.join('\n'),
    write: (tx, caller, id, was) => setTags(tx, caller, id, was === '' ? [] : was.split(/\r?\n/)),
  },
  subject: {
    read: ({ subject }) => subject,
    write: (tx, caller, id, was) => setSubject(tx, caller, id, was),
  },
  inbox: {
    read: ({ teamInboxId }) => teamInboxId,
    write: (tx, caller, id, was) => setInbox(tx, caller, id, was),
  },
}

/**
 * The form that gives these tickets again what they had, as they were `before` the change. `list` is the query of the list
 * that it leads back to; without one it leads to the ticket.
 */
export function undoOf(part: Part, before: readonly Ticket[], list: string | null = null): Undo {
  const ids = Map.groupBy(before, parts[part].read)
  const was = [...ids].map(([value, tickets]) => ['was', `${pack(tickets)} ${value}`] as const)
  return {
    action: '/console/inbox/undo',
    fields: [['part', part], ...(list === null ? [] : [['list', list] as const]), ...was],
  }
}

/** The form that gives a ticket again the customer whom it had. */
export function undoOfCustomer({ id, contactId, requesterEmail, requesterName, customerSince }: TicketRow): Undo {
  const was = [contactId ?? '', requesterEmail ?? '', customerSince ?? '', requesterName ?? ''].join(' ')
  return {
    action: '/console/inbox/undo',
    fields: [
      ['part', 'customer'],
      ['was', `${pack([{ id }])} ${was}`],
    ],
  }
}

/** Gives a ticket again the customer whom `undoOfCustomer` noted. */
function restore(tx: Tx, caller: Caller, id: string, was: string): Promise<unknown> {
  const [contactId = '', email = '', since = '', ...name] = was.split(' ')
  return restoreCustomer(tx, caller, id, {
    contactId: contactId || null,
    requesterEmail: email || null,
    requesterName: cut(name.join(' '), MAX_NAME) || null,
    customerSince: parseTime(since),
  })
}

/** Takes back what was done with one ticket or with several, each as it was before that. */
export function undoActions(add: Guard): void {
  add.action('/console/inbox/undo', {}, async (visit, sent) => {
    const { say } = visit.wording
    const name = sent.text('part')
    const part = Object.hasOwn(parts, name) ? parts[name as Part].write : name === 'customer' ? restore : undefined
    if (!part) throw invalid('part', rule('one_of', { choices: Object.keys(parts).join(', ') }))
    const given = sent.texts('was').flatMap((text) => {
      const [packed = '', ...was] = text.split(' ')
      return unpack(packed).map((id) => ({ id, was: was.join(' ') }))
    })
    // As many as are changed at once.
    const changes = given.slice(0, MOST)
    await visit.change(async (tx, caller) => {
      for (const { id, was } of changes) await isDone(() => part(tx, caller, id, was))
    })
    const list = sent.has('list') ? listPath(queryOf(askedBy(new URLSearchParams(sent.text('list'))))) : null
    const [first] = changes
    return redirectTo(list ?? (first ? `/console/tickets/${first.id}` : '/console/inbox'), say('undone'))
  })
}

/** Ids in a third less than they are long: a cookie carries them. */
function pack(tickets: readonly Pick<Ticket, 'id'>[]): string {
  return Buffer.from(tickets.map(({ id }) => id.replaceAll('-', '')).join(''), 'hex').toString('base64url')
}

const UUID = /^(.{8})(.{4})(.{4})(.{4})(.{12})$/

function unpack(packed: string): string[] {
  const digits = Buffer.from(packed, 'base64url').toString('hex').match(/.{32}/g) ?? []
  return digits.map((id) => id.replace(UUID, '$1-$2-$3-$4-$5'))
}
