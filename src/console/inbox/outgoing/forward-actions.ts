import { readFields, readString } from '../../../lib/input/read.ts'
import type { Message } from '../../../tickets/model.ts'
import { queueForward } from '../../../tickets/outgoing/forwards.ts'
import { type DraftInput, saveForwardDraft } from '../../../tickets/writing/drafts.ts'
import type { FormFields } from '../../form-fields.ts'
import type { Guard } from '../../guard.ts'
import { redirectTo, type Visit } from '../../visit.ts'
import { addressesOf, beside, MAX_ANSWER_FORM, MAX_TYPED, readWritten, storedImages } from '../answer/drafting.ts'
import { forwardedBy, forwardPage, forwardPath } from './forward-page.ts'
import { keepAndSend } from './keep-and-send.ts'

type ForwardInput = DraftInput & { subject: string; leftOut?: readonly string[] | undefined }

/** Forwarding a message: the page, and what its form is sent to. */
export function forwardActions(add: Guard): void {
  const path = forwardPath(':id', ':messageId')
  add.page(path, {}, (visit) => forwardPage(visit))

  add.action(path, { again: forwardPage, limit: MAX_ANSWER_FORM }, async (visit, sent) => {
    const { say } = visit.wording
    const { message } = await forwardedBy(visit)
    const input = await readForward(visit, message, sent)
    const keep = (tx: Parameters<typeof saveForwardDraft>[0], caller: Parameters<typeof saveForwardDraft>[1]) =>
      saveForwardDraft(tx, caller, message, input)
    const isRemoval = sent.has('remove')
    if (isRemoval || sent.text('after') === 'keep') {
      await beside(visit, input, () => visit.change(keep))
      return redirectTo(forwardPath(message.ticketId, message.id), isRemoval ? say('fileRemoved') : say('draftKept'))
    }
    const { ticketId } = await keepAndSend(visit, input, {
      keep,
      send: (tx, caller) => queueForward(tx, caller, visit.deps.channels, message),
    })
    return redirectTo(`/console/tickets/${ticketId}#undo`, say('forwardWaits'))
  })

  add.call(`${path}/draft`, {}, async (visit, body) => {
    const { message } = await forwardedBy(visit)
    const sent = readFields(body, ['html', 'to', 'cc', 'bcc', 'subject'], 'body')
    const typed = (field: 'to' | 'cc' | 'bcc' | 'subject') => readString(sent[field], MAX_TYPED, field)
    const draft = await visit.change((tx, caller) =>
      saveForwardDraft(tx, caller, message, {
        html: storedImages(visit, readString(sent.html, MAX_TYPED, 'html')),
        recipients: { to: addressesOf(typed('to')), cc: addressesOf(typed('cc')) },
        bcc: sent.bcc === null ? [] : addressesOf(typed('bcc')),
        subject: typed('subject'),
      }),
    )
    return { isKept: draft !== null }
  })
}

async function readForward(visit: Visit, { attachments }: Message, sent: FormFields): Promise<ForwardInput> {
  const carried = sent.texts('carried')
  return {
    ...(await readWritten(visit, sent)),
    recipients: { to: addressesOf(sent.text('to')), cc: addressesOf(sent.text('cc')) },
    subject: sent.text('subject'),
    ...(sent.has('carries') ? { leftOut: attachments.map(({ id }) => id).filter((id) => !carried.includes(id)) } : {}),
  }
}
