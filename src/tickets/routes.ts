import { Elysia } from 'elysia'
import type { Deps } from '../deps.ts'
import { api } from '../http/api.ts'
import { ok, writer } from '../http/idempotency/write.ts'
import { listQuery, noQuery, page, problem, readPage, readTime } from '../http/requests/schemas.ts'
import { Message, ReplyCreate, StatusUpdate, Ticket, TicketFilters, TicketWithMessages } from './model.ts'
import { getTicketWithMessages, listTickets } from './read.ts'
import { publishReply, sendReply } from './replies/operations.ts'
import { setStatus } from './status.ts'
import { listMessages } from './thread/public-thread.ts'

/** `/v1/tickets` (api.md §4, decisions §2). */
export function ticketRoutes(deps: Deps) {
  const { db } = deps.database
  const { write, writeAfter } = writer(deps)
  return new Elysia({ prefix: '/v1/tickets', tags: ['Tickets'] })
    .use(api(deps))
    .get(
      '/',
      ({ principal, query }) =>
        listTickets(db, principal.tenantId, readPage(query), {
          inboxId: query.inbox_id,
          status: query.status,
          since: readTime(query.since),
          contactId: query.contact_id,
        }),
      {
        scope: 'tickets:read',
        query: TicketFilters,
        response: { 200: page(Ticket) },
        detail: { summary: 'List tickets', description: 'Of every inbox, newest first.' },
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
          async (tx, caller, sentId) => ({
            status: 201,
            body: await publishReply(tx, { ...caller, at: deps.clock.now() }, sentId),
          }),
        ),
      {
        scope: 'tickets:write',
        query: noQuery,
        body: ReplyCreate,
        response: {
          201: Message,
          422: problem('unprocessable', 'only email tickets can be answered here'),
          502: problem('delivery_failed', 'the reply was not sent: the mail server could not be reached'),
        },
        detail: {
          operationId: 'replyToTicket',
          summary: 'Reply to a ticket',
          description:
            'Sends a mail to the customer and answers once the mail server has taken it. A ticket of another ' +
            'channel is a 422, and so is one that was merged into another. A mail that could not be sent is a 502: the thread shows no new message.',
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
        response: { 200: Ticket, 422: problem('unprocessable', 'T-1042 was merged into T-1043: work on that one') },
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
}
