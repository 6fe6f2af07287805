import { audit } from '../../audit/record.ts'
import { type Caller, outsideCaller } from '../../caller.ts'
import type { Config } from '../../config.ts'
import { isDamage, isStorageFault, type Tx } from '../../db/index.ts'
import type { Deps } from '../../deps.ts'
import { AppError, notFound } from '../../errors.ts'
import { checkRoom } from '../../files/room.ts'
import { installationId } from '../../installation/id.ts'
import type { Authentication, MailOutcome } from '../../kinds/received-mails.ts'
import { isDiskFault } from '../../lib/disk.ts'
import { isEmail } from '../../lib/email.ts'
import { newId } from '../../lib/ids.ts'
import { formatTime } from '../../lib/time.ts'
import { endLinks } from '../../users/links/links.ts'
import { addMail } from './add-mail.ts'
import { authenticate } from './authenticate.ts'
import type { IncomingMail } from './incoming-mail.ts'
import { storeParts } from './mail-parts.ts'
import { automaticFrom } from './own-mail.ts'
import { parseMail } from './parse.ts'
import type { ParsedMail, ParseResult, UnreadableMail } from './parsed-mail.ts'
import { tracesIn } from './parsing/traces.ts'
import { dropRaw, keepRaw, type RawColumns } from './raw-mail.ts'
import {
  addReceived,
  columnsOf,
  findTaken,
  isDone,
  type ReceivedRow,
  removeQuarantined,
  type Taken,
} from './received.ts'
import { isMachinesAnswer, type Repeated, repeatedIn, takeAnswer, withoutTokens } from './take-system-mail.ts'

/** decisions §13: what a mail may weigh, in bytes. */
export const MAX_MAIL = 25 * 1024 * 1024
/** How much is looked at of a larger one, for who sent it: in bytes. */
const MAX_HEADER = 64 * 1024

/** What became of a mail. The message of a bounce is the one that came back. */
export interface Received {
  outcome: MailOutcome
  ticketId: string | null
  messageId: string | null
  quarantineId: string | null
}

export type ReceiveDeps = Pick<Deps, 'database' | 'files' | 'secrets' | 'log' | 'resolver'> & {
  config: Pick<Config, 'dataDir' | 'minFree' | 'systemFrom' | 'baseUrl'>
}

/** What a mail says, and who sent it: read once, for all inboxes it goes to. */
export interface Reading {
  readonly parsed: ParseResult
  /** What it repeats of mails that we sent by ourselves. */
  readonly repeated: Repeated
  /** Files that each of its messages gets. */
  readonly files: number
  /** Found out when it is first asked for. */
  authentication(): Promise<Authentication>
}

/** One mail being taken. */
interface Taking {
  mail: IncomingMail
  reading: Reading
  /** What is known of its row. */
  row: RawColumns & Pick<ReceivedRow, 'tenantId' | 'id' | 'receivedAt'>
  /** Who gives it another try: it lies in quarantine, under that row. */
  again: Caller | null
}

/** Reads a mail that is to be taken. Keeps nothing of it. Throws `unavailable`, `NoRoom` while there is no room for it. */
export async function readIncoming(
  deps: ReceiveDeps,
  mail: Pick<IncomingMail, 'raw' | 'envelope' | 'connection'>,
): Promise<Reading> {
  try {
    await checkRoom(deps, mail.raw.length)
    return await read(deps, mail, await parse(mail.raw))
  } catch (error) {
    throw asUnavailable(deps, error)
  }
}

/**
 * Takes a mail, by whatever way it came (decisions §13): once this resolves it is stored for good, and its sender can be
 * told so. However often the same mail comes, after a crash too, it becomes one message. What cannot be understood is put
 * into quarantine. Of a machine's answer to a mail about an account or a response nothing is kept (decisions §14). Throws
 * `unavailable` alone: then nothing of it is stored, and it has to be offered again.
 */
