import type { Author } from '../caller.ts'
import { callerFor } from '../caller.ts'
import type { Files } from '../files/files.ts'
import { startConversation } from '../livechat/operations.ts'
import { findChatSource } from '../livechat/source.ts'
import { startResponse } from '../responses/collection.ts'
import { assignTicket } from '../tickets/assignment.ts'
import { takeBackSeenMail } from '../tickets/chat-mails.ts'
import { addSentReply } from '../tickets/replies/sent-replies.ts'
import { createVisitor, findVisitor } from '../visitors/operations.ts'
import type { Company } from './company.ts'
import { exampleForm, firstAnswers, helpSource } from './examples.ts'
import type { Guest } from './secrets.ts'
import { bringAlong } from './tickets/attachments.ts'
import { MINUTE, type Step } from './timeline.ts'

/** Lets a guest begin both, puts into `made` what they hold, and has an agent answer them with a file. */
export function guestSteps(
  { tenantId, agents, teams }: Company,
  files: Files,
  made: { guest: Guest | null },
  now: number,
): Step[] {
  const [maja] = agents as [Author]
  return [
    {
      at: now - 20 * MINUTE,
      async run(tx, caller) {
        const form = await exampleForm(tx, tenantId)
        const sourceId = await helpSource(tx, tenantId)
        if (!form || !sourceId) throw new Error('a demo has a form that collects and a chat')
        const answers = firstAnswers(form)
        const { response, resumeToken } = await startResponse(tx, caller, form.id, { answers, complete: false })
        const source = await findChatSource(tx, sourceId)
        const { token } = await createVisitor(tx, caller, { sourceId, name: 'Noor', email: 'noor@guests.example' })
        const visitor = await findVisitor(tx, sourceId, token)
        if (!visitor) throw new Error('a visitor is known by their token')
        const text = 'Can our guests pay a deposit with Apple Pay?'
        const ofVisitor = callerFor(visitor, caller.at, null)
        const { conversationId } = await startConversation(tx, ofVisitor, visitor, source, { text })
        made.guest = {
          ...{ formId: form.id, responseId: response.id, resumeToken },
          ...{ sourceId, conversationId, visitorToken: token },
        }
      },
    },
    {
      ...{ at: now - 17 * MINUTE, by: maja },
      async run(tx, caller) {
        const { conversationId } = made.guest as Guest
        await assignTicket(tx, caller, conversationId, { userId: maja.id, teamId: teams.support })
        const attachments = await bringAlong(files, caller, ['invoice-2026-0412.pdf'])
        const text = 'Hello Noor! Yes, wherever you take cards. Here is an invoice as guests get it who paid that way.'
        const answer = await addSentReply(tx, caller, conversationId, { text, attachments })
        // Noor is still there to read it, so no mail tells of it.
        await takeBackSeenMail(tx, tenantId, conversationId, answer.id)
      },
    },
  ]
}
