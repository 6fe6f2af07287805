import { fullName } from '../../contacts/full-name.ts'
import { findContactId, getContact } from '../../contacts/read.ts'
import type { Reader } from '../../db/index.ts'
import { AppError } from '../../errors.ts'
import { findInbox } from '../../inboxes/operations.ts'
import { referenceOf, type TicketRow, ticketRowOf } from '../read.ts'
import type { Draft } from './drafts.ts'

/** What can stand in a canned reply as `{{contact.name}}`, and is written out once it is put into an answer. */
export const placeholders = [
  'contact.name',
  'contact.first_name',
  'contact.email',
  'agent.name',
  'ticket.number',
  'ticket.subject',
  'inbox.name',
] as const
export type Placeholder = (typeof placeholders)[number]

/** Characters of an unknown one that are told. */
const MAX_SHOWN = 60

const PLACEHOLDER = /\{\{([^{}]*)\}\}/g
/** With one brace less, as the texts of rules have them: what has a dot or a colon in it, so that other braces stay. */
const SHORT = /\{([a-z_]+(?:\.[a-z_]+)*[.:][^{}:.\n]{1,200})\}/g
const EITHER = new RegExp(`${PLACEHOLDER.source}|${SHORT.source}`, 'g')

/** The first placeholder of the text that there is none of, as it stands there; null where all are known. */
export function unknownPlaceholder(text: string): string | null {
  const unknown = [...text.matchAll(PLACEHOLDER)].find(([, name = '']) => !isPlaceholder(name.trim()))
  return unknown?.[0].slice(0, MAX_SHOWN) ?? null
}

/** How a placeholder is written. */
export function written(name: Placeholder): string {
  return `{{${name}}}`
}

/**
 * The text with what its placeholders stand for in this ticket, answered by somebody of this name. Of a customer who gave
 * no name, the name is their address, if any. Throws `not_found`.
 */
export async function fillIn(
  db: Reader,
  tenantId: string,
  ticketId: string,
  agentName: string,
  text: string,
): Promise<string> {
  const ticket = await ticketRowOf(db, tenantId, ticketId)
  return filled(text, await valuesOf(db, tenantId, ticket, referenceOf(ticket.sequentialNumber), agentName))
}

/** As `fillIn`, in what begins a conversation: its ticket has no number yet. */
export async function fillInBeginning(
  db: Reader,
  tenantId: string,
  { recipients, subject, inboxId }: Pick<Draft, 'recipients' | 'subject' | 'inboxId'>,
  agentName: string,
  text: string,
): Promise<string> {
  const [requesterEmail = null] = recipients?.to ?? []
  const contactId = requesterEmail === null ? null : await findContactId(db, tenantId, requesterEmail)
  const begun = { contactId, requesterEmail, requesterName: null, subject: subject ?? '', inboxId: inboxId ?? '' }
  return filled(text, await valuesOf(db, tenantId, begun, '', agentName))
}

function filled(text: string, values: Record<Placeholder, string>): string {
  return withValues(text, (name) => (isPlaceholder(name) ? values[name] : ''))
}

/** The text with a value in the place of each placeholder, `{{contact.name}}` or `{contact.name}`. */
export function withValues(text: string, value: (name: string) => string): string {
  return text.replace(EITHER, (_, long?: string, short?: string) => value((long ?? short ?? '').trim()))
}

/** What the placeholders of a ticket stand for. Throws `not_found`. */
export async function ticketValues(
  db: Reader,
  tenantId: string,
  ticketId: string,
): Promise<Record<Placeholder, string>> {
  const ticket = await ticketRowOf(db, tenantId, ticketId)
  const values = await valuesOf(db, tenantId, ticket, referenceOf(ticket.sequentialNumber), '')
  return { ...values, 'agent.name': values['inbox.name'] }
}

async function valuesOf(
  db: Reader,
  tenantId: string,
  ticket: Pick<TicketRow, 'contactId' | 'requesterEmail' | 'requesterName' | 'subject' | 'inboxId'>,
  reference: string,
  agentName: string,
): Promise<Record<Placeholder, string>> {
  const [contact, inbox] = await Promise.all([
    contactOf(db, tenantId, ticket.contactId),
    findInbox(db, tenantId, ticket.inboxId),
  ])
  const email = ticket.requesterEmail ?? contact?.email ?? ''
  const name = (contact && fullName(contact)) || ticket.requesterName || email
  return {
    'contact.name': name,
    'contact.first_name': contact?.name || name,
    'contact.email': email,
    'agent.name': agentName,
    'ticket.number': reference,
    'ticket.subject': ticket.subject,
    'inbox.name': inbox?.name ?? '',
  }
}

/** The ticket's contact, unless they were deleted since. */
async function contactOf(db: Reader, tenantId: string, id: string | null) {
  if (id === null) return null
  try {
    return await getContact(db, tenantId, id)
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return null
    throw error
  }
}

function isPlaceholder(name: string): name is Placeholder {
  return placeholders.some((known) => known === name)
}
