import {
  deleteQuarantined,
  listQuarantine,
  openQuarantined,
  type QuarantinedMail,
  retryQuarantined,
} from '../../channels/email/quarantine.ts'
import { handOver } from '../../files/download.ts'
import { html, type Insert } from '../../lib/html/markup.ts'
import { writeSize } from '../../lib/language/amounts.ts'
import { backLink, pageHead, time } from '../components/display.ts'
import { button, confirmed, form } from '../components/forms.ts'
import { table } from '../components/lists.ts'
import type { Guard } from '../guard.ts'
import { type PageContent, redirectTo, type Visit } from '../visit.ts'
import { emlRecord } from './message/raw-mail.ts'

/** Mail that could not be understood: to be looked at, taken again, or deleted. What came in is for admins to download. */
export function quarantinePages(add: Guard): void {
  add.page('/console/quarantine', {}, quarantinePage)

  add.resource('/console/quarantine/:id/raw', { role: 'admin' }, async ({ deps, principal, params }) => {
    const id = params.id as string
    const { size, content } = await openQuarantined(deps, principal.tenantId, id)
    return handOver(content, emlRecord(id, size))
  })

  add.action('/console/quarantine/:id/retry', {}, async ({ deps, caller, params, wording: { say } }) => {
    const { outcome, ticketId } = await retryQuarantined(deps, caller, params.id as string)
    if (ticketId) return redirectTo(`/console/tickets/${ticketId}`, say('quarantineTaken'))
    return redirectTo('/console/quarantine', say(outcome === 'quarantined' ? 'quarantineAgain' : 'quarantineDone'))
  })

  add.action('/console/quarantine/:id/delete', {}, async ({ deps, caller, params, wording: { say } }) => {
    await deleteQuarantined(deps, caller, params.id as string)
    return redirectTo('/console/quarantine', say('quarantineDeleted'))
  })
}

async function quarantinePage(visit: Visit): Promise<PageContent> {
  const { say } = visit.wording
  const mails = await listQuarantine(visit.db, visit.principal.tenantId)
  return {
    title: say('quarantineTitle'),
    body: html`${backLink(visit, '/console/inbox', say('inboxTitle'))}
${pageHead(say('quarantineTitle'), null, say('quarantineIntro'))}
${table({
  caption: say('quarantineTitle'),
  hidesCaption: true,
  columns: [
    { label: say('quarantineSubject') },
    { label: say('quarantineFrom') },
    { label: say('quarantineReason') },
    { label: say('quarantineReceived') },
    { label: say('quarantineSize'), kind: 'number' },
    { label: say('actions'), kind: 'actions' },
  ],
  rows: mails.map((mail) => row(visit, mail)),
  empty: say('quarantineEmpty'),
})}`,
  }
}

function row(visit: Visit, { quarantineId, subject, from, reason, receivedAt, size }: QuarantinedMail): Insert[] {
  const { say } = visit.wording
  const path = `/console/quarantine/${quarantineId}`
  return [
    subject || say('quarantineNoSubject'),
    from ?? '–',
    say('quarantineWhy', { why: reason }),
    time(visit, receivedAt),
    writeSize(size, visit.wording.locale),
    [
      form(visit, { action: `${path}/retry`, inline: true }, button(say('quarantineRetry'), { kind: 'quiet' })),
      visit.principal.role === 'admin' &&
        html` <a class="quiet" href="${visit.href(`${path}/raw`)}" download>${say('quarantineRaw')}</a> `,
      confirmed(visit, {
        label: say('delete'),
        question: say('quarantineDeleteQuestion'),
        action: `${path}/delete`,
      }),
    ],
  ]
}
