import { readFields, readString } from '../../../lib/input/read.ts'
import { queueConversation } from '../../../tickets/outgoing/conversations.ts'
import { getUsableReply } from '../../../tickets/writing/canned-replies.ts'
import { type Beginning, type DraftInput, findBeginning, saveBeginning } from '../../../tickets/writing/drafts.ts'
import { fillInBeginning } from '../../../tickets/writing/placeholders.ts'
import type { FormFields } from '../../form-fields.ts'
import type { Guard } from '../../guard.ts'
import { refuse } from '../../refusal.ts'
import { redirectTo, type Visit } from '../../visit.ts'
import { withText } from '../answer/canned.ts'
import { addressesOf, beside, MAX_ANSWER_FORM, MAX_TYPED, readWritten, storedImages } from '../answer/drafting.ts'
import { keepAndSend } from './keep-and-send.ts'
import { NEW_PATH, newPage } from './new-page.ts'

type BeginningInput = DraftInput & Beginning

/** Beginning a conversation: the page, and what its form is sent to. */
export function newConversationActions(add: Guard): void {
  add.page(NEW_PATH, {}, (visit) => newPage(visit))

  add.action(NEW_PATH, { again: newPage, limit: MAX_ANSWER_FORM }, async (visit, sent) => {
    const { say } = visit.wording
    const input = await readBeginning(visit, sent)
    const isRemoval = sent.has('remove')
    if (isRemoval || sent.text('after') === 'keep') {
      await keepBeginning(visit, input)
      return redirectTo(NEW_PATH, isRemoval ? say('fileRemoved') : say('draftKept'))
    }
    const { ticketId } = await keepAndSend(visit, input, {
      keep: (tx, caller) => saveBeginning(tx, caller, input),
      send: (tx, caller) => queueConversation(tx, caller, visit.deps.channels),
    })
    return redirectTo(`/console/tickets/${ticketId}#undo`, say('messageWaits'))
  })

  add.call(`${NEW_PATH}/draft`, {}, async (visit, body) => {
    const sent = readFields(body, ['html', 'to', 'cc', 'bcc', 'subject', 'inbox'], 'body')
    const typed = (field: 'to' | 'cc' | 'bcc' | 'subject' | 'inbox') => readString(sent[field], MAX_TYPED, field)
    const draft = await visit.change((tx, caller) =>
      saveBeginning(tx, caller, {
        html: storedImages(visit, readString(sent.html, MAX_TYPED, 'html')),
        recipients: { to: addressesOf(typed('to')), cc: addressesOf(typed('cc')) },
        bcc: sent.bcc === null ? [] : addressesOf(typed('bcc')),
        subject: typed('subject'),
        inboxId: typed('inbox'),
      }),
    )
    return { isKept: draft !== null }
  })

  add.action(`${NEW_PATH}/canned`, { again: newPage, limit: MAX_ANSWER_FORM }, async (visit, sent) => {
    const chosen = sent.text('canned')
    if (chosen === '') throw refuse(visit.wording.say('cannedChooseFirst'), 'canned')
    const begun = begunBy(sent)
    const filled = withText(sent, await filledText(visit, begun, chosen))
    await keepBeginning(visit, { ...(await readWritten(visit, filled)), ...begun })
    return redirectTo(`${NEW_PATH}#answer`)
  })

  add.resource(`${NEW_PATH}/canned/:cannedId`, {}, async (visit) => {
    const { tenantId, userId } = visit.principal
    const draft = await findBeginning(visit.db, tenantId, userId)
    const begun = draft ?? { recipients: null, subject: null, inboxId: null }
    const text = await filledText(visit, begun, visit.params.cannedId as string)
    return Response.json({ text }, { headers: { 'cache-control': 'no-store' } })
  })
}

async function readBeginning(visit: Visit, sent: FormFields): Promise<BeginningInput> {
  return { ...(await readWritten(visit, sent)), ...begunBy(sent) }
}

function begunBy(sent: FormFields): Pick<BeginningInput, 'recipients' | 'bcc' | 'subject' | 'inboxId'> {
  return {
    recipients: { to: addressesOf(sent.text('to')), cc: addressesOf(sent.text('cc')) },
    bcc: addressesOf(sent.text('bcc')),
    subject: sent.text('subject'),
    inboxId: sent.text('inbox'),
  }
}

function keepBeginning(visit: Visit, input: BeginningInput): Promise<unknown> {
  return beside(visit, input, () => visit.change((tx, caller) => saveBeginning(tx, caller, input)))
}

/** The text with its placeholders filled in. Throws `not_found` for what is somebody else's own. */
async function filledText(
  { db, principal }: Visit,
  begun: Parameters<typeof fillInBeginning>[2],
  id: string,
): Promise<string> {
  const { tenantId, userId, name } = principal
  const { text } = await getUsableReply(db, tenantId, userId, id)
  return fillInBeginning(db, tenantId, begun, name, text)
}
