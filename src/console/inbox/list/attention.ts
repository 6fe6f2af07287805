import { countFailingMailboxes } from '../../../channels/email/mailboxes/operations.ts'
import { countQuarantined } from '../../../channels/email/quarantine.ts'
import { html, type Markup } from '../../../lib/html/markup.ts'
import { countUnsent } from '../../../tickets/replies/unsent.ts'
import { icons } from '../../icons.ts'
import type { Visit } from '../../visit.ts'
import { listPath, NOTHING_ASKED, queryOf } from './query.ts'

/** What has gone wrong, and somebody has to look at: how much of it, and where they do. */
interface Trouble {
  readonly word: 'attentionUnsent' | 'attentionQuarantine' | 'attentionMailboxes'
  readonly path: string
  readonly count: number
}

const UNSENT = listPath(queryOf({ ...NOTHING_ASKED, status: 'all', answers: 'unsent' }))

/**
 * Answers that have not arrived, mail in quarantine and mailboxes that cannot be reached (decisions §20), for those who may
 * act there. Each is counted in an index of its own, up to `most`.
 */
export async function readTroubles({ db, principal }: Visit, most: number): Promise<Trouble[]> {
  const { tenantId, role } = principal
  const [unsent, quarantined, mailboxes] = await Promise.all([
    countUnsent(db, tenantId, most),
    countQuarantined(db, tenantId, most),
    role === 'admin' ? countFailingMailboxes(db, tenantId, most) : 0,
  ])
  const all: readonly Trouble[] = [
    { word: 'attentionUnsent', path: UNSENT, count: unsent },
    { word: 'attentionQuarantine', path: '/console/quarantine', count: quarantined },
    { word: 'attentionMailboxes', path: '/console/settings/inboxes', count: mailboxes },
  ]
  return all.filter(({ count }) => count > 0)
}

/** Links to all of it, and the same in a sentence that is read out when it changes. `countOf` writes a count. */
export function troubleList(
  visit: Visit,
  troubles: readonly Trouble[],
  current: string | null,
  countOf: (count: number) => string,
): Markup {
  const { say } = visit.wording
  const links = troubles.map(
    ({ word, path, count }) =>
      html`<li><a href="${visit.href(path)}"${path === current && html` aria-current="page"`}><span>${icons.alert}${say(word)}</span><span class="count">${countOf(count)}</span></a></li>`,
  )
  const told = troubles.map(({ word, count }) => `${say(word)}: ${countOf(count)}`).join(', ')
  return html`${
    troubles.length > 0 &&
    html`<h2 id="attention">${say('attentionTitle')}</h2><ul class="attention" aria-labelledby="attention">${links}</ul>`
  }<p class="sr" role="status">${told}</p>`
}
