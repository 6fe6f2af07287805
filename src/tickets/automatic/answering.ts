import { and, eq, gt, sql } from 'drizzle-orm'
import { calendarOfInbox } from '../../calendars/read.ts'
import { isWorkingTime } from '../../calendars/working-time.ts'
import type { Caller } from '../../caller.ts'
import { ofTenant, prepared, type Reader, type Tx } from '../../db/index.ts'
import { answeredSenders, pendingReplies, users } from '../../db/schema.ts'
import { findInbox } from '../../inboxes/operations.ts'
import { inboxesOf } from '../../inboxes/recipient.ts'
import type { AutomaticAnswer } from '../../kinds/inboxes.ts'
import { newId } from '../../lib/ids.ts'
import { normaliseEmail } from '../../lib/input/email.ts'
import { formatTime } from '../../lib/time.ts'
import type { Channel } from '../../ports/channel.ts'
import { ticketRowOf } from '../read.ts'
import { contentOf } from '../thread/content.ts'
import { addMessage } from '../thread/messages.ts'
import { fillIn } from '../writing/placeholders.ts'
import { type AutomaticAnswers, automaticAnswersOf } from './settings.ts'

/** Within which a sender is given each answer once, in milliseconds (decisions §20). */
const ONCE_IN = 24 * 60 * 60 * 1000
/** A mail that was sent longer ago is no news: a mailbox may be read from its beginning. */
const RECENT = ONCE_IN

/** Mailboxes of machines (RFC 2142, and what the field has become used to). */
const MACHINE = /^(?:mailer-daemon|postmaster|(?:no|do-?not)[-_.]?reply|bounces?|abuse)(?:[+._-].*)?@/i

/** A mail that a person has sent to an inbox, as far as its headers say, and that has become a message. */
export interface AnsweredMail {
  readonly inboxId: string
  readonly ticketId: string
  /** Whether it opened its ticket. */
  readonly isNew: boolean
  /** Where an answer goes. */
  readonly address: string
  /** When it was sent, in milliseconds since 1970, where it says so. */
  readonly date: number | null
}

/**
 * Has the inbox answer a mail by itself, where it does so: out of its hours that nobody is there, else that a new mail has come
 * in, each once a sender in 24 hours (decisions §20). Never our own inboxes and people, machines, and senders of spam. It is sent
 * as replies are. `addressed` is how mail is.
 */
export async function answerAutomatically(
  tx: Tx,
  caller: Caller,
  mail: AnsweredMail,
  addressed: Channel['address'],
): Promise<void> {
  const { tenantId, at } = caller
  const { inboxId, ticketId } = mail
  const answers = await automaticAnswersOf(tx, tenantId, inboxId)
  const isOut = !isWorkingTime(await calendarOfInbox(tx, tenantId, inboxId), at)
  const kind = kindOf(answers, mail, isOut)
  if (kind === null) return
  const address = normaliseEmail(mail.address)
  if (mail.date !== null && mail.date < at - RECENT) return
  if (await isOurs(tx, tenantId, address)) return
  const [inbox, ticket] = await Promise.all([findInbox(tx, tenantId, inboxId), ticketRowOf(tx, tenantId, ticketId)])
  if (inbox?.archivedAt !== null || ticket.status === 'spam') return
  const lately = { tenantId, inboxId, address, kind, since: formatTime(at - ONCE_IN) }
  if ((await answeredLately(tx).execute(lately)).length > 0) return
  const id = newId(at)
  const sender = addressed({ subject: ticket.subject, requesterEmail: mail.address, inbox, token: id })
  if (sender === null) return
  const text = kind === 'acknowledgement' ? answers.acknowledgement : answers.outOfHours
  const messageId = await addMessage(tx, caller, {
    ...contentOf({ text: await fillIn(tx, tenantId, ticketId, inbox.name, text) }),
    ...{ ...sender, cc: [], ticketId },
    ...{ state: 'pending', direction: 'outbound', source: 'email', isAutomatic: true },
    author: { type: 'system', id: null, name: null },
  })
  const answeredAt = formatTime(at)
  await tx.insert(answeredSenders).values({ tenantId, messageId, inboxId, kind, address, answeredAt })
  const pending = { tenantId, messageId, dueAt: answeredAt, address: null }
  await tx.insert(pendingReplies).values({ ...pending, via: 'job' })
}

function kindOf(answers: AutomaticAnswers, { isNew }: AnsweredMail, isOut: boolean): AutomaticAnswer | null {
  const { acknowledges, answersOutOfHours } = answers
  if (answersOutOfHours && isOut) return 'out_of_hours'
  return acknowledges && isNew ? 'acknowledgement' : null
}

/** Whether it is an inbox, somebody who works here, or nobody who reads. `address` is normalised. */
export async function isOurs(tx: Tx, tenantId: string, address: string): Promise<boolean> {
  if (MACHINE.test(address) || (await inboxesOf(tx, address))) return true
  const [colleague] = await userOfAddress(tx).execute({ tenantId, address })
  return colleague !== undefined
}

const userOfAddress = prepared((db: Reader) =>
  db
    .select({ id: users.id })
    .from(users)
    .where(and(ofTenant(users), eq(users.email, sql.placeholder('address'))))
    .prepare(),
)

const answeredLately = prepared((db) =>
  db
    .select({ messageId: answeredSenders.messageId })
    .from(answeredSenders)
    .where(
      and(
        ofTenant(answeredSenders),
        eq(answeredSenders.inboxId, sql.placeholder('inboxId')),
        eq(answeredSenders.address, sql.placeholder('address')),
        eq(answeredSenders.kind, sql.placeholder('kind')),
        gt(answeredSenders.answeredAt, sql.placeholder('since')),
      ),
    )
    .limit(1)
    .prepare(),
)
