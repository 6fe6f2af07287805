import { getUsableReply } from '../../../tickets/writing/canned-replies.ts'
import { fillIn } from '../../../tickets/writing/placeholders.ts'
import type { FormFields } from '../../form-fields.ts'
import type { Guard } from '../../guard.ts'
import { refuse } from '../../refusal.ts'
import { redirectTo, type Visit } from '../../visit.ts'
import { writtenHtml } from '../message/written.ts'
import { ticketPage } from '../ticket/page.ts'
import { ticketOf } from './answering.ts'
import { keepAnswer, MAX_ANSWER_FORM, readAnswer } from './drafting.ts'

/** Puts canned replies into answers: a form gets the page back with the text in it, a script the text alone. */
export function cannedActions(add: Guard): void {
  add.action('/console/tickets/:id/canned', { again: ticketPage, limit: MAX_ANSWER_FORM }, async (visit, sent) => {
    const ticket = await ticketOf(visit)
    const chosen = sent.text('canned')
    if (chosen === '') throw refuse(visit.wording.say('cannedChooseFirst'), 'canned')
    const filled = withText(sent, await filledText(visit, ticket.id, chosen))
    await keepAnswer(visit, ticket, await readAnswer(visit, ticket, filled))
    return redirectTo(`/console/tickets/${ticket.id}#answer`)
  })

  add.resource('/console/tickets/:id/canned/:cannedId', {}, async (visit) => {
    const { id } = await ticketOf(visit)
    const text = await filledText(visit, id, visit.params.cannedId as string)
    return Response.json({ text }, { headers: { 'cache-control': 'no-store' } })
  })
}

/** The text with its placeholders filled in. Throws `not_found` for what is somebody else's own. */
async function filledText({ db, principal }: Visit, ticketId: string, id: string): Promise<string> {
  const { tenantId, userId, name } = principal
  const { text } = await getUsableReply(db, tenantId, userId, id)
  return fillIn(db, tenantId, ticketId, name, text)
}

/** The form with the text after what was written so far. */
export function withText(sent: FormFields, text: string): FormFields {
  if (sent.has('html')) return sent.with('html', sent.exact('html') + writtenHtml(text))
  return sent.with('answer', [sent.text('answer'), text].filter(Boolean).join('\n\n'))
}
