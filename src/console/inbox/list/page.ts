import { listInboxes } from '../../../inboxes/operations.ts'
import { html, type Markup } from '../../../lib/html/markup.ts'
import { chatMarks } from '../../../livechat/seen.ts'
import { promisesOf } from '../../../promises/read.ts'
import { tagsToChoose } from '../../../tags/read.ts'
import { knownTeams } from '../../../teams/read.ts'
import { rowFactsOf } from '../../../tickets/inbox/last-words.ts'
import { countClosedSince } from '../../../tickets/inbox/list.ts'
import { readInboxPage } from '../../../tickets/inbox/page.ts'
import { searchInbox } from '../../../tickets/search/search.ts'
import { unreadOf } from '../../../tickets/thread/read-marks.ts'
import { listColleagues } from '../../../users/colleagues.ts'
import { emptyState, linkButton } from '../../components/display.ts'
import { withQuery } from '../../components/lists.ts'
import { menu } from '../../components/menus.ts'
import { icons } from '../../icons.ts'
import type { Again, PageContent, Visit } from '../../visit.ts'
import { urgenciesOf } from '../due.ts'
import { NEW_PATH } from '../outgoing/new-page.ts'
import { shortcutOpener, shortcutSheet } from '../shortcuts.ts'
import { bulkBar } from './bulk-bar.ts'
import { filterForm, searchForm } from './filters.ts'
import { liveList } from './live-list.ts'
import { type Asked, askedBy, filtersOf, listPath, queryOf } from './query.ts'
import { ticketRow } from './row.ts'
import { readViews, viewForms, viewList } from './views.ts'

const PAGE_SIZE = 50
const DAY = 24 * 60 * 60 * 1000
/** Tickets that were closed of late are counted up to here. */
const MANY = 1000

/** The tickets of the tenant, those first in which something happened last; or what was searched for. */
export async function inboxPage(visit: Visit, again?: Again): Promise<PageContent> {
  const { say } = visit.wording
  const { tenantId } = visit.principal
  const asked = askedBy(visit.query)
  const current = queryOf(asked).toString()
  const page = { cursor: visit.query.get('cursor') ?? undefined, limit: PAGE_SIZE }
  const filters = filtersOf(asked, visit)
  const [{ items, facts, previousCursor, nextCursor }, inboxes, colleagues, teams, tags, views] = await Promise.all([
    asked.text === ''
      ? readInboxPage(visit.db, tenantId, page, filters)
      : searchInbox(visit.db, tenantId, asked.text, page, filters).then(async (found) => ({
          ...found,
          facts: await rowFactsOf(visit.db, tenantId, found.items),
          previousCursor: null,
        })),
    listInboxes(visit.db, tenantId),
    listColleagues(visit.db, tenantId),
    knownTeams(visit.db, tenantId),
    tagsToChoose(visit.db, tenantId),
    readViews(visit),
  ])
  const [promises, urgencies, unread, marks] = await Promise.all([
    promisesOf(visit.db, tenantId),
    urgenciesOf(visit, items),
    unreadOf(visit.db, visit.principal, items),
    chatMarks(
      visit.db,
      tenantId,
      items.filter(({ requester, channel }) => requester === null && channel === 'livechat').map(({ id }) => id),
    ),
  ])
  return {
    title: say('inboxTitle'),
    body: html`<div class="panes" data-desk="list" data-lost="${say('deskLost')}"><div class="list-pane" data-pane="list">
<div class="list-head"><h1>${say('inboxTitle')}</h1>${searchForm(visit, asked)}<a class="secondary new" href="${visit.href(NEW_PATH)}" title="${say('newConversation')}">${icons.write}<span class="sr">${say('newConversation')}</span></a>${listMenu(visit, viewForms(visit, current, views, again), again)}</div>
${filterForm(visit, asked, { inboxes, colleagues, teams, tags, hasPromises: promises.length > 0 })}
${bulkBar(visit, asked, { colleagues, teams, tags })}
<div class="rows" data-rows>${
      items.length > 0
        ? html`<ul class="tickets" aria-label="${say('ticketList')}">${items.map((ticket) => ticketRow(visit, ticket, { isUnread: unread.has(ticket.id), page: marks.get(ticket.id)?.page, urgency: urgencies.get(ticket.id), ...facts.get(ticket.id) }))}</ul>`
        : await nothing(visit, asked, { goesOn: nextCursor !== null, hasInboxes: inboxes.length > 0 })
    }${pages(visit, previousCursor, nextCursor)}</div>
${liveList(visit)}</div><p class="choose">${say('chooseTicket')}</p></div>${shortcutSheet(visit)}`,
    isDesk: true,
    within: viewList(visit, views, current),
    scripts: ['desk'],
  }
}

