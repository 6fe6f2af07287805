import { type Command, Option } from 'commander'
import type { Reader } from '../../db/index.ts'
import { distributions } from '../../kinds/teams.ts'
import type { Team } from '../../teams/model.ts'
import { createTeam, updateTeam } from '../../teams/operations.ts'
import { teamNamed } from '../../teams/read.ts'
import { deleteTeam } from '../../tickets/assignment.ts'
import { getProfile } from '../../users/profile.ts'
import { change, commaSeparated, earlierOption, noun, type TenantOptions, withTenant } from '../command.ts'
import { print } from '../print.ts'

interface TeamOptions extends TenantOptions {
  team: string
  name?: string
  distribution?: Team['distribution']
  members?: string[]
  member?: string[]
}

const MEMBERS = ['--members <users>', 'ids or email addresses of all its members, with commas between'] as const
const EARLIER_MEMBERS = '--member <user...>'

/** `team create`, `rename`, `update` and `delete`. */
export function teamCommands(root: Command): void {
  const team = noun(root, 'team')
  const about = (name: string, description: string) =>
    withTenant(team.command(name)).description(description).requiredOption('--team <team>', 'its name or id')
  const distribution = () =>
    new Option('--distribution <way>', 'whom a ticket goes to that is handed to it').choices(distributions)

  withTenant(team.command('create'))
    .description('create a team')
    .requiredOption('--name <name>')
    .addOption(distribution())
    .option(...MEMBERS, commaSeparated)
    .addOption(earlierOption(EARLIER_MEMBERS))
    .action(async (options: TeamOptions & { name: string }) => {
      const made = await change(options, async (tx, caller) =>
        createTeam(tx, caller, {
          ...options,
          memberIds: await idsOf(tx, caller.tenantId, options.members ?? options.member),
        }),
      )
      print(made, options)
    })

  const update = async (options: TeamOptions) => {
    const changed = await change(options, async (tx, caller) => {
      const { id } = await teamNamed(tx, caller.tenantId, options.team)
      return updateTeam(tx, caller, id, {
        ...options,
        memberIds: await idsOf(tx, caller.tenantId, options.members ?? options.member),
      })
    })
    print(changed, options)
  }
  about('rename', 'rename a team').requiredOption('--name <name>').action(update)
  about('update', 'say who is in a team, and whom its tickets go to')
    .addOption(distribution())
    .option(...MEMBERS, commaSeparated)
    .addOption(earlierOption(EARLIER_MEMBERS))
    .action(update)

  about('delete', 'delete a team: its tickets stay with whoever has them').action(async (options: TeamOptions) => {
    const teamId = await change(options, async (tx, caller) => {
      const { id } = await teamNamed(tx, caller.tenantId, options.team)
      await deleteTeam(tx, caller, id)
      return id
    })
    print({ teamId }, options)
  })
}

async function idsOf(db: Reader, tenantId: string, users: readonly string[] | undefined) {
  if (users === undefined) return undefined
  const ids: string[] = []
  for (const user of users) ids.push((await getProfile(db, tenantId, user)).userId)
  return ids
}
