import { audit } from '../audit/record.ts'
import type { Caller } from '../caller.ts'
import type { Tx } from '../db/index.ts'
import { happen } from '../events/happenings.ts'
import { emit } from '../events/outbox.ts'
import { comparableTagName } from '../tags/names.ts'
import { findOrCreateTags, replaceTagsOf } from '../tags/operations.ts'
import { changeTicket } from './change.ts'
import { ticketToWorkOn } from './merging/merges.ts'
import type { Ticket } from './model.ts'
import { getTicket, ticketOf } from './read.ts'

/**
 * Has the ticket hold the tags of these names and no others; unknown ones are made. The same again changes
 * nothing. Throws `invalid_request` for a bad name and for more than 20, `not_found`, `conflict` where there
 * would be too many tags, `unprocessable` for a merged ticket (decisions §16).
 */
export async function setTags(tx: Tx, caller: Caller, id: string, names: readonly string[]): Promise<Ticket> {
  const { tenantId } = caller
  const ticket = await ticketToWorkOn(tx, caller, id)
  const wanted = await findOrCreateTags(tx, caller, names)
  const tagIds =
    wanted
      .map((tag) => tag.id)
      .sort()
      .join() || null
  if ((ticket.tagIds?.split(',').sort().join() ?? null) === tagIds) return ticketOf(tx, tenantId, ticket)
  const { tags: before } = await ticketOf(tx, tenantId, ticket)
  await replaceTagsOf(tx, caller, ticket.id, wanted)
  const changed = await changeTicket(tx, caller, { ...ticket, tagIds }, {})
  await audit(tx, caller, 'ticket.tagged', ticket.id)
  await happen(tx, caller, 'ticket.tagged', ticket.id)
  const tagged = await ticketOf(tx, tenantId, changed)
  const added = tagged.tags.filter((tag) => !before.includes(tag))
  const removed = before.filter((tag) => !tagged.tags.includes(tag))
  await emit(tx, caller, 'ticket.tagged', { ticket: tagged, added, removed })
  return tagged
}

/**
 * Adds tags to those of a ticket and takes others away, by their names; what it does not hold is not missed. Throws as
 * `setTags` does.
 */
export async function changeTags(
  tx: Tx,
  caller: Caller,
  id: string,
  { add = [], remove = [] }: { add?: readonly string[] | undefined; remove?: readonly string[] | undefined },
): Promise<Ticket> {
  const { tags } = await getTicket(tx, caller.tenantId, id)
  const unwanted = new Set(remove.map(comparableTagName))
  return setTags(tx, caller, id, [...tags.filter((tag) => !unwanted.has(comparableTagName(tag))), ...add])
}
