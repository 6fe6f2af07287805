import { and, eq } from 'drizzle-orm'
import { alertPeople } from '../alerts/operations.ts'
import { audit } from '../audit/record.ts'
import type { Caller } from '../caller.ts'
import type { Tx } from '../db/index.ts'
import { ofTenant } from '../db/index.ts'
import { tickets } from '../db/schema.ts'
import { invalid, rule } from '../errors.ts'
import { happen } from '../events/happenings.ts'
import { emit } from '../events/outbox.ts'
import { priorities } from '../kinds/tickets.ts'
import { removeTeam } from '../teams/operations.ts'
import { findTeam, getTeam } from '../teams/read.ts'
import { isUserOf } from '../users/profile.ts'
import { changeTicket } from './change.ts'
import { noteAllChanged } from './changed.ts'
import { chooseMember } from './distribution.ts'
import { ticketToWorkOn } from './merging/merges.ts'
import type { Ticket } from './model.ts'
import { type TicketRow, ticketOf } from './read.ts'

/** To whom a ticket goes: each a user's or team's id, or null for nobody; what is left out stays. */
export interface Assignee {
  readonly userId?: string | null | undefined
  readonly teamId?: string | null | undefined
}

/**
 * Gives the ticket to a user of the tenant, a team, or both. A team that distributes gives what is handed to it, and to
 * nobody in particular, to one of its members who is there; where none is, it waits for the team (decisions §16). The
 * same again changes nothing. Throws `invalid_request` for somebody else's user or team,
 * `not_found`, `unprocessable` for a merged ticket.
 */
export async function assignTicket(tx: Tx, caller: Caller, id: string, to: Assignee): Promise<Ticket> {
  const { tenantId } = caller
  const ticket = await ticketToWorkOn(tx, caller, id)
  const wanted = await placesOf(tx, caller, ticket, to)
  const fields = [
    ...(wanted.assigneeId === ticket.assigneeId ? [] : ['assignee']),
    ...(wanted.teamId === ticket.teamId ? [] : ['team']),
  ]
  if (fields.length === 0) return ticketOf(tx, tenantId, ticket)
  const changed = await changeTicket(tx, caller, ticket, wanted)
  await audit(tx, caller, 'ticket.assigned', ticket.id, fields)
  await happen(tx, caller, 'ticket.assigned', ticket.id)
  await tellOf(tx, caller, ticket, changed)
  const { assignee: previousAssignee } = await ticketOf(tx, tenantId, ticket)
  const assigned = await ticketOf(tx, tenantId, changed)
  await emit(tx, caller, 'ticket.assigned', { ticket: assigned, previousAssignee })
  return assigned
}

/** Tells who has it now, and of what no member was chosen for, the members of its team (decisions §20). */
async function tellOf(tx: Tx, caller: Caller, before: TicketRow, { id: ticketId, assigneeId, teamId }: TicketRow) {
  const isHandedOver = assigneeId !== before.assigneeId
  if (isHandedOver && assigneeId !== null) {
    await alertPeople(tx, caller, { kind: 'assigned', ticketId, messageId: null, userIds: [assigneeId] })
  }
  if (teamId === null || teamId === before.teamId || (isHandedOver && assigneeId !== null)) return
  const members = (await findTeam(tx, caller.tenantId, teamId))?.memberIds ?? []
  const userIds = members.filter((id) => id !== assigneeId)
  await alertPeople(tx, caller, { kind: 'new_in_team', ticketId, messageId: null, userIds })
}

async function placesOf(tx: Tx, caller: Caller, ticket: TicketRow, to: Assignee) {
  const userId = to.userId?.toLowerCase() ?? to.userId
  const teamId = to.teamId === undefined ? ticket.teamId : (to.teamId?.toLowerCase() ?? null)
  if (typeof userId === 'string' && !(await isUserOf(tx, caller.tenantId, userId))) {
    throw invalid('userId', rule('user_unknown'))
  }
  const team = teamId === null ? null : await findTeam(tx, caller.tenantId, teamId)
  if (team === undefined) throw invalid('teamId', rule('team_unknown'))
  if (userId !== undefined) return { assigneeId: userId, teamId }
  const isHandedOver = team !== null && team.id !== ticket.teamId
  if (!isHandedOver || team.distribution === 'none') return { assigneeId: ticket.assigneeId, teamId }
  return { assigneeId: await chooseMember(tx, caller, team), teamId }
}

/** Takes all tickets from somebody who leaves. */
export async function unassignAll(tx: Tx, { tenantId }: Caller, userId: string): Promise<void> {
  const theirs = and(ofTenant(tickets, tenantId), eq(tickets.assigneeId, userId))
  await noteAllChanged(tx, theirs)
  await tx.update(tickets).set({ assigneeId: null }).where(theirs)
}

/** Deletes a team: its tickets stay with whoever has them, or nobody. For admins. Throws `not_found`. */
export async function deleteTeam(tx: Tx, caller: Caller, teamId: string): Promise<void> {
  const { tenantId } = caller
  await getTeam(tx, tenantId, teamId)
  const theirs = and(ofTenant(tickets, tenantId), eq(tickets.teamId, teamId))
  await noteAllChanged(tx, theirs)
  await tx.update(tickets).set({ teamId: null }).where(theirs)
  await removeTeam(tx, caller, teamId)
}

/**
 * Gives the ticket a priority; none of the six events tells of it. The same one changes nothing. Throws
 * `invalid_request` for an unknown one, `not_found`, `unprocessable` for a merged ticket.
 */
export async function setPriority(tx: Tx, caller: Caller, id: string, name: string): Promise<Ticket> {
  const { tenantId } = caller
  const priority = priorities.find((known) => known === name)
  if (!priority) throw invalid('priority', rule('one_of', { choices: priorities.join(', ') }))
  const ticket = await ticketToWorkOn(tx, caller, id)
  if (ticket.priority === priority) return ticketOf(tx, tenantId, ticket)
  const changed = await changeTicket(tx, caller, ticket, { priority })
  await audit(tx, caller, 'ticket.priority_changed', ticket.id)
  return ticketOf(tx, tenantId, changed)
}
