import { and, count, sql } from 'drizzle-orm'
import type { Caller } from '../caller.ts'
import { isOneOf, ofTenant, prepared, type Tx } from '../db/index.ts'
import { tickets } from '../db/schema.ts'
import { noteTurn } from '../teams/operations.ts'
import { type KnownTeam, lastChosenOf } from '../teams/read.ts'
import { colleaguesById } from '../users/colleagues.ts'

/**
 * Whom of a team that distributes a ticket goes to: the next in turn, or whoever has the fewest open tickets, the one
 * who joined the tenant first among equals. Null where everybody is away (decisions §16).
 */
export async function chooseMember(tx: Tx, caller: Caller, team: KnownTeam): Promise<string | null> {
  const people = await colleaguesById(tx, caller.tenantId)
  const present = team.memberIds.filter((id) => people.get(id)?.away === false)
  if (present.length === 0) return null
  return team.distribution === 'least_open' ? leastBusy(tx, caller, present) : nextInTurn(tx, caller, team.id, present)
}

async function nextInTurn(tx: Tx, caller: Caller, teamId: string, present: readonly string[]): Promise<string> {
  const last = await lastChosenOf(tx, caller.tenantId, teamId)
  const next = present.find((id) => last !== null && id > last) ?? (present[0] as string)
  await noteTurn(tx, caller, teamId, next)
  return next
}

const openOfMembers = prepared((db) =>
  db
    .select({ userId: tickets.assigneeId, count: count() })
    .from(tickets)
    .where(
      and(
        ofTenant(tickets),
        isOneOf(db, tickets.assigneeId, sql.placeholder('userIds')),
        sql`${tickets.status} = 'open'`,
      ),
    )
    .groupBy(tickets.assigneeId)
    .prepare(),
)

async function leastBusy(tx: Tx, { tenantId }: Caller, present: readonly string[]): Promise<string> {
  const rows = await openOfMembers(tx).execute({ tenantId, userIds: JSON.stringify(present) })
  const open = new Map(rows.map((row) => [row.userId, row.count]))
  return present.reduce((best, id) => ((open.get(id) ?? 0) < (open.get(best) ?? 0) ? id : best))
}
