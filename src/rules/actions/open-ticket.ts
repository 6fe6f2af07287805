import { getContact } from '../../contacts/read.ts'
import { findResponse } from '../../responses/lookup.ts'
import { readableResponse } from '../../responses/readable.ts'
import { findOrCreateTags } from '../../tags/operations.ts'
import { assignTicket } from '../../tickets/assignment.ts'
import { createTicket } from '../../tickets/creation.ts'
import type { OpenTicket } from '../model.ts'
import { fill, type Values } from '../texts.ts'
import { type Acting, contactOf, NotNeeded } from './acting.ts'

const NO_TEXT = '–'

/**
 * Opens a ticket of the contact behind a response, or of a contact: as if they had written the answers to that inbox. Where
 * nobody is known by an address nothing can be opened, which is no fault of the rule.
 */
export async function openTicketFor(acting: Acting, action: OpenTicket, values: Values): Promise<void> {
  const { tx, caller, about } = acting
  const contactId = await contactOf(tx, caller.tenantId, about)
  const contact = contactId === null ? null : await getContact(tx, caller.tenantId, contactId)
  if (!contact?.email) throw new NotNeeded('nobody is known who could be answered')
  const { inbox: inboxId, priority, tags = [], team: teamId } = action
  // Whatever can be refused is refused before anything is written.
  await findOrCreateTags(tx, caller, tags)
  const written = action.text === undefined ? await answersOf(acting) : fill(action.text, values)
  const text = written.trim() || NO_TEXT
  const subject = fill(action.subject, values).trim() || NO_TEXT
  const ticket = await createTicket(tx, caller, {
    inboxId,
    contactId: contact.id,
    subject,
    text,
    tags: [...tags],
    priority: priority ?? null,
  })
  if (teamId) await assignTicket(tx, caller, ticket.id, { teamId })
}

/** What was answered, question by question. */
async function answersOf({ tx, caller: { tenantId }, about }: Acting): Promise<string> {
  if (about.subject !== 'response') return ''
  const { form } = await findResponse(tx, tenantId, about.id)
  const { answers } = await readableResponse(tx, tenantId, form, about.id)
  return answers.map(({ question, answer }) => `${question}\n${answer}`).join('\n\n')
}
