import type { Author, VisitorPrincipal } from '../caller.ts'
import { callerFor } from '../caller.ts'
import { startConversation, writeMessage } from '../livechat/operations.ts'
import { findChatSource } from '../livechat/source.ts'
import { assignTicket } from '../tickets/assignment.ts'
import { noteBounce } from '../tickets/replies/bounces.ts'
import { addSentReply } from '../tickets/replies/sent-replies.ts'
import { setStatus } from '../tickets/status.ts'
import { setTags } from '../tickets/tagging.ts'
import { addNote } from '../tickets/thread/notes.ts'
import { createVisitor, findVisitor } from '../visitors/operations.ts'
import { ADMIN_NAME, type Company } from './company.ts'
import { helpSource } from './examples.ts'
import { newTicket } from './tickets/new-ticket.ts'
import { MINUTE, type Step } from './timeline.ts'

/** What waits at the desk right now: a colleague who asks, an answer that did not arrive, a chat under way. */
export function todaySteps(company: Company, now: number): Step[] {
  return [...colleagueAsks(company, now), ...answerCameBack(company, now), ...chatUnderWay(company, now)]
}

/** Billing has a question for the one who may decide it. */
function colleagueAsks({ agents, admin, inboxes, teams }: Company, now: number): Step[] {
  const grace = agents.at(-1) as Author
  const { id, open } = newTicket()
  const mail = {
    inboxId: inboxes.billing,
    email: 'elin@nyberg-retreats.example',
    name: 'Elin Nyberg',
    subject: 'The storm closed us for two weeks',
    text: 'Hello,\n\nthe storm took our roof, and no guests can come until the middle of next month. Could you pause our plan for that time, or pay back a part of it?\n\nMany thanks\nElin',
  }
  return [
    { at: now - 95 * MINUTE, run: open(mail) },
    {
      ...{ at: now - 70 * MINUTE, by: grace },
      async run(tx, caller) {
        await setTags(tx, caller, id(), ['refund'])
        await addNote(tx, caller, id(), {
          text: `@${ADMIN_NAME} half a month would be 48 €, which is more than I may give. Shall we?`,
        })
        await assignTicket(tx, caller, id(), { userId: admin.id, teamId: teams.billing })
      },
    },
  ]
}

/** An address with a letter too few. */
function answerCameBack({ agents, inboxes, teams }: Company, now: number): Step[] {
  const [maja] = agents as [Author]
  const { id, open } = newTicket()
  const email = 'jonas.brandt@hafenblik.example'
  const mail = {
    inboxId: inboxes.help,
    ...{ email, name: 'Jonas Brandt' },
    subject: 'Two rooms with one door',
    text: 'Good morning,\n\nour family suite is two rooms that share a door. Can guests book both at once, or each on its own?\n\nJonas Brandt\nHafenblick',
  }
  const html =
    '<p>Good morning Jonas,</p><p>yes: make a bundle of the two rooms. Guests can book the bundle, and each room while the other one is free.</p><p>Kind regards<br>Maja</p>'
  const words = `550 5.1.1 <${email}>: Recipient address rejected: User unknown`
  return [
    { at: now - 80 * MINUTE, run: open(mail) },
    {
      ...{ at: now - 52 * MINUTE, by: maja },
      async run(tx, caller) {
        await setTags(tx, caller, id(), ['how-to'])
        await assignTicket(tx, caller, id(), { userId: maja.id, teamId: teams.support })
        const sent = await addSentReply(tx, caller, id(), { html })
        await setStatus(tx, caller, id(), { status: 'pending' })
        await noteBounce(tx, caller, { id: sent.id, ticketId: id(), error: null }, words)
      },
    },
  ]
}

/** Somebody on the site, with the admin. */
function chatUnderWay({ tenantId, admin, teams }: Company, now: number): Step[] {
  let begun: { id: string; visitor: VisitorPrincipal } | null = null
  const chat = () => begun as NonNullable<typeof begun>
  return [
    {
      at: now - 29 * MINUTE,
      async run(tx, caller) {
        const sourceId = await helpSource(tx, tenantId)
        const source = sourceId && (await findChatSource(tx, sourceId))
        if (!source || !sourceId) throw new Error('a demo has a chat')
        const { token } = await createVisitor(tx, caller, { sourceId, name: 'Inês Carvalho' })
        const visitor = await findVisitor(tx, sourceId, token)
        if (!visitor) throw new Error('a visitor is known by their token')
        const text = 'Hi, we let three surf huts in Ericeira. Can guests pay the rest when they arrive?'
        const started = await startConversation(tx, callerFor(visitor, caller.at, null), visitor, source, { text })
        begun = { id: started.conversationId, visitor }
      },
    },
    {
      ...{ at: now - 27 * MINUTE, by: admin },
      async run(tx, caller) {
        const { id } = chat()
        await assignTicket(tx, caller, id, { userId: admin.id, teamId: teams.support })
        await addSentReply(tx, caller, id, {
          text: 'Hello Inês! Yes: take a deposit online, and mark the rest as paid at the desk.',
        })
      },
    },
    {
      at: now - 2 * MINUTE,
      run(tx, { at }) {
        const { id, visitor } = chat()
        const text = 'Lovely. And does the deposit go back by itself when somebody cancels in time?'
        return writeMessage(tx, callerFor(visitor, at, null), visitor, id, { text })
      },
    },
  ]
}
