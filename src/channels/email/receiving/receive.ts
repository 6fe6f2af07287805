import type { Caller } from '../../../caller.ts'
import { newId } from '../../../lib/ids.ts'
import { formatTime } from '../../../lib/time.ts'
import type { IncomingMail } from '../incoming-mail.ts'
import { dropRaw, keepRaw } from '../raw-mail.ts'
import type { ReceivedRow } from '../received.ts'
import { type Reading, type ReceiveDeps, readIncoming, readMail, unreadable } from './reading.ts'
import { type Received, takeMail, takeOut } from './take-mail.ts'
import { isMachinesAnswer, takeAnswer } from './take-system-mail.ts'
import { asUnavailable } from './unavailable.ts'

/**
 * Takes a mail, by whatever way it came (decisions §13): once this resolves it is stored for good, and its sender can be
 * told so. However often the same mail comes, after a crash too, it becomes one message. What cannot be understood is put
 * into quarantine. Of a machine's answer to a mail about an account or a response nothing is kept (decisions §14). Throws
 * `unavailable` alone: then nothing of it is stored, and it has to be offered again.
 */
export async function receiveMail(deps: ReceiveDeps, mail: IncomingMail, known?: Reading): Promise<Received> {
  const reading = known ?? (await readIncoming(deps, mail))
  try {
    const received = (await answerOf(deps, mail, reading)) ?? (await takeNew(deps, mail, reading))
    deps.meter?.mail(received.outcome)
    return received
  } catch (error) {
    throw asUnavailable(deps, error)
  }
}

async function takeNew(deps: ReceiveDeps, mail: IncomingMail, reading: Reading): Promise<Received> {
  const { tenantId } = mail.inbox
  const id = newId(mail.at)
  const kept = await keepRaw(deps.files, { tenantId, id }, mail.raw)
  const row = { ...kept, tenantId, id, receivedAt: formatTime(mail.at) }
  return takeMail(deps, { mail, reading, row, again: null })
}

/**
 * Takes a mail that is for the address alone that mails about accounts and responses come from (decisions §14): what came
 * back is noted, and nothing of it is kept. Throws `unavailable`.
 */
export async function receiveForSystem(
  deps: ReceiveDeps,
  at: number,
  { parsed, repeated }: Reading,
): Promise<'bounce' | 'ignored'> {
  try {
    const outcome = await takeAnswer(deps, repeated, parsed, at)
    deps.meter?.mail(outcome)
    return outcome
  } catch (error) {
    throw asUnavailable(deps, error)
  }
}

/**
 * Puts into quarantine what is known of a mail that stays where it is: `raw` is its header, `reason` goes on from
 * "This mail …". Throws `unavailable`.
 */
export async function quarantineHeader(
  deps: ReceiveDeps,
  mail: Pick<IncomingMail, 'raw' | 'at' | 'inbox'>,
  reason: string,
): Promise<Received> {
  const whole = { ...mail, envelope: null, connection: null }
  const { parsed, ...reading } = await readIncoming(deps, whole)
  return receiveMail(deps, whole, { ...reading, parsed: unreadable(reason, parsed) })
}

/** Gives a mail in quarantine another try. Throws `unavailable`, `not_found` once it is there no more. */
export async function receiveAgain(
  deps: ReceiveDeps,
  caller: Caller,
  mail: Omit<IncomingMail, 'at'>,
  row: ReceivedRow,
): Promise<Received> {
  const whole = { ...mail, at: caller.at }
  const reading = await readMail(deps, whole)
  const answer = await answerOf(deps, whole, reading)
  if (!answer) return takeMail(deps, { mail: whole, reading, row, again: caller })
  await deps.database.transaction((tx) => takeOut(tx, caller, row))
  await dropRaw(deps.files, row)
  return answer
}

/** What is told of a machine's answer to a mail that we sent by ourselves; null for any other mail. */
async function answerOf(
  deps: ReceiveDeps,
  { envelope, at }: IncomingMail,
  { parsed, repeated }: Reading,
): Promise<Received | null> {
  if (!(await isMachinesAnswer(deps.database.db, deps, repeated, parsed, envelope))) return null
  const outcome = await takeAnswer(deps, repeated, parsed, at)
  return { outcome, ticketId: null, messageId: null, quarantineId: null }
}