/** What is seldom needed beside the list. */
function listMenu(visit: Visit, views: Markup, again?: Again): Markup {
  const { say } = visit.wording
  const link = (path: string, text: string) => html`<a href="${visit.href(path)}">${text}</a>`
  return menu({ name: 'more', icon: icons.more, label: say('more'), shown: null, isOpen: again?.form.has('name') }, [
    link('/console/canned-replies', say('cannedTitle')),
    link('/console/quarantine', say('quarantineTitle')),
    views,
    shortcutOpener(visit),
  ])
}

/** The list again that a form stood on, which says so in `list`. */
export function inboxPageAgain(visit: Visit, again: Again): Promise<PageContent> {
  const query = queryOf(askedBy(new URLSearchParams(again.form.text('list'))))
  return inboxPage({ ...visit, query, url: new URL(listPath(query), visit.url) }, again)
}

/** Why the list is empty, and what to do about it. */
async function nothing(
  visit: Visit,
  asked: Asked,
  { goesOn, hasInboxes }: { goesOn: boolean; hasInboxes: boolean },
): Promise<Markup> {
  const { say } = visit.wording
  if (!hasInboxes) {
    const isAdmin = visit.principal.role === 'admin'
    return emptyState(
      isAdmin ? say('noInboxes') : [say('noInboxes'), ' ', say('adminsAddInboxes')],
      isAdmin && linkButton(visit, '/console/settings/inboxes', say('settingsInboxes')),
    )
  }
  if (asked.text !== '') {
    if (goesOn) return emptyState(say('ticketsNotFoundYet'))
    return emptyState([say('ticketsNotFound', { text: asked.text }), ' ', say('searchHelp')])
  }
  if (asked.answers !== '') return emptyState(say('noTicketsUnsent'))
  if (asked.due !== '') return emptyState(say(asked.due === 'overdue' ? 'noTicketsOverdue' : 'noTicketsDue'))
  if (asked.inbox !== '' || asked.priority !== '' || asked.team !== '' || asked.tag !== '')
    return emptyState(say('noTicketsFit'))
  if (asked.status === 'snoozed') return emptyState(say('noTicketsSnoozed'))
  if (asked.status === 'open' && asked.assignee === 'me') return emptyState(say('noTicketsMine'))
  if (asked.status === 'open' && asked.assignee === 'nobody') return emptyState(say('noTicketsUnassigned'))
  if (asked.status === 'open' && asked.assignee === '')
    return emptyState([say('noTicketsOpen'), ' ', say('noTicketsWhy')], await closedOfLate(visit))
  const words = { pending: 'noTicketsPending', closed: 'noTicketsClosed', spam: 'noTicketsSpam' } as const
  const isAnybodys =
    asked.assignee === '' && (asked.status === 'pending' || asked.status === 'closed' || asked.status === 'spam')
  return emptyState(say(isAnybodys ? words[asked.status] : 'noTickets'))
}

/** What was done by those who have nothing left to do. */
async function closedOfLate({ db, principal, at, wording: { say } }: Visit): Promise<string | false> {
  const closed = await countClosedSince(db, principal.tenantId, at - DAY, MANY)
  if (closed === 0) return false
  return closed < MANY ? say('closedOfLate', { count: closed }) : say('closedOfLateMany', { count: MANY - 1 })
}

/** Through the list, both ways. */
function pages(visit: Visit, previousCursor: string | null, nextCursor: string | null): Markup | false {
  const { say } = visit.wording
  const isFirst = !visit.query.has('cursor')
  if (isFirst && nextCursor === null) return false
  const link = (cursor: string | null, text: string, rel: string) =>
    html`<a class="secondary"${rel !== '' && html` rel="${rel}"`} href="${visit.href(withQuery(visit.url, { cursor }))}">${text}</a>`
  return html`<nav class="pager" aria-label="${say('pages')}">${!isFirst && link(null, say('newest'), '')}${
    previousCursor !== null && link(previousCursor, say('newer'), 'prev')
  }${nextCursor !== null && link(nextCursor, say('older'), 'next')}</nav>`
}
