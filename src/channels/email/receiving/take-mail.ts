import { audit } from '../../../audit/record.ts'
import { type Caller, outsideCaller } from '../../../caller.ts'
import type { Tx } from '../../../db/index.ts'
import { AppError, notFound } from '../../../errors.ts'
import { installationId } from '../../../installation/id.ts'
import type { MailOutcome } from '../../../kinds/received-mails.ts'
import { endLinks } from '../../../users/links/links.ts'
import type { IncomingMail } from '../incoming-mail.ts'
import { automaticFrom } from '../own-mail.ts'
import type { ParsedMail, UnreadableMail } from '../parsed-mail.ts'
import { dropRaw, type RawColumns } from '../raw-mail.ts'
import {
  addReceived,
  columnsOf,
  findTaken,
  isDone,
  type ReceivedRow,
  removeQuarantined,
  type Taken,
} from '../received.ts'
import { addMail } from './add-mail.ts'
import { storeParts } from './mail-parts.ts'
import { originOf } from './origin.ts'
import { type Reading, type ReceiveDeps, unreadable } from './reading.ts'
import { withoutTokens } from './take-system-mail.ts'
import { isTemporary } from './unavailable.ts'

/** What became of a mail. The message of a bounce is the one that came back. */
export interface Received {
  outcome: MailOutcome
  ticketId: string | null
  messageId: string | null
  quarantineId: string | null
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

/** Takes a mail whose bytes are kept under `row`: as a message, or into quarantine. Their file goes where no row refers to it. */
export async function takeMail(deps: ReceiveDeps, taking: Taking): Promise<Received> {
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
  const prove = () => reading.authentication()
  const origin = await originOf(deps.database.db, deps, { mail, parsed, prove })
  const [message, authentication, ourId] = await Promise.all([
    storeParts(deps.files, mail, origin?.mail ?? parsed),
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
    const added = await addMail(tx, deps, caller, { mail, parsed, message, authentication, origin, ourId })
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
export async function takeOut(tx: Tx, caller: Caller, row: Taking['row']): Promise<void> {
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
