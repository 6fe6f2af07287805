import { html, type Insert } from '../../lib/html/markup.ts'
import { oneLine, shortened } from '../../lib/text/one-line.ts'
import { type CannedReply, listCannedReplies } from '../../tickets/writing/canned-replies.ts'
import { backLink, card, emptyState, linkButton, pageHead, time } from '../components/display.ts'
import { table } from '../components/lists.ts'
import type { PageContent, Visit } from '../visit.ts'
import { OWN, SHARED } from './paths.ts'

/** All canned replies that the reader can use: their own, and everybody's. */
export async function cannedRepliesPage(visit: Visit): Promise<PageContent> {
  const { say } = visit.wording
  const { tenantId, userId, role } = visit.principal
  const [own, shared] = await Promise.all([
    listCannedReplies(visit.db, tenantId, userId),
    listCannedReplies(visit.db, tenantId, null),
  ])
  const isAdmin = role === 'admin'
  return {
    title: say('cannedTitle'),
    body: html`${backLink(visit, '/console/inbox', say('inboxTitle'))}
${pageHead(say('cannedTitle'), undefined, say('cannedIntro'))}
${card(say('cannedOwn'), list(visit, say('cannedOwn'), own, OWN, say('cannedNoOwn')), {
  actions: linkButton(visit, `${OWN}/new`, say('cannedNew'), 'secondary'),
})}
${card(
  say('cannedShared'),
  list(
    visit,
    say('cannedShared'),
    shared,
    isAdmin ? SHARED : null,
    say(isAdmin ? 'cannedNoShared' : 'cannedNoSharedYet'),
  ),
  isAdmin ? { actions: linkButton(visit, `${SHARED}/new`, say('cannedNewShared'), 'secondary') } : {},
)}`,
  }
}

/** `path` is where they are changed; null for those who may not. */
function list(
  visit: Visit,
  caption: string,
  replies: readonly CannedReply[],
  path: string | null,
  empty: string,
): Insert {
  const { say } = visit.wording
  if (replies.length === 0) return emptyState(empty)
  return table({
    caption,
    hidesCaption: true,
    columns: [{ label: say('cannedName') }, { label: say('cannedText') }, { label: say('cannedWritten') }],
    rows: replies.map(({ id, name, text, updatedAt }) => [
      path === null ? name : html`<a href="${visit.href(`${path}/${id}`)}">${name}</a>`,
      shortened(oneLine(text)),
      time(visit, updatedAt, 'date'),
    ]),
    empty,
  })
}
