import { type KeptMail, openKeptMail } from '../../../channels/email/kept-mails.ts'
import { handOver } from '../../../files/download.ts'
import { html, type Markup } from '../../../lib/html/markup.ts'
import { writeSize } from '../../../lib/language/amounts.ts'
import { time } from '../../components/display.ts'
import type { Guard } from '../../guard.ts'
import { Refusal } from '../../refusal.ts'
import type { View, Visit } from '../../visit.ts'

/** Where agents get the mail that a message came as, as it came, for as long as the tenant keeps it. A path of the console, for `href`. */
export function rawMailPath(messageId: string): string {
  return `/console/messages/${messageId}/raw`
}

/** What a raw mail is saved as: in a browser it is never more than a file. */
export function emlRecord(id: string, size: number) {
  return { fileName: `${id}.eml`, contentType: 'message/rfc822', size }
}

/** The mails that messages came as, to be downloaded by the tenant's agents. */
export function rawMailResource(add: Guard): void {
  add.resource(rawMailPath(':messageId'), {}, async ({ deps, principal, params, wording }) => {
    const { messageId = '' } = params
    const { size, content } = await openKeptMail(deps, principal.tenantId, messageId)
    if (content === null) throw new Refusal({ field: null, text: wording.say('rawMailGoneWhy') }, 404)
    return handOver(content, emlRecord(messageId, size))
  })
}

/** The mail that a message came as: how to get it, or that it is gone. Nothing for what came otherwise. */
export function rawMailLine(view: View & Pick<Visit, 'at'>, messageId: string, mail?: KeptMail): Markup | false {
  if (!mail) return false
  const { say } = view.wording
  const { keptUntil } = mail
  const isOver = keptUntil !== null && keptUntil <= view.at
  if (!mail.isKept || isOver) return html`<p class="raw-mail">${say('rawMailGone')}</p>`
  const until =
    keptUntil !== null && html` · ${say('rawMailUntil')} ${time(view, new Date(keptUntil).toISOString(), 'date')}`
  const more = mail.holdsMore && html`${say('rawMailHoldsMore')} `
  return html`<p class="raw-mail">${more}<a href="${view.href(rawMailPath(messageId))}" download>${say('rawMail')}</a> <small>${writeSize(mail.size, view.wording.locale)}${until}</small></p>`
}