export async function receiveMail(deps: ReceiveDeps, mail: IncomingMail, known?: Reading): Promise<Received> {
  const reading = known ?? (await readIncoming(deps, mail))
  const { tenantId } = mail.inbox
  const id = newId(mail.at)
  try {
    const answer = await answerOf(deps, mail, reading)
    if (answer) return answer
    const kept = await keepRaw(deps.files, { tenantId, id }, mail.raw)
    const row = { ...kept, tenantId, id, receivedAt: formatTime(mail.at) }
    return await takeMail(deps, { mail, reading, row, again: null })
  } catch (error) {
    throw asUnavailable(deps, error)
  }
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
    return await takeAnswer(deps, repeated, parsed, at)
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
  const reading = await read(deps, whole, await parse(mail.raw))
  const answer = await answerOf(deps, whole, reading)
  if (!answer) return takeMail(deps, { mail: whole, reading, row, again: caller })
  await deps.database.transaction((tx) => takeOut(tx, caller, row))
  await dropRaw(deps.files, row)
  return answer
}

async function parse(raw: Uint8Array): Promise<ParseResult> {
  if (raw.length > MAX_MAIL) {
    const start = await parseMail(raw.subarray(0, MAX_HEADER))
    // The whole of it goes into quarantine: no sender over the network may send as much.
    return { ...unreadable(`is larger than ${MAX_MAIL / 1024 / 1024} MiB`, start), traces: tracesIn(raw) }
  }
  const parsed = await parseMail(raw)
  if ('unreadable' in parsed || isEmail(parsed.mail.from.address)) return parsed
  return unreadable('has a sender whose address is none', parsed)
}

