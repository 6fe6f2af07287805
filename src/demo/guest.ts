import { callerFor } from '../caller.ts'
import { startConversation } from '../livechat/operations.ts'
import { findChatSource } from '../livechat/source.ts'
import { startResponse } from '../responses/collection.ts'
import { createVisitor, findVisitor } from '../visitors/operations.ts'
import { exampleForm, firstAnswers, helpSource } from './examples.ts'
import type { Guest } from './secrets.ts'
import { MINUTE, type Step } from './timeline.ts'

/** Lets a guest begin both, and puts into `made` what they hold. */
export function guestSteps(tenantId: string, made: { guest: Guest | null }, now: number): Step[] {
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
  ]
}
