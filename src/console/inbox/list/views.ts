import { html, type Markup } from '../../../lib/html/markup.ts'
import { promisesOf } from '../../../promises/read.ts'
import type { DueFilter } from '../../../tickets/inbox/due.ts'
import { countInbox } from '../../../tickets/inbox/list.ts'
import { type InboxView, listViews } from '../../../tickets/inbox/views.ts'
import { confirmed, field, form } from '../../components/forms.ts'
import type { Again, Visit } from '../../visit.ts'
import { statusWords } from '../labels.ts'
import { readTroubles, troubleList } from './attention.ts'
import { type Asked, askedBy, filtersOf, listPath, NOTHING_ASKED, queryOf, type Status, statuses } from './query.ts'

/** Where views are kept: one's own, and everybody's. */
export const OWN_VIEWS = '/console/inbox/views'
export const SHARED_VIEWS = '/console/inbox/shared-views'

/** Tickets of a view that are counted: from there on it says "99+". */
const MOST = 100
/** Views that are counted, the first ones: each costs a statement. */
const COUNTED = 12

/** The views that somebody has: those of everybody's work, shared ones, and their own. */
export interface Views {
  readonly standard: readonly NamedFilters[]
  readonly shared: readonly InboxView[]
  readonly own: readonly InboxView[]
  /** How many tickets they hold, by their filters; what nobody works on is not counted. */
  readonly counts: ReadonlyMap<string, number>
  /** What has gone wrong, for those who may act there. */
  readonly troubles: Awaited<ReturnType<typeof readTroubles>>
}

interface NamedFilters {
  readonly name: string
  readonly filters: string
}

export async function readViews(visit: Visit): Promise<Views> {
  const { say } = visit.wording
  const { tenantId, userId } = visit.principal
  const [own, shared] = await Promise.all([listViews(visit.db, tenantId, userId), listViews(visit.db, tenantId, null)])
  const given: readonly (readonly [text: string, status: Status, assignee: string])[] = [
    [say('viewOpen'), 'open', ''],
    [say('viewMine'), 'open', 'me'],
    [say('viewUnassigned'), 'open', 'nobody'],
    ...statuses.slice(1).map((status) => [say(statusWords[status]), status, ''] as const),
  ]
  const standard = given.map(([name, status, assignee]) => ({
    name,
    filters: queryOf({ ...NOTHING_ASKED, status, assignee }).toString(),
  }))
  // Where nothing is promised, nothing is ever due.
  if ((await promisesOf(visit.db, tenantId)).length > 0) {
    const due = (filter: DueFilter) => queryOf({ ...NOTHING_ASKED, status: 'all', due: filter }).toString()
    standard.splice(
      3,
      0,
      { name: say('viewDueToday'), filters: due('today') },
      { name: say('viewOverdue'), filters: due('overdue') },
    )
  }
  const asked = [...standard, ...shared, ...own].map(({ filters }) => ({
    filters,
    asked: askedBy(new URLSearchParams(filters)),
  }))
  const counted = asked
    .filter(({ asked: { status, text, due } }) => (isWork(status) || due !== '') && text === '')
    .slice(0, COUNTED)
  const [found, troubles] = await Promise.all([
    countInbox(
      visit.db,
      tenantId,
      counted.map((view) => filtersOf(view.asked, visit)),
      MOST,
    ),
    readTroubles(visit, MOST),
  ])
  return {
    standard,
    own,
    shared,
    troubles,
    counts: new Map(counted.map(({ filters }, index) => [filters, found[index] ?? 0])),
  }
}

const isWork = (status: Asked['status']) => status === 'open' || status === 'pending' || status === 'snoozed'

/** What people look at again and again, one click away. `current` is what the list shows now. */
export function viewList(visit: Visit, views: Views, current: string | null): Markup {
  const { say } = visit.wording
  const { standard, own, shared, counts, troubles } = views
  const shown = current === null ? null : listPath(new URLSearchParams(current))
  const links = (views: readonly NamedFilters[]) =>
    html`<ul>${views.map(
      ({ name, filters }) =>
        html`<li><a href="${visit.href(listPath(new URLSearchParams(filters)))}"${filters === current && html` aria-current="page"`}><span>${name}</span>${countOf(visit, counts.get(filters))}</a></li>`,
    )}</ul>`
  const group = (id: string, title: string, views: readonly InboxView[]) =>
    views.length > 0 && html`<h2 id="${id}">${title}</h2>${links(views)}`
  return html`<div class="views" role="group" aria-label="${say('inboxViews')}" data-views>${links(standard)}${group('shared-views', say('sharedViews'), shared)}${group(
    'own-views',
    say('ownViews'),
    own,
  )}${troubleList(visit, troubles, shown, (count) => sayCount(visit, count))}</div>`
}

function countOf(visit: Visit, count = 0): Markup | false {
  if (count === 0) return false
  return html`<span class="count">${sayCount(visit, count)}</span>`
}

const sayCount = ({ wording }: Visit, count: number) => (count < MOST ? wording.write(count) : `${MOST - 1}+`)

/** Keeps what is looked at now as a view, or deletes the view that it is. */
export function viewForms(visit: Visit, current: string, { standard, own, shared }: Views, again?: Again): Markup {
  const isKept = [...standard, ...own, ...shared].some(({ filters }) => filters === current)
  return html`${!isKept && keepForm(visit, current, again)}${dropForm(visit, current, { own, shared })}`
}

function keepForm(visit: Visit, current: string, again?: Again): Markup {
  const { say } = visit.wording
  return html`<details class="keep"${again?.form.has('name') && html` open`}><summary>${say('keepView')}</summary>${form(
    visit,
    { action: OWN_VIEWS },
    [
      html`<input type="hidden" name="list" value="${current}">`,
      field(visit, { name: 'name', label: say('viewName'), required: true, maxLength: 255, again }),
      html`<div class="buttons"><button class="secondary">${say('keepForMe')}</button>${
        visit.principal.role === 'admin' &&
        html`<button class="secondary" formaction="${visit.href(SHARED_VIEWS)}">${say('keepForAll')}</button>`
      }</div>`,
    ],
  )}</details>`
}

/** The view that is looked at can be deleted by those whose it is. */
function dropForm(
  visit: Visit,
  current: string,
  { own, shared }: { own: readonly InboxView[]; shared: readonly InboxView[] },
): Markup[] {
  const { say } = visit.wording
  const drop = (path: string, views: readonly InboxView[]) =>
    views
      .filter(({ filters }) => filters === current)
      .map(({ id, name }) =>
        confirmed(visit, {
          label: say('deleteView', { name }),
          question: say('deleteViewQuestion'),
          action: `${path}/${id}/delete`,
        }),
      )
  return [...drop(OWN_VIEWS, own), ...(visit.principal.role === 'admin' ? drop(SHARED_VIEWS, shared) : [])]
}
