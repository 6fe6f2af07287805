import { calendarOfInbox } from '../../../calendars/read.ts'
import { findKeptMails } from '../../../channels/email/kept-mails.ts'
import { getContact } from '../../../contacts/read.ts'
import { listInboxes } from '../../../inboxes/operations.ts'
import { chatMarks } from '../../../livechat/seen.ts'
import { organisationNamesOf } from '../../../organisations/operations.ts'
import { openPromisesOf } from '../../../promises/read.ts'
import { responsesOfTicket } from '../../../responses/lists/of-ticket.ts'
import { ratedResponsesOf } from '../../../responses/rated.ts'
import { requestOf } from '../../../satisfaction/asking.ts'
import { isRated } from '../../../satisfaction/rating.ts'
import { formsToAskBy } from '../../../satisfaction/ready-made.ts'
import { tagsToChoose } from '../../../tags/read.ts'
import { knownTeams } from '../../../teams/read.ts'
import { recipientsOfThread } from '../../../tickets/addressing/recipients.ts'
import { ticketsOfContact } from '../../../tickets/inbox/list.ts'
import { mergeOf } from '../../../tickets/merging/merges.ts'
import { getTicket, ticketRowOf } from '../../../tickets/read.ts'
import { newestMessageOf, readAgentsThread } from '../../../tickets/thread/agents-thread.ts'
import { listCannedReplies } from '../../../tickets/writing/canned-replies.ts'
import { findDraft } from '../../../tickets/writing/drafts.ts'
import { listColleagues } from '../../../users/colleagues.ts'
import type { Visit } from '../../visit.ts'
import { visitorLine } from '../live/whereabouts.ts'

/** Other tickets of the customer that are shown, and responses. */
const EARLIER = 5

/** All that the page of a ticket shows. Throws `not_found`. */
export async function readTicket(visit: Visit) {
  const { db, principal, params, query } = visit
  const { tenantId } = principal
  const row = await ticketRowOf(db, tenantId, params.id as string)
  const { id } = row
  const before = query.get('before') ?? undefined
  const [ticket, thread, newest, draft, recipients, colleagues, inboxes, others, merge, own, shared, teams, tags] =
    await Promise.all([
      getTicket(db, tenantId, id),
      readAgentsThread(db, tenantId, id, before),
      newestMessageOf(db, tenantId, id),
      findDraft(db, tenantId, id, principal.userId),
      recipientsOfThread(db, tenantId, row),
      listColleagues(db, tenantId),
      listInboxes(db, tenantId),
      row.contactId === null ? [] : ticketsOfContact(db, tenantId, row.contactId, EARLIER + 1),
      mergeOf(db, tenantId, id),
      listCannedReplies(db, tenantId, principal.userId),
      listCannedReplies(db, tenantId, null),
      knownTeams(db, tenantId),
      tagsToChoose(db, tenantId),
    ])
  const request = await requestOf(db, tenantId, id)
  const isAsked = request !== null || ticket.status === 'spam' || (await isRated(db, tenantId, id))
  return {
    ticket,
    /** What the customer answered in forms that they were sent. */
    responses: await responsesOfTicket(db, tenantId, id),
    /** That they were sent one. */
    request,
    /** By which forms they could be asked; null where they are not to be. */
    asking: isAsked ? null : await formsToAskBy(db, tenantId, visit.at),
    /** Of a chat: where it began, what its visitor has read, and where they are. */
    marks: (await chatMarks(db, tenantId, ticket.channel === 'livechat' ? [id] : [])).get(id) ?? null,
    visitor: ticket.channel === 'livechat' && (await visitorLine(visit, id)),
    requesterName: row.requesterName,
    requesterEmail: row.requesterEmail,
    thread,
    /** The mails that its messages came as. */
    mails: await findKeptMails(
      db,
      tenantId,
      thread.messages.map((message) => message.id),
    ),
    /** Whether it is the end of the thread that is shown. */
    isLatest: before === undefined,
    newest,
    /** What the reader is writing. */
    draft,
    /** Who gets an answer unless its writer says otherwise. */
    recipients,
    /** What can be put into the answer: the reader's own, and everybody's. */
    canned: { own, shared },
    /** What it could be given. */
    teams,
    tags,
    assigneeId: row.assigneeId,
    colleagues,
    inboxName: inboxes.find(({ id: inboxId }) => inboxId === row.inboxId)?.name ?? '',
    /** Where a mail's ticket could lie: email inboxes in use, from A to Z. */
    inboxes: inboxes
      .filter(({ channel, archivedAt }) => channel === 'email' && archivedAt === null)
      .sort((one, other) => one.name.localeCompare(other.name)),
    others: others.filter((other) => other.id !== id).slice(0, EARLIER),
    /** What is promised in it and not done yet. */
    promised: await openPromisesOf(db, tenantId, id),
    calendar: await calendarOfInbox(db, tenantId, row.inboxId),
    mergedInto: merge && (await getTicket(db, tenantId, merge.intoId)),
    customer: row.contactId === null ? null : await customerOf(visit, row.contactId),
  }
}

/** Who asks, and whom they belong to. */
async function customerOf({ db, principal }: Visit, contactId: string) {
  const { tenantId } = principal
  const contact = await getContact(db, tenantId, contactId)
  const { organisationId } = contact
  const [names, responses] = await Promise.all([
    organisationNamesOf(db, tenantId, organisationId === null ? [] : [organisationId]),
    ratedResponsesOf(db, tenantId, contactId, EARLIER),
  ])
  return { contact, responses, organisation: organisationId === null ? null : (names.get(organisationId) ?? null) }
}

export type TicketRead = Awaited<ReturnType<typeof readTicket>>
