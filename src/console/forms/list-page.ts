import { listForms, listTrashedForms } from '../../forms/operations.ts'
import { html, type Insert } from '../../lib/html/markup.ts'
import { COUNTED, type ResponseNumbers, responseNumbers } from '../../responses/numbers.ts'
import { backLink, linkButton, pageHead, time } from '../components/display.ts'
import { button, form } from '../components/forms.ts'
import { pager, table } from '../components/lists.ts'
import type { PageContent, View, Visit } from '../visit.ts'
import { type Shown, stateBadge } from './form-head.ts'

const PAGE = 25

/** The tenant's forms, newest first. */
export async function formsPage(visit: Visit): Promise<PageContent> {
  const { db, principal, query, wording, at } = visit
  const { say } = wording
  const page = { cursor: query.get('cursor') ?? undefined, limit: PAGE }
  const { items, nextCursor } = await listForms(db, principal.tenantId, page, {})
  const rows: Insert[][] = []
  for (const item of items) {
    const numbers = await responseNumbers(db, principal.tenantId, item.id)
    rows.push([
      html`<a href="${visit.href(`/console/forms/${item.id}`)}">${item.title}</a>`,
      stateBadge(visit, item as Shown, at),
      html`<a href="${visit.href(`/console/forms/${item.id}/results`)}">${countText(visit, numbers)}</a>`,
      numbers.lastAt === null ? '–' : time(visit, numbers.lastAt),
      time(visit, item.updatedAt, 'date'),
    ])
  }
  return {
    title: say('navForms'),
    body: html`${pageHead(say('navForms'), [linkButton(visit, '/console/forms/trash', say('formsTrash'), 'secondary'), linkButton(visit, '/console/forms/new', say('formNew'))], say('formsIntro'))}
${table({
  caption: say('navForms'),
  hidesCaption: true,
  columns: [
    { label: say('formsTitle') },
    { label: say('formsState') },
    { label: say('formsResponses'), kind: 'number' },
    { label: say('formsLast') },
    { label: say('formsChanged') },
  ],
  rows,
  empty: say('formsNone'),
  first: linkButton(visit, '/console/forms/new', say('formNew'), 'secondary'),
})}
${pager(visit, nextCursor)}`,
  }
}

/** How many responses there are, as far as lists count them. */
export function countText({ wording }: View, { count }: ResponseNumbers): string {
  return count > COUNTED ? wording.say('formsMany', { number: COUNTED }) : wording.write(count)
}

/** Forms in the trash, out of which they can be taken. */
export async function trashPage(visit: Visit): Promise<PageContent> {
  const { db, principal, query, wording } = visit
  const { say } = wording
  const page = { cursor: query.get('cursor') ?? undefined, limit: PAGE }
  const { items, nextCursor } = await listTrashedForms(db, principal.tenantId, page)
  return {
    title: say('formsTrash'),
    body: html`${backLink(visit, '/console/forms', say('navForms'))}
${pageHead(say('formsTrash'), null, say('formsTrashIntro'))}
${table({
  caption: say('formsTrash'),
  hidesCaption: true,
  columns: [{ label: say('formsTitle') }, { label: say('formsTrashed') }, { label: say('actions'), kind: 'actions' }],
  rows: items.map(({ id, title, trashedAt }) => [
    title,
    trashedAt && time(visit, trashedAt),
    form(
      visit,
      { action: `/console/forms/${id}/restore`, inline: true },
      button([say('formsRestore'), html`<span class="sr"> ${title}</span>`], { kind: 'quiet' }),
    ),
  ]),
  empty: say('formsTrashEmpty'),
})}
${pager(visit, nextCursor)}`,
  }
}
