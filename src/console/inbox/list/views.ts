import { html, type Markup } from '../../../lib/html/markup.ts'
import type { InboxView } from '../../../tickets/inbox/views.ts'
import { confirmed, field, form } from '../../components/forms.ts'
import type { Again, Visit } from '../../visit.ts'
import { statusWords } from '../labels.ts'
import { type Asked, listPath, queryOf, type Status, statuses } from './query.ts'

/** Where views are kept: one's own, and everybody's. */
export const OWN_VIEWS = '/console/inbox/views'
export const SHARED_VIEWS = '/console/inbox/shared-views'

/** What people look at again and again, one click away; what is looked at now can be kept there. */
export function viewList(
  visit: Visit,
  asked: Asked,
  { own, shared }: { own: readonly InboxView[]; shared: readonly InboxView[] },
  again?: Again,
): Markup {
  const { say } = visit.wording
  const current = queryOf(asked).toString()
  const given: readonly (readonly [text: string, status: Status, assignee: string])[] = [
    [say('viewOpen'), 'open', ''],
    [say('viewMine'), 'open', 'me'],
    [say('viewUnassigned'), 'open', 'nobody'],
    ...statuses.slice(1).map((status) => [say(statusWords[status]), status, ''] as const),
  ]
  const standard = given.map(([name, status, assignee]) => ({
    name,
    filters: queryOf({ status, assignee, inbox: '', priority: '', text: '' }).toString(),
  }))
  const isKept = [...standard, ...own, ...shared].some(({ filters }) => filters === current)
  const links = (views: readonly { name: string; filters: string }[]) =>
    html`<ul>${views.map(
      ({ name, filters }) =>
        html`<li><a href="${visit.href(listPath(new URLSearchParams(filters)))}"${filters === current && html` aria-current="page"`}>${name}</a></li>`,
    )}</ul>`
  const group = (id: string, title: string, views: readonly InboxView[]) =>
    views.length > 0 && html`<h2 id="${id}">${title}</h2>${links(views)}`
  return html`<nav class="views" aria-label="${say('inboxViews')}">${links(standard)}${group('shared-views', say('sharedViews'), shared)}${group(
    'own-views',
    say('ownViews'),
    own,
  )}${!isKept && keepForm(visit, current, again)}${dropForm(visit, current, { own, shared })}</nav>`
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
