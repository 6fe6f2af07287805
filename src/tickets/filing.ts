import { audit } from '../audit/record.ts'
import type { Caller } from '../caller.ts'
import type { Tx } from '../db/index.ts'
import { invalid, refusal, rule } from '../errors.ts'
import { findInbox, requireInUse } from '../inboxes/operations.ts'
import { oneLine } from '../lib/text/one-line.ts'
import { changeTicket } from './change.ts'
import { ticketToWorkOn } from './merging/merges.ts'
import type { Ticket } from './model.ts'
import { ticketOf } from './read.ts'
import { MAX_SUBJECT } from './thread/content.ts'

/* What a ticket is called, and where it lies. */

/**
 * Gives the ticket another subject, which the answers to it have from now on (decisions §20). No event tells of it, and the
 * same one changes nothing. For agents. Throws `invalid_request` for an empty one and one over 500 characters, `not_found`,
 * `unprocessable` for a merged ticket.
 */
export async function setSubject(tx: Tx, caller: Caller, id: string, text: string): Promise<Ticket> {
  const subject = oneLine(text)
  if (subject === '') throw invalid('subject', rule('not_blank'))
  if (subject.length > MAX_SUBJECT) throw invalid('subject', rule('too_long', { most: MAX_SUBJECT }))
  const ticket = await ticketToWorkOn(tx, caller, id)
  if (ticket.subject === subject) return ticketOf(tx, caller.tenantId, ticket)
  const changed = await changeTicket(tx, caller, ticket, { subject })
  await audit(tx, caller, 'ticket.subject_changed', ticket.id)
  return ticketOf(tx, caller.tenantId, changed)
}

/**
 * Moves a mail's ticket to another email inbox, from whose address it is answered from now on; mail that comes to the earlier
 * one still finds it (decisions §20). No event tells of it, and the inbox where it is changes nothing. For agents. Throws
 * `invalid_request` for an unknown inbox and one of another channel, `conflict` for an archived one, `not_found`,
 * `unprocessable` for a chat, which stays where its visitor is, and for a merged ticket.
 */
export async function setInbox(tx: Tx, caller: Caller, id: string, inboxId: string): Promise<Ticket> {
  const { tenantId } = caller
  const ticket = await ticketToWorkOn(tx, caller, id)
  if (ticket.channel !== 'email') throw refusal('unprocessable', rule('only_mail_changes_hands'))
  const inbox = await findInbox(tx, tenantId, inboxId.toLowerCase())
  if (inbox?.channel !== 'email') throw invalid('inboxId', rule('inbox_unknown'))
  if (ticket.inboxId === inbox.id) return ticketOf(tx, tenantId, ticket)
  requireInUse(inbox)
  const changed = await changeTicket(tx, caller, ticket, { inboxId: inbox.id })
  await audit(tx, caller, 'ticket.inbox_changed', ticket.id)
  return ticketOf(tx, tenantId, changed)
}
