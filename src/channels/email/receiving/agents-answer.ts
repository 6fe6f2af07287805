import { type AnswerableAlert, findAnswerable, findAnswerableById } from '../../../alerts/answerable.ts'
import { type Caller, mailedCaller } from '../../../caller.ts'
import type { Config } from '../../../config.ts'
import type { Reader, Tx } from '../../../db/index.ts'
import { AppError } from '../../../errors.ts'
import { comparable } from '../../../lib/input/comparable-email.ts'
import type { Channels } from '../../../ports/channel.ts'
import type { Secrets } from '../../../secrets/seal.ts'
import { getTenantSettings } from '../../../tenants/operations.ts'
import { alertOfAddress } from '../../../tickets/addressing/reply-address.ts'
import { ticketAfterMerges } from '../../../tickets/merging/merges.ts'
import { queueMailedReply } from '../../../tickets/replies/pending-replies.ts'
import { addNote } from '../../../tickets/thread/notes.ts'
import { type ActivePerson, activePeople } from '../../../users/colleagues.ts'
import { type AlertWords, alertWordsOf, MARKS } from '../alerts/words.ts'
import { provenMail, systemAddress } from '../system/naming.ts'
import { type Added, ignored, type KnownMail, namedByRecipient } from './known-mail.ts'

/*
 * What people answer to mails about alerts from their own mail program (decisions §20). It goes to a customer only where
 * everything says that it is from the agent who got the mail; whatever else it is becomes a note, since it may hold what
 * nobody outside is to read.
 */

interface AnswerDeps {
  secrets: Pick<Secrets, 'mac'>
  config: Pick<Config, 'systemFrom' | 'baseUrl'>
  channels: Channels
}

/** The ticket that is answered, and the alert that was, where it still can be. */
interface Named {
  readonly ticketId: string
  readonly alert: AnswerableAlert | null
}

/** Mails that one refers to among which ours is looked for, the newest. */
const MOST_REFERENCES = 20
const NOTE = /^note:\s*/i

/** Takes a mail that answers one about an alert: as a reply, or as a note. Null for any other mail. */
export async function takeAgentsAnswer(
  tx: Tx,
  deps: AnswerDeps,
  caller: Caller,
  known: KnownMail,
): Promise<Added | null> {
  const { tenantId, at } = caller
  const { parsed } = known
  const named = (await namedByAddress(tx, deps, known, at)) ?? (await namedByReference(tx, deps, known, at))
  if (!named) return null
  // Nobody has written what a program sends by itself.
  if (parsed.isAutomatic || parsed.bounce) return ignored
  const person = named.alert && (await activePeople(tx, tenantId)).get(named.alert.userId)
  const tenant = await getTenantSettings(tx, tenantId)
  const words = alertWordsOf(person?.language ?? tenant.language ?? 'en')
  const { address } = parsed.from
  const own = { mark: MARKS[0], sender: [systemAddress(deps.config), tenant.name] }
  // Few mails come this far.
  const { answerAbove } = await import('../parsing/new-text.ts')
  const note = new Noting(tx, known, named.ticketId, answerAbove(own, parsed))
  if (!person) return note.add(caller, words.expired(address))
  if (!isFrom(known, person)) return note.add(caller, words.stranger(address))
  if (known.authentication.dmarc === 'fail') return note.add(caller, words.unproven(address))
  return takeFrom(tx, deps, note, { person, words, at, tenantId })
}

const isFrom = ({ parsed }: KnownMail, { email }: ActivePerson) => comparable(parsed.from.address) === comparable(email)

interface Answering {
  readonly tenantId: string
  readonly person: ActivePerson
  readonly words: AlertWords
  readonly at: number
}

/** Takes what an agent is known to have written. */
async function takeFrom(
  tx: Tx,
  { channels }: AnswerDeps,
  note: Noting,
  { tenantId, person, words, at }: Answering,
): Promise<Added> {
  const agent = mailedCaller(tenantId, person, at)
  const { text, ticketId, attachments } = note
  const refuse = (why: string) => note.add(agent, words.notSent(person.name, why))
  const isNote = NOTE.test(text)
  const said = text.replace(NOTE, '')
  if (said === '') return refuse(words.noText)
  if (isNote) return note.add(agent, null, said)
  if ((await ticketAfterMerges(tx, tenantId, ticketId)) !== ticketId) return refuse(words.merged)
  try {
    await queueMailedReply(tx, agent, channels, ticketId, { text, attachments })
    // It can be taken back, and with it what tells of its mail would go.
    return { outcome: 'threaded', ticketId, messageId: null }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return refuse(error.message)
  }
}

/** What a mail says as a note to its ticket. */
class Noting {
  constructor(
    private readonly tx: Tx,
    private readonly known: KnownMail,
    readonly ticketId: string,
    /** What was written in it. */
    readonly text: string,
  ) {}

  get attachments() {
    return this.known.message.attachments
  }

  async add(author: Caller, why: string | null, said = this.text): Promise<Added> {
    const text = [why, said].filter(Boolean).join('\n\n')
    const messageId = await addNote(this.tx, author, this.ticketId, { text, attachments: this.attachments })
    return { outcome: 'threaded', ticketId: this.ticketId, messageId }
  }
}

async function namedByAddress(
  db: Reader,
  { secrets }: AnswerDeps,
  known: KnownMail,
  at: number,
): Promise<Named | null> {
  const { tenantId } = known.mail.inbox
  const named = await namedByRecipient(db, known, (inbox, address) => alertOfAddress(db, secrets, inbox, address))
  if (named === null) return null
  return { ticketId: named.ticketId, alert: await findAnswerable(db, tenantId, named.alertNumber, at) }
}

/**
 * By the Message-ID that it answers, where no token was in the address: of the agent's own mail alone, since others may pass
 * one on.
 */
async function namedByReference(
  db: Reader,
  { secrets }: AnswerDeps,
  known: KnownMail,
  at: number,
): Promise<Named | null> {
  const { tenantId } = known.mail.inbox
  if (known.authentication.dmarc === 'fail') return null
  for (const reference of known.parsed.references.slice(-MOST_REFERENCES).toReversed()) {
    const proven = provenMail(secrets, reference.slice(1, reference.lastIndexOf('@')))
    if (proven?.kind !== 'alert') continue
    const alert = await findAnswerableById(db, tenantId, proven.id, at)
    const person = alert && (await activePeople(db, tenantId)).get(alert.userId)
    if (person && isFrom(known, person)) return { ticketId: alert.ticketId, alert }
  }
  return null
}
