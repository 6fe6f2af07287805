import { and, desc, eq, sql } from 'drizzle-orm'
import { ofTenant, prepared, type Reader, remembered, textList } from '../db/index.ts'
import { teamMembers, teams } from '../db/schema.ts'
import { notFound } from '../errors.ts'
import { colleaguesById } from '../users/colleagues.ts'
import type { Team } from './model.ts'

const teamsOfTenant = prepared((db) =>
  db
    .select({
      id: teams.id,
      name: teams.name,
      comparableName: teams.comparableName,
      distribution: teams.distribution,
      memberIds: textList(
        db,
        teamMembers.userId,
        teamMembers,
        and(eq(teamMembers.tenantId, teams.tenantId), eq(teamMembers.teamId, teams.id)),
      ),
    })
    .from(teams)
    .where(ofTenant(teams))
    .orderBy(desc(teams.id))
    .prepare(),
)

/** A team with the ids of its members, the oldest user first. */
export interface KnownTeam extends Pick<Team, 'id' | 'name' | 'distribution'> {
  readonly comparableName: string
  readonly memberIds: readonly string[]
}

const teamsById = remembered(
  [teams, teamMembers],
  async (db, tenantId: string): Promise<ReadonlyMap<string, KnownTeam>> => {
    const rows = await teamsOfTenant(db).execute({ tenantId })
    return new Map(rows.map((row) => [row.id, { ...row, memberIds: row.memberIds?.split(',').sort() ?? [] }]))
  },
)

/** All teams of the tenant, newest first. */
export async function listTeams(db: Reader, tenantId: string): Promise<Team[]> {
  const people = await colleaguesById(db, tenantId)
  return [...(await teamsById(db, tenantId)).values()].map(({ id, name, distribution, memberIds }) => {
    const members = memberIds.flatMap((userId) => {
      const person = people.get(userId)
      return person ? { id: userId, name: person.name } : []
    })
    return { id, name, distribution, members: members.sort((a, b) => a.name.localeCompare(b.name)) }
  })
}

/** One team. Throws `not_found`. */
export async function getTeam(db: Reader, tenantId: string, id: string): Promise<Team> {
  const team = (await listTeams(db, tenantId)).find((one) => one.id === id)
  if (!team) throw notFound('team')
  return team
}

/** The team of this id, if the tenant has it. */
export async function findTeam(db: Reader, tenantId: string, id: string): Promise<KnownTeam | undefined> {
  return (await teamsById(db, tenantId)).get(id)
}

/** The team that a person names, by its name in whatever case or its id. Throws `not_found`. */
export async function teamNamed(db: Reader, tenantId: string, name: string): Promise<KnownTeam> {
  const wanted = name.trim().toLowerCase()
  const team = (await knownTeams(db, tenantId)).find(
    ({ id, comparableName }) => id === wanted || comparableName === wanted,
  )
  if (!team) throw notFound('team')
  return team
}

/** All teams, without their members' names. */
export async function knownTeams(db: Reader, tenantId: string): Promise<KnownTeam[]> {
  return [...(await teamsById(db, tenantId)).values()]
}

const lastChosen = prepared((db) =>
  db
    .select({ lastChosenId: teams.lastChosenId })
    .from(teams)
    .where(and(ofTenant(teams), eq(teams.id, sql.placeholder('id'))))
    .prepare(),
)

/** Who got a ticket of the team last, where its members get them in turn. */
export async function lastChosenOf(db: Reader, tenantId: string, id: string): Promise<string | null> {
  const [row] = await lastChosen(db).execute({ tenantId, id })
  return row?.lastChosenId ?? null
}
