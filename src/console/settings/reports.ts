import { listInboxes } from '../../inboxes/operations.ts'
import { reportKinds } from '../../kinds/reports.ts'
import { html } from '../../lib/html/markup.ts'
import { addReportMail, listReportMails, removeReportMail } from '../../reports/mails/subscriptions.ts'
import { chooseSatisfactionForm, formsToAskBy } from '../../satisfaction/ready-made.ts'
import { knownTeams } from '../../teams/read.ts'
import { colleaguesById, listColleagues } from '../../users/colleagues.ts'
import { card, time } from '../components/display.ts'
import { button, form, select } from '../components/forms.ts'
import { table } from '../components/lists.ts'
import type { Guard } from '../guard.ts'
import { type Again, type PageContent, redirectTo, type Visit } from '../visit.ts'
import { settingsHead } from './head.ts'

const role = 'admin'
const PATH = '/console/settings/reports'

const kindWords = { week: 'reportMail_week', overdue: 'reportMail_overdue' } as const

/** Who gets which report by mail, and by which form customers are asked how content they were (decisions §19). */
export function reportMailPages(add: Guard): void {
  add.page(PATH, { role }, (visit) => reportMailsPage(visit))
  add.action(PATH, { role, again: reportMailsPage }, async (visit, sent) => {
    const [user, kind, inbox, team] = [sent.text('user'), sent.text('kind'), sent.text('inbox'), sent.text('team')]
    await visit.change((tx, caller) => addReportMail(tx, caller, { user, kind, inbox, team }))
    return redirectTo(PATH, visit.wording.say('reportMailAdded'))
  })
  add.action(`${PATH}/form`, { role, again: reportMailsPage }, async (visit, sent) => {
    await visit.change((tx, caller) => chooseSatisfactionForm(tx, caller, sent.text('form')))
    return redirectTo(PATH, visit.wording.say('settingsSaved'))
  })
  add.action(`${PATH}/:mailId/remove`, { role }, async (visit) => {
    await visit.change((tx, caller) => removeReportMail(tx, caller, visit.params.mailId as string))
    return redirectTo(PATH, visit.wording.say('reportMailRemoved'))
  })
}

async function reportMailsPage(visit: Visit, again?: Again): Promise<PageContent> {
  const { db, principal, wording } = visit
  const { say } = wording
  const { tenantId } = principal
  const [mails, people, colleagues, inboxes, teams, asking] = await Promise.all([
    listReportMails(db, tenantId),
    colleaguesById(db, tenantId),
    listColleagues(db, tenantId),
    listInboxes(db, tenantId),
    knownTeams(db, tenantId),
    formsToAskBy(db, tenantId, visit.at),
  ])
  const nameIn = (records: readonly { id: string; name: string }[], id: string | null) =>
    records.find((record) => record.id === id)?.name
  const pairs = (records: readonly { id: string; name: string }[]) => records.map(({ id, name }) => [id, name] as const)
  return {
    title: say('settingsReports'),
    body: html`${settingsHead(visit, PATH, say('reportMailsIntro'))}
${table({
  caption: say('settingsReports'),
  hidesCaption: true,
  columns: [
    { label: say('reportMailWho') },
    { label: say('reportMailWhat') },
    { label: say('reportMailOf') },
    { label: say('reportMailNext') },
    { label: say('reportMailRemove'), kind: 'actions' },
  ],
  rows: mails.map(({ id, userId, kind, inboxId, teamId, dueAt }) => [
    people.get(userId)?.name ?? '',
    say(kindWords[kind]),
    [nameIn(inboxes, inboxId), nameIn(teams, teamId)].filter(Boolean).join(', ') || say('reportMailAll'),
    dueAt && time(visit, dueAt),
    form(
      visit,
      { action: `${PATH}/${id}/remove`, inline: true },
      button(say('reportMailRemove'), { kind: 'secondary' }),
    ),
  ]),
  empty: say('reportMailsNone'),
})}
<div class="columns">${card(
      say('reportMailNew'),
      form(visit, { action: PATH }, [
        select(visit, {
          name: 'user',
          label: say('reportMailWho'),
          options: colleagues.map(({ userId, name }) => [userId, name] as const),
          value: principal.userId,
          again,
        }),
        select(visit, {
          name: 'kind',
          label: say('reportMailWhat'),
          options: reportKinds.map((kind) => [kind, say(kindWords[kind])] as const),
          again,
        }),
        select(visit, {
          name: 'inbox',
          label: say('ticketInbox'),
          options: [['', say('anyInbox')], ...pairs(inboxes)],
          again,
        }),
        teams.length > 0 &&
          select(visit, {
            name: 'team',
            label: say('ticketTeam'),
            options: [['', say('anyTeam')], ...pairs(teams)],
            again,
          }),
        button(say('reportMailAdd')),
      ]),
    )}${
      asking.forms.length > 0 &&
      card(
        say('ticketSatisfaction'),
        form(visit, { action: `${PATH}/form` }, [
          select(visit, {
            name: 'form',
            label: say('askUsually'),
            help: say('askUsuallyHelp'),
            options: asking.forms.map(({ id, title }) => [id, title] as const),
            value: asking.usual?.id ?? '',
            again,
          }),
          button(say('save'), { kind: 'secondary' }),
        ]),
      )
    }</div>`,
  }
}
