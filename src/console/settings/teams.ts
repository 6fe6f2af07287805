import { distributions } from '../../kinds/teams.ts'
import { html } from '../../lib/html/markup.ts'
import type { Team } from '../../teams/model.ts'
import { createTeam, updateTeam } from '../../teams/operations.ts'
import { getTeam, listTeams } from '../../teams/read.ts'
import { deleteTeam } from '../../tickets/assignment.ts'
import { listColleagues } from '../../users/colleagues.ts'
import { backLink, card, pageHead } from '../components/display.ts'
import { button, checkbox, confirmed, field, fieldset, form, select } from '../components/forms.ts'
import { table } from '../components/lists.ts'
import type { Guard } from '../guard.ts'
import { requireSeen, seenInput } from '../seen.ts'
import { type Again, type PageContent, redirectTo, type Visit } from '../visit.ts'
import { settingsHead } from './head.ts'

const role = 'admin'
export const TEAMS = '/console/settings/teams'
const TEAM = `${TEAMS}/:id`

const pathOf = (id: string) => `${TEAMS}/${id}`

const distributionWords = {
  none: 'distribution_none',
  round_robin: 'distribution_round_robin',
  least_open: 'distribution_least_open',
} as const satisfies Record<Team['distribution'], string>

/** Teams are made, filled and deleted, as the command line does (decisions §16). */
export function teamPages(add: Guard): void {
  add.page(TEAMS, { role }, (visit) => teamsPage(visit))
  add.action(TEAMS, { role, again: teamsPage }, async (visit, sent) => {
    const { id, name } = await visit.change((tx, caller) => createTeam(tx, caller, { name: sent.text('name') }))
    return redirectTo(pathOf(id), visit.wording.say('teamCreated', { name }))
  })

  add.page(TEAM, { role }, (visit) => teamPage(visit))
  add.action(TEAM, { role, again: teamPage }, async (visit, sent) => {
    const { id } = await teamOf(visit)
    const input = {
      name: sent.text('name'),
      distribution: sent.text('distribution'),
      memberIds: sent.texts('members'),
    }
    await visit.change(async (tx, caller) => {
      requireSeen(sent, await getTeam(tx, caller.tenantId, id))
      await updateTeam(tx, caller, id, input)
    })
    return redirectTo(TEAMS, visit.wording.say('settingsSaved'))
  })

  add.action(`${TEAM}/delete`, { role }, async (visit) => {
    const { id, name } = await teamOf(visit)
    await visit.change((tx, caller) => deleteTeam(tx, caller, id))
    return redirectTo(TEAMS, visit.wording.say('teamDeleted', { name }))
  })
}

async function teamsPage(visit: Visit, again?: Again): Promise<PageContent> {
  const { say, locale } = visit.wording
  const teams = await listTeams(visit.db, visit.principal.tenantId)
  const names = new Intl.ListFormat(locale, { type: 'unit' })
  return {
    title: say('settingsTeams'),
    body: html`${settingsHead(visit, TEAMS, say('teamsIntro'))}
${table({
  caption: say('settingsTeams'),
  hidesCaption: true,
  columns: [{ label: say('inboxName') }, { label: say('teamMembers') }, { label: say('teamDistribution') }],
  rows: teams
    .toSorted((one, other) => one.name.localeCompare(other.name, locale))
    .map(({ id, name, members, distribution }) => [
      html`<a href="${visit.href(pathOf(id))}"><bdi>${name}</bdi></a>`,
      members.length === 0 ? say('teamNobody') : names.format(members.map((member) => member.name)),
      say(distributionWords[distribution]),
    ]),
  empty: say('teamsNone'),
})}
${card(
  say('teamNew'),
  form(visit, { action: TEAMS }, [
    field(visit, { name: 'name', label: say('inboxName'), required: true, maxLength: 255, autocomplete: 'off', again }),
    button(say('teamCreate')),
  ]),
)}`,
  }
}

/** One team: what it is called, who is in it, and whom its tickets go to. */
async function teamPage(visit: Visit, again?: Again): Promise<PageContent> {
  const { say } = visit.wording
  const team = await teamOf(visit)
  const colleagues = await listColleagues(visit.db, visit.principal.tenantId)
  const members = new Set(team.members.map(({ id }) => id))
  return {
    title: team.name,
    width: 'narrow',
    body: html`${backLink(visit, TEAMS, say('settingsTeams'))}
${pageHead(team.name)}
<div class="card">${form(visit, { action: pathOf(team.id) }, [
      seenInput(team),
      field(visit, {
        name: 'name',
        label: say('inboxName'),
        value: team.name,
        required: true,
        maxLength: 255,
        autocomplete: 'off',
        again,
      }),
      select(visit, {
        name: 'distribution',
        label: say('teamDistribution'),
        help: say('teamMembersHelp'),
        options: distributions.map((way) => [way, say(distributionWords[way])] as const),
        value: team.distribution,
        again,
      }),
      fieldset(
        { legend: say('teamMembers'), name: 'members', again },
        colleagues.map(({ userId, name }) =>
          checkbox(visit, { name: 'members', value: userId, label: name, checked: members.has(userId), again }),
        ),
      ),
      button(say('save')),
    ])}</div>
<div class="card">${confirmed(visit, {
      label: say('teamDelete'),
      question: say('teamDeleteAsk'),
      action: `${pathOf(team.id)}/delete`,
    })}</div>`,
  }
}

function teamOf({ db, principal, params }: Visit): Promise<Team> {
  return getTeam(db, principal.tenantId, params.id as string)
}