async function read(
  deps: ReceiveDeps,
  mail: Pick<IncomingMail, 'raw' | 'envelope' | 'connection'>,
  parsed: ParseResult,
): Promise<Reading> {
  let found: Promise<Authentication> | undefined
  const isRead = 'mail' in parsed
  return {
    parsed,
    repeated: await repeatedIn(deps.database.db, deps, isRead ? parsed.mail.traces : parsed.traces),
    files: isRead ? parsed.mail.attachments.length : 0,
    authentication() {
      found ??= authenticate(mail.raw, isRead ? parsed.mail.from.address : '', mail, deps.resolver)
      return found
    },
  }
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

/** Why a mail is not taken, with what is known of it. */
function unreadable(why: string, parsed: ParseResult): UnreadableMail {
  const known = 'unreadable' in parsed ? parsed : { ...parsed.mail, from: parsed.mail.from.address }
  const { from, subject, mailId, traces, isAutomatic, bounce = null } = known
  return {
    ...{ unreadable: why, from, subject, mailId, bounce },
    ...(traces ? { traces } : {}),
    ...(isAutomatic === undefined ? {} : { isAutomatic }),
  }
}

async function takeMail(deps: ReceiveDeps, taking: Taking): Promise<Received> {
  const received = await takeOrQuarantine(deps, taking)
  // Nothing refers to its bytes.
  if (received.rowId !== taking.row.id) await dropRaw(deps.files, taking.row)
  return received.told
}

/** A mail that trips us up does not come again and again for that: it waits for people, and for the next version. */
async function takeOrQuarantine(deps: ReceiveDeps, taking: Taking): Promise<Concluded> {
  const { parsed } = taking.reading
  if ('unreadable' in parsed) return quarantine(deps, taking, parsed)
  try {
    return await takeParsed(deps, taking, parsed.mail)
  } catch (error) {
    if (isTemporary(error) || (taking.again && isNotFound(error))) throw error
    deps.log.error('a mail could not be taken', { mailId: parsed.mail.mailId, error })
    const why = error instanceof AppError ? `could not be taken: ${error.message}` : 'tripped us up: see the log'
    return quarantine(deps, taking, unreadable(why, parsed))
  }
}

/** What is told of a mail, and by which row. */
interface Concluded {
  rowId: string | null
  told: Received
}

async function takeParsed(deps: ReceiveDeps, taking: Taking, read: ParsedMail): Promise<Concluded> {
  const { mail, reading, row } = taking
  const isAutomatic = read.isAutomatic || (mail.envelope !== null && !mail.envelope.from)
  const parsed = { ...withoutTokens(read), isAutomatic }
  const columns = columnsOf(row, mail, { mailId: parsed.mailId, from: parsed.from.address, subject: parsed.subject })
  // What it brings along is not written for nothing.
  if (!taking.again && parsed.attachments.length > 0) {
    const taken = await findTaken(deps.database.db, columns)
    if (taken && isDone(taken)) return duplicateOf(taken)
  }
  const [message, authentication, ourId] = await Promise.all([
    storeParts(deps.files, mail, parsed),
    reading.authentication(),
    installationId(deps.database),
  ])
  return deps.database.transaction(async (tx) => {
    const taken = await findTaken(tx, columns)
    if (taking.again) await takeOut(tx, taking.again, row)
    if (taken && isDone(taken)) return duplicateOf(taken)
    if (taken) await removeQuarantined(tx, { ...row, id: taken.id })
    await endLinks(tx, reading.repeated.links)
    const caller = outsideCaller(row.tenantId, mail.at)
    const added = await addMail(tx, deps.secrets, caller, { mail, parsed, message, authentication, ourId })
    const { outcome, messageId } = added
    const { holdsMore } = parsed
    await addReceived(tx, {
      ...{ ...columns, outcome, messageId, authentication, holdsMore },
      automaticFrom: automaticFrom(parsed),
    })
    return { rowId: row.id, told: { ...added, quarantineId: null } }
  })
}

/** Takes the row out of quarantine, in whatever form it comes back. */
async function takeOut(tx: Tx, caller: Caller, row: Taking['row']): Promise<void> {
  if (!(await removeQuarantined(tx, row))) throw notFound('mail')
  await audit(tx, caller, 'mail.retried', row.id)
}

function duplicateOf({ id, ticketId, messageId }: Taken): Concluded {
  return { rowId: id, told: { outcome: 'duplicate', ticketId, messageId, quarantineId: null } }
}

async function quarantine(
  deps: ReceiveDeps,
  { mail, reading, row, again }: Taking,
  read: UnreadableMail,
): Promise<Concluded> {
  const { unreadable, from, subject } = read
  const columns = columnsOf(row, mail, { mailId: read.mailId ?? `<${row.sha256}@unreadable>`, from, subject })
  return deps.database.transaction(async (tx) => {
    const taken = await findTaken(tx, columns)
    if (again) await takeOut(tx, again, row)
    if (taken && isDone(taken)) return duplicateOf(taken)
    await endLinks(tx, reading.repeated.links)
    const isThere = taken !== null && taken.id !== row.id
    if (!isThere) await addReceived(tx, { ...columns, outcome: 'quarantined', reason: unreadable })
    const quarantineId = isThere ? taken.id : row.id
    return { rowId: quarantineId, told: { outcome: 'quarantined', ticketId: null, messageId: null, quarantineId } }
  })
}

function isNotFound(error: unknown): boolean {
  return error instanceof AppError && error.code === 'not_found'
}

/** Whether it is nothing about the mail that keeps it from being stored. */
function isTemporary(error: unknown): boolean {
  return (
    (error instanceof AppError && error.code === 'unavailable') ||
    isStorageFault(error) ||
    isDiskFault(error) ||
    isDamage(error)
  )
}

function asUnavailable(deps: ReceiveDeps, error: unknown): AppError {
  if (error instanceof AppError && error.code === 'unavailable') return error
  deps.log.error('a mail could not be stored', { error })
  const message = 'nothing can be stored at the moment, and nothing was changed: try again later'
  return Object.assign(new AppError('unavailable', message, { retryAfter: 10 }), { cause: error })
}
