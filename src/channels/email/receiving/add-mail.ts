import type { Caller } from '../../../caller.ts'
import type { Config } from '../../../config.ts'
import type { Tx } from '../../../db/index.ts'
import { inboxesOf } from '../../../inboxes/recipient.ts'
import type { Channels } from '../../../ports/channel.ts'
import type { Secrets } from '../../../secrets/seal.ts'
import { answerAutomatically } from '../../../tickets/automatic/answering.ts'
import { openThread } from '../../../tickets/incoming/opening.ts'
import { receiveMessage } from '../../../tickets/incoming/receiving.ts'
import { receiveFromOutside } from '../../../tickets/outgoing/outside.ts'
import { findSentMail, noteBounce } from '../../../tickets/replies/bounces.ts'
import { notReached } from '../../../tickets/replies/delivery-errors.ts'
import { addressMail } from '../channel.ts'
import { isFromUs, isLoop, isNotification } from '../own-mail.ts'
import type { Bounce } from '../parsed-mail.ts'
import { isSystemAddress } from '../system/naming.ts'
import { takeAgentsAnswer } from './agents-answer.ts'
import { type Added, ignored, type KnownMail } from './known-mail.ts'
import { openForOrigin } from './opening-for-origin.ts'
import { ticketJoined, ticketOfOutside } from './ticket-of-mail.ts'

interface AddDeps {
  secrets: Pick<Secrets, 'mac'>
  config: Pick<Config, 'systemFrom' | 'baseUrl'>
  channels: Channels
}

/** Makes of a mail what it means to its inbox: nothing, a message that came back, one of a thread, or a new ticket. */
export async function addMail(tx: Tx, deps: AddDeps, caller: Caller, known: KnownMail): Promise<Added> {
  const { secrets, config } = deps
  const { mail, parsed, message, origin, ourId } = known
  const answered = await takeAgentsAnswer(tx, deps, caller, known)
  if (answered) return answered
  if (await isFromUs(tx, mail.inbox, parsed, ourId)) return ignored
  if (await isLoop(tx, mail.inbox, parsed, caller.at)) return ignored
  const bounced = parsed.bounce && (await addBounce(tx, caller, parsed.bounce))
  if (bounced) return bounced
  if (origin) {
    const opened = await openForOrigin(tx, caller, known, origin)
    if (origin.by === null) await answer(tx, config, caller, known, { ...opened, isNew: true })
    return { outcome: 'created', ...opened }
  }
  const { from, replyTo, mailId, subject, newText, isAutomatic } = parsed
  const input = {
    ...message,
    ...{ mailId, subject, newText, isAutomatic, source: 'email' as const },
    email: from.address,
    name: from.name,
    to: parsed.to.map(({ address }) => address),
    cc: parsed.cc.map(({ address }) => address),
  }
  const ofOutside = await ticketOfOutside(tx, secrets, known)
  if (ofOutside !== null) {
    const { id, ticketId } = await receiveFromOutside(tx, caller, ofOutside, input)
    return { outcome: 'threaded', ticketId, messageId: id }
  }
  const joined = await ticketJoined(tx, secrets, known)
  if (joined !== null) {
    const { id, ticketId } = await receiveMessage(tx, caller, joined, input)
    await answer(tx, config, caller, known, { ticketId, isNew: false })
    return { outcome: 'threaded', ticketId: joined, messageId: id }
  }
  // Answers that went to the tenant itself would be ignored as its own mail, and reach nobody.
  const isOurs = replyTo !== null && (await inboxesOf(tx, replyTo.address))?.tenantId === caller.tenantId
  const answersTo = isOurs ? undefined : replyTo?.address
  const opened = await openThread(tx, caller, { ...input, inboxId: mail.inbox.id, replyTo: answersTo })
  await answer(tx, config, caller, known, { ticketId: opened.ticket.id, isNew: true })
  return { outcome: 'created', ticketId: opened.ticket.id, messageId: opened.messageId }
}

/** What the inbox answers by itself; nothing to programs, nor to senders who are not who they say (decisions §20). */
async function answer(
  tx: Tx,
  config: AddDeps['config'],
  caller: Caller,
  { mail, parsed, authentication }: KnownMail,
  about: { ticketId: string; isNew: boolean },
): Promise<void> {
  const { from, replyTo, isAutomatic, date } = parsed
  const { address } = replyTo ?? from
  if (isAutomatic || authentication.dmarc === 'fail' || isSystemAddress(config, address)) return
  await answerAutomatically(tx, caller, { ...about, inboxId: mail.inbox.id, address, date }, addressMail)
}

/** null for one of a mail that we do not know: it is a mail like any other. */
async function addBounce(tx: Tx, caller: Caller, bounce: Bounce): Promise<Added | null> {
  const { mailId } = bounce
  if (mailId === null) return null
  const sent = await findSentMail(tx, caller.tenantId, mailId)
  if (!sent) return isNotification(mailId) ? { outcome: 'bounce', ticketId: null, messageId: null } : null
  // While the server goes on trying there is nothing to do.
  if (bounce.isFinal) await noteBounce(tx, caller, sent, wordsOfBounce(bounce))
  return { outcome: 'bounce', ticketId: sent.ticketId, messageId: sent.id }
}

/** What a report says, in one line. */
export function wordsOfBounce({ recipient, status, diagnostic }: Bounce): string {
  const said = status === null || diagnostic.includes(status) ? diagnostic : `${status} ${diagnostic}`.trim()
  return notReached(recipient ?? 'the mail', said || 'the mail server gives no reason')
}
