import { and, eq } from 'drizzle-orm'
import { audit } from '../audit/record.ts'
import type { Caller } from '../caller.ts'
import type { Tx } from '../db/index.ts'
import { ofTenant } from '../db/index.ts'
import { teamMembers, teams } from '../db/schema.ts'
import { invalid, refusal, rule } from '../errors.ts'
import { distributions } from '../kinds/teams.ts'
import { newId } from '../lib/ids.ts'
import { checkName } from '../lib/input/names.ts'
import { formatTime } from '../lib/time.ts'
import { isUserOf } from '../users/profile.ts'
import type { Team } from './model.ts'
import { getTeam, knownTeams } from './read.ts'

/** The most teams of a tenant: the list comes whole. */
export const MAX_TEAMS = 200

/** What people say of a team; what is left out stays. */
export interface TeamInput {
  readonly name?: string | undefined
  readonly distribution?: string | undefined
  /** Ids of users. */
  readonly memberIds?: readonly string[] | undefined
}

/**
 * A team. For admins. Throws `invalid_request` for a bad name or distribution and for somebody else's user, `conflict`
 * where there is one of that name, in whatever case, or as many as there can be.
 */
export async function createTeam(tx: Tx, caller: Caller, input: TeamInput & { name: string }): Promise<Team> {
  const { tenantId } = caller
  const name = await freeName(tx, caller, input.name)
  if ((await knownTeams(tx, tenantId)).length >= MAX_TEAMS) {
    throw refusal('conflict', rule('too_many_teams', { most: MAX_TEAMS }))
  }
  const id = newId(caller.at)
  await tx.insert(teams).values({
    tenantId,
    id,
    name,
    comparableName: name.toLowerCase(),
    distribution: checkDistribution(input.distribution ?? 'none'),
    createdAt: formatTime(caller.at),
  })
  await replaceMembers(tx, caller, id, input.memberIds ?? [])
  await audit(tx, caller, 'team.created', id)
  return getTeam(tx, tenantId, id)
}

/** Changes what is given. For admins. Throws `not_found`, and as `createTeam`. */
export async function updateTeam(tx: Tx, caller: Caller, id: string, input: TeamInput): Promise<Team> {
  const { tenantId } = caller
  const before = await getTeam(tx, tenantId, id)
  const name = input.name === undefined ? before.name : await freeName(tx, caller, input.name, id)
  const distribution = checkDistribution(input.distribution ?? before.distribution)
  const memberIds = input.memberIds && [...new Set(input.memberIds)].sort()
  const regrouped =
    memberIds &&
    memberIds.join() !==
      before.members
        .map((member) => member.id)
        .sort()
        .join()
  const fields = [
    ...(name === before.name ? [] : ['name']),
    ...(distribution === before.distribution ? [] : ['distribution']),
    ...(regrouped ? ['members'] : []),
  ]
  if (fields.length === 0) return before
  await tx
    .update(teams)
    .set({ name, comparableName: name.toLowerCase(), distribution })
    .where(and(ofTenant(teams, tenantId), eq(teams.id, id)))
  if (regrouped) await replaceMembers(tx, caller, id, memberIds)
  await audit(tx, caller, 'team.updated', id, fields)
  return getTeam(tx, tenantId, id)
}

/** Deletes a team that no ticket belongs to any more: `deleteTeam` of the tickets sees to that. */
export async function removeTeam(tx: Tx, caller: Caller, id: string): Promise<void> {
  await tx.delete(teams).where(and(ofTenant(teams, caller.tenantId), eq(teams.id, id)))
  await audit(tx, caller, 'team.deleted', id)
}

/** Notes that it was this member's turn. */
export async function noteTurn(tx: Tx, { tenantId }: Caller, id: string, userId: string): Promise<void> {
  await tx
    .update(teams)
    .set({ lastChosenId: userId })
    .where(and(ofTenant(teams, tenantId), eq(teams.id, id)))
}

async function freeName(tx: Tx, { tenantId }: Caller, text: string, own?: string): Promise<string> {
  const name = checkName(text)
  const isTaken = (await knownTeams(tx, tenantId)).some(
    ({ id, comparableName }) => id !== own && comparableName === name.toLowerCase(),
  )
  if (isTaken) throw refusal('conflict', rule('team_taken'))
  return name
}

function checkDistribution(text: string): Team['distribution'] {
  const distribution = distributions.find((known) => known === text)
  if (!distribution) throw invalid('distribution', rule('one_of', { choices: distributions.join(', ') }))
  return distribution
}

async function replaceMembers(tx: Tx, caller: Caller, teamId: string, userIds: readonly string[]): Promise<void> {
  const { tenantId } = caller
  const members = [...new Set(userIds)]
  for (const userId of members) {
    if (!(await isUserOf(tx, tenantId, userId))) throw invalid('members', rule('user_unknown'))
  }
  await tx.delete(teamMembers).where(and(ofTenant(teamMembers, tenantId), eq(teamMembers.teamId, teamId)))
  if (members.length > 0) await tx.insert(teamMembers).values(members.map((userId) => ({ tenantId, teamId, userId })))
}
