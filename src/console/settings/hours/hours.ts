import type { Calendar } from '../../../calendars/model.ts'
import { setCalendar } from '../../../calendars/operations.ts'
import { calendarOfInbox, calendarOfTenant, findOwnCalendar, type Owner } from '../../../calendars/read.ts'
import { writeWeek } from '../../../calendars/week-text.ts'
import type { Inbox } from '../../../inboxes/model.ts'
import { getInbox, listInboxes } from '../../../inboxes/operations.ts'
import { html } from '../../../lib/html/markup.ts'
import { backLink, card, pageHead } from '../../components/display.ts'
import { confirmed } from '../../components/forms.ts'
import { table } from '../../components/lists.ts'
import type { FormFields } from '../../form-fields.ts'
import type { Guard } from '../../guard.ts'
import { requireSeen } from '../../seen.ts'
import { type Again, type PageContent, type Redirect, redirectTo, type Visit } from '../../visit.ts'
import { settingsHead } from '../head.ts'
import { daysOffForm, hoursForm, readHoursForm } from './form.ts'
import { takeDaysOff } from './import.ts'

const role = 'admin'
export const HOURS = '/console/settings/hours'
const INBOX = `${HOURS}/:inboxId`

const pathOf = ({ inboxId }: Owner) => (inboxId === undefined ? HOURS : `${HOURS}/${inboxId}`)

/** When people work, of the whole tenant and of inboxes that have other hours (decisions §18). */
export function hoursPages(add: Guard): void {
  add.page(HOURS, { role }, (visit) => companyPage(visit))
  add.page(INBOX, { role }, (visit) => inboxHoursPage(visit))
  for (const [path, again] of [
    [HOURS, companyPage],
    [INBOX, inboxHoursPage],
  ] as const) {
    add.action(path, { role, again }, save)
    add.action(`${path}/days-off`, { role, again }, takeIn)
    add.action(`${path}/clear`, { role }, clear)
  }
}

async function save(visit: Visit, sent: FormFields): Promise<Redirect> {
  const owner = await ownerOf(visit)
  const calendar = readHoursForm(sent)
  await visit.change(async (tx, caller) => {
    requireSeen(sent, { own: await findOwnCalendar(tx, caller.tenantId, owner) })
    await setCalendar(tx, caller, owner, calendar)
  })
  return redirectTo(pathOf(owner), visit.wording.say('settingsSaved'))
}

async function takeIn(visit: Visit, sent: FormFields): Promise<Redirect> {
  const owner = await ownerOf(visit)
  const count = await takeDaysOff(visit, owner, sent, (tx) => heldBy(tx, visit, owner))
  return redirectTo(pathOf(owner), visit.wording.say('daysOffTaken', { count }))
}

async function clear(visit: Visit): Promise<Redirect> {
  const owner = await ownerOf(visit)
  await visit.change((tx, caller) => setCalendar(tx, caller, owner, null))
  return redirectTo(HOURS, visit.wording.say('settingsSaved'))
}

async function companyPage(visit: Visit, again?: Again): Promise<PageContent> {
  const { say } = visit.wording
  const { tenantId } = visit.principal
  const own = await findOwnCalendar(visit.db, tenantId, {})
  const calendar = await calendarOfTenant(visit.db, tenantId)
  const inboxes = (await listInboxes(visit.db, tenantId)).filter(({ archivedAt }) => archivedAt === null)
  const rows = await Promise.all(inboxes.map((inbox) => rowOf(visit, inbox)))
  return {
    title: say('settingsHours'),
    body: html`${settingsHead(visit, HOURS, say('hoursIntro'))}
${card(say('hoursCompany'), hoursForm(visit, { action: HOURS, own, calendar, again: isHours(again) ? again : undefined }))}
${card(say('daysOffFile'), daysOffForm(visit, `${HOURS}/days-off`, isHours(again) ? undefined : again))}
${
  own !== null &&
  html`<div class="card">${confirmed(visit, { label: say('hoursClear'), question: say('hoursClearAsk'), action: `${HOURS}/clear` })}</div>`
}
${table({
  caption: say('hoursInboxes'),
  columns: [{ label: say('inboxName') }, { label: say('settingsHours') }],
  rows,
  empty: say('hoursNoInboxes'),
})}`,
  }
}

async function rowOf(visit: Visit, { id, name }: Inbox) {
  const { say } = visit.wording
  const own = await findOwnCalendar(visit.db, visit.principal.tenantId, { inboxId: id })
  return [
    html`<a href="${visit.href(pathOf({ inboxId: id }))}"><bdi>${name}</bdi></a>`,
    own === null ? say('hoursFollow') : inWords(visit, own),
  ]
}

function inWords(visit: Visit, { hours, zone }: Calendar): string {
  const week = writeWeek(hours)
  return week === '' ? visit.wording.say('hoursNever') : `${week} ${zone}`
}

async function inboxHoursPage(visit: Visit, again?: Again): Promise<PageContent> {
  const { say } = visit.wording
  const { tenantId } = visit.principal
  const inbox = await getInbox(visit.db, tenantId, visit.params.inboxId as string)
  const owner = { inboxId: inbox.id }
  const own = await findOwnCalendar(visit.db, tenantId, owner)
  const calendar = await calendarOfInbox(visit.db, tenantId, inbox.id)
  const path = pathOf(owner)
  return {
    title: say('hoursOf', { inbox: inbox.name }),
    width: 'narrow',
    body: html`${backLink(visit, HOURS, say('settingsHours'))}
${pageHead(say('hoursOf', { inbox: inbox.name }), undefined, own === null ? say('hoursFollowing') : undefined)}
<div class="card">${hoursForm(visit, { action: path, own, calendar, again: isHours(again) ? again : undefined })}</div>
${card(say('daysOffFile'), daysOffForm(visit, `${path}/days-off`, isHours(again) ? undefined : again))}
${
  own !== null &&
  html`<div class="card">${confirmed(visit, { label: say('hoursFollowAgain'), question: say('hoursFollowAsk'), action: `${path}/clear` })}</div>`
}`,
  }
}

/** Of two forms on a page, the one that was sent comes again. */
const isHours = (again?: Again) => again?.form.has('zone') ?? false

async function ownerOf({ db, principal, params }: Visit): Promise<Owner> {
  const { inboxId } = params
  return inboxId === undefined ? {} : { inboxId: (await getInbox(db, principal.tenantId, inboxId)).id }
}

/** The calendar that the owner has now, its own or not: what is changed of it becomes its own. */
function heldBy(db: Visit['db'], { principal: { tenantId } }: Visit, { inboxId }: Owner): Promise<Calendar> {
  return inboxId === undefined ? calendarOfTenant(db, tenantId) : calendarOfInbox(db, tenantId, inboxId)
}
