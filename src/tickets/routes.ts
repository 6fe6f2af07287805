import { Elysia } from 'elysia'
import type { Deps } from '../deps.ts'
import { api } from '../http/api.ts'
import { created, ok, writer } from '../http/idempotency/write.ts'
import { listQuery, noQuery, page, problem, readPage, readSearch, readTime } from '../http/requests/schemas.ts'
import { assignTicket, setPriority } from './assignment.ts'
import { createTicket } from './creation.ts'
import {
  AssigneeUpdate,
  Message,
  NoteCreate,
  NoteCreated,
  PriorityUpdate,
  ReplyCreate,
  StatusUpdate,
  TagsUpdate,
  Ticket,
  TicketCreate,
  TicketFilters,
  TicketWithMessages,
} from './model.ts'
import { getTicketWithMessages } from './read.ts'
import { concludeReply, sendReply } from './replies/operations.ts'
import { searchTickets } from './search/tickets.ts'
import { setStatus } from './status.ts'
import { setTags } from './tagging.ts'
import { addNote } from './thread/notes.ts'
import { listMessages } from './thread/public-thread.ts'

/** `/v1/tickets` (api.md §4, decisions §2). */
export function ticketRoutes(deps: Deps) {
  const { db, lists } = deps.database
  const { write, writeAfter } = writer(deps)
  return new Elysia({ prefix: '/v1/tickets', tags: ['Tickets'] })
    .use(api(deps))
    .get(
      '/',
      ({ principal, query }) =>
        searchTickets(lists, principal.tenantId, readPage(query), {
          text: readSearch(query.query),
          inboxId: query.inbox_id,
          status: query.status,
          since: readTime(query.since),
          contactId: query.contact_id,
          assignee: query.assignee,
          team: query.team,
          priority: query.priority,
          tag: query.tag,
          dueBefore: readTime(query.due_before),
        }),
      {
        scope: 'tickets:read',
        query: TicketFilters,
        response: { 200: page(Ticket) },
        detail: {
          summary: 'List tickets',
          description:
            'Of every inbox, newest first; with `query`, those first in which the words were written last, and before all the ' +
            'one whose reference it is. A page of what was searched for may hold fewer than `limit`, even none, while ' +
            '`nextCursor` leads on: where very many messages hold the words, but few of their tickets fit the other filters.',
        },
      },
    )
    .post(
      '/',
      ({ request, body }) =>
        write(request, async (tx, caller) => {
          const ticket = await createTicket(tx, caller, body)
          return created(`/v1/tickets/${ticket.id}`, ticket)
        }),
      {
        scope: 'tickets:write',
        query: noQuery,
        body: TicketCreate,
        response: {
          201: Ticket,
          409: problem('conflict', 'there are at most 1000 tags: delete one first'),
          422: problem('unprocessable', 'there is no email inbox that a ticket could be opened in'),
        },
        detail: {
          summary: 'Create a ticket',
          description:
            'For what a customer said elsewhere: on the phone, or in a form of your own. The ticket holds it as their ' +
            'message, and `ticket.created` fires. No mail goes out for it; answers go to the customer’s address.',
        },
      },
    )
    .get('/:id', ({ principal, params }) => getTicketWithMessages(db, principal.tenantId, params.id), {
      scope: 'tickets:read',
      query: noQuery,
      response: { 200: TicketWithMessages },
      detail: { summary: 'Read a ticket', description: 'With its thread; internal notes are never returned.' },
    })
    .get(
      '/:id/messages',
      ({ principal, params, query }) => listMessages(db, principal.tenantId, params.id, readPage(query)),
      {
        scope: 'tickets:read',
        query: listQuery({}),
        response: { 200: page(Message) },
        detail: {
          summary: 'List a ticket’s messages',
          description:
            'Newest first; internal notes are never returned. A page ends early where its messages exceed 1 MiB together.',
        },
      },
    )
    .post(
      '/:id/replies',
      ({ request, body, params }) =>
        writeAfter(
          request,
          (caller, token) => sendReply(deps, caller, params.id, body, token),
          async (tx, caller, sent) => ({
            status: 201,
            body: await concludeReply(tx, { ...caller, at: deps.clock.now() }, sent),
          }),
        ),
      {
        scope: 'tickets:write',
        query: noQuery,
        body: ReplyCreate,
        response: {
          201: Message,
          422: problem('unprocessable', 'only email tickets can be answered here'),
          502: problem('delivery_failed', 'the reply was not sent: the mail server refused it: 550 5.1.1 no such user'),
        },
        detail: {
          operationId: 'replyToTicket',
          summary: 'Reply to a ticket',
          description:
            'Sends a mail to the customer and answers once the mail server has taken it. A ticket of another ' +
            'channel is a 422, and so is one that was merged into another. A mail that could not be sent is a 502: the thread shows no new message. ' +
            'One that the server refuses for now (4xx, no connection) is a 201: it is tried again after 1, 5, 15 and 60 minutes, and is in the thread, under the id that was answered, once it was taken.',
        },
      },
    )
    .post(
      '/:id/notes',
      ({ request, body, params }) =>
        write(request, async (tx, caller) => ({
          status: 201 as const,
          body: { id: await addNote(tx, caller, params.id, body) },
        })),
      {
        scope: 'tickets:write',
        query: noQuery,
        body: NoteCreate,
        response: { 201: NoteCreated },
        detail: {
          operationId: 'addNoteToTicket',
          summary: 'Add an internal note',
          description: 'For colleagues alone: it is never sent and never read over the API.',
        },
      },
    )
    .put(
      '/:id/status',
      ({ request, body, params }) =>
        write(request, async (tx, caller) => ok(await setStatus(tx, caller, params.id, body))),
      {
        scope: 'tickets:write',
        query: noQuery,
        body: StatusUpdate,
        response: { 200: Ticket, 422: problem('unprocessable', MERGED) },
        detail: {
          operationId: 'setTicketStatus',
          summary: 'Set a ticket’s status',
          description:
            'Any status may follow any other. With `snoozedUntil` the ticket is snoozed until then; without, a ' +
            'snooze ends. The same status with the same snooze changes nothing and sends no event. A ticket that was ' +
            'merged into another stays closed: a 422.',
        },
      },
    )
    .put(
      '/:id/tags',
      ({ request, body, params }) =>
        write(request, async (tx, caller) => ok(await setTags(tx, caller, params.id, body.tags))),
      {
        scope: 'tickets:write',
        query: noQuery,
        body: TagsUpdate,
        response: {
          200: Ticket,
          409: problem('conflict', 'there are at most 1000 tags: delete one first'),
          422: problem('unprocessable', MERGED),
        },
        detail: {
          operationId: 'setTicketTags',
          summary: 'Set a ticket’s tags',
          description: 'Replaces all that it has. Two names that differ in case alone are one tag.',
        },
      },
    )
    .put(
      '/:id/assignee',
      ({ request, body, params }) =>
        write(request, async (tx, caller) => ok(await assignTicket(tx, caller, params.id, body))),
      {
        scope: 'tickets:write',
        query: noQuery,
        body: AssigneeUpdate,
        response: { 200: Ticket, 422: problem('unprocessable', MERGED) },
        detail: {
          operationId: 'setTicketAssignee',
          summary: 'Assign a ticket',
          description:
            'To a user, a team, or both. A team that distributes gives what is newly handed to it, without a `userId`, ' +
            'to one of its members who is not away; where there is none, the ticket waits for the team.',
        },
      },
    )
    .put(
      '/:id/priority',
      ({ request, body, params }) =>
        write(request, async (tx, caller) => ok(await setPriority(tx, caller, params.id, body.priority))),
      {
        scope: 'tickets:write',
        query: noQuery,
        body: PriorityUpdate,
        response: { 200: Ticket, 422: problem('unprocessable', MERGED) },
        detail: { operationId: 'setTicketPriority', summary: 'Set a ticket’s priority' },
      },
    )
}

/** What is said of a ticket that is another's part by now. */
const MERGED = 'T-1042 was merged into T-1043: work on that one'
