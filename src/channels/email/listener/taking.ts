import type { SMTPServerDataStream, SMTPServerSession } from 'smtp-server'
import { isStorageFault } from '../../../db/index.ts'
import { AppError } from '../../../errors.ts'
import { NoRoom } from '../../../files/room.ts'
import type { AddressLimiter } from '../../../http/limits/public-limit.ts'
import { BodiesUnderWay } from '../../../http/requests/bodies-under-way.ts'
import type { MailOutcome } from '../../../kinds/received-mails.ts'
import type { Clock } from '../../../lib/clock.ts'
import { isFileFault } from '../../../lib/disk/disk.ts'
import type { Log, LogFields } from '../../../lib/log/log.ts'
import type { MailIntake } from './intake.ts'
import type { MailLimits } from './limits.ts'
import { LostMail, piecesOf } from './pieces.ts'
import type { Visit } from './visits.ts'

/** What the listener answers where it does not take something. */
export class Refusal extends Error {
  override readonly name = 'Refusal'

  /** `responseCode` is SMTP's; after 421 the connection is closed. */
  constructor(
    readonly responseCode: number,
    message: string,
  ) {
    super(message)
  }
}

/** What has become of a mail in one inbox. */
interface Delivery {
  /** Null: whom our own mails are from. */
  readonly inboxId: string | null
  readonly outcome: MailOutcome
  readonly ticketId: string | null
}

/** RFC 5321 §4.2.3: insufficient system storage. */
export const withoutRoom = () => new Refusal(452, 'there is no room for mail at the moment: try again later')
/** Whatever part of the write failed: a disk that takes nothing, as the RFC has it, or what holds the data is away. */
function notStored(cause: unknown): Refusal {
  const isDisk = isStorageFault(cause) || isFileFault(cause)
  return new Refusal(isDisk ? 452 : 451, 'nothing can be stored at the moment: try again later')
}
const busy = () => new Refusal(451, 'too much mail at the moment: try again later')

/**
 * Takes the content of mails and hands each to every inbox it is for: it resolves when all of them have committed. Throws
 * Refusal: what did not reach all inboxes is to be sent again, and is a duplicate in those that have it.
 */
export function mailTaking(clock: Clock, log: Log, intake: MailIntake, limits: MailLimits, files: AddressLimiter) {
  const underWay = new BodiesUnderWay(limits.incoming, limits.data)
  /** Bytes of mails that are there whole and not stored yet. */
  let storing = 0

  return async function take(visit: Visit, stream: SMTPServerDataStream, session: SMTPServerSession): Promise<void> {
    const started = clock.monotonic()
    const deliveries: Delivery[] = []
    const note = (code: number, fields: LogFields) => {
      const duration = Math.round(clock.monotonic() - started)
      log.info('mail', { address: visit.client.address, code, size: stream.byteLength, duration, ...fields })
    }
    try {
      const raw = await read(visit, stream)
      storing += raw.length
      try {
        await deliver(visit, raw, session, deliveries)
      } finally {
        storing -= raw.length
      }
      note(250, { deliveries })
    } catch (error) {
      const refusal = refusalFor(error)
      if (refusal.responseCode === 451 && !isExpected(error)) log.error('a mail was not taken', { error })
      note(refusal.responseCode, {
        reason: refusal.message,
        ...causeOf(error),
        ...(deliveries.length > 0 ? { deliveries } : {}),
      })
      throw refusal
    }
  }

  async function read(visit: Visit, stream: SMTPServerDataStream): Promise<Uint8Array> {
    const pieces = piecesOf(stream, limits.waste, () => visit.line.hangUp('that is too much'))
    const raw = await underWay.readPieces(pieces, limits.size)
    if (storing >= limits.storing) throw busy()
    return raw
  }

  async function deliver(visit: Visit, raw: Uint8Array, session: SMTPServerSession, deliveries: Delivery[]) {
    const { mailFrom } = session.envelope
    const from = mailFrom ? mailFrom.address : ''
    const connection = { address: visit.client.address, hello: session.hostNameAppearsAs }
    const at = clock.now()
    const reading = await intake.read({ raw, envelope: { from, recipients: [] }, connection })
    countFiles(visit, reading.files * visit.inboxes.size)
    for (const { inbox, recipients } of visit.inboxes.values()) {
      const mail = { raw, at, inbox, envelope: { from, recipients }, connection }
      const { outcome, ticketId } = await intake.receive(mail, reading)
      deliveries.push({ inboxId: inbox.id, outcome, ticketId })
    }
    if (!visit.isForSystem) return
    const outcome = await intake.receiveForSystem(at, reading)
    deliveries.push({ inboxId: null, outcome, ticketId: null })
  }

  /** A mail with more than there may be is taken all the same, if none came before it. */
  function countFiles({ client, isTrusted }: Visit, count: number): void {
    const now = clock.monotonic()
    if (isTrusted || count === 0) return
    const wait = files.wait(client, now)
    if (wait > 0) throw new Refusal(450, `too many files from your address: try again in ${wait} seconds`)
    for (let left = count; left > 0; left--) if (files.take(client, now) > 0) return
  }
}

/** What the system or the database calls it, where that keeps a mail from being stored. */
function causeOf(error: unknown): LogFields {
  const { code } = ((error as { cause?: unknown } | null)?.cause ?? {}) as { code?: unknown }
  return typeof code === 'string' ? { cause: code } : {}
}

function isExpected(error: unknown): boolean {
  return (
    error instanceof Refusal || error instanceof LostMail || (error instanceof AppError && error.code === 'unavailable')
  )
}

function refusalFor(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  if (error instanceof LostMail) return new Refusal(421, error.message)
  if (error instanceof NoRoom) return withoutRoom()
  if (!(error instanceof AppError)) return new Refusal(451, 'something went wrong on our side: try again later')
  switch (error.code) {
    case 'too_large':
      return new Refusal(552, 'the mail is larger than 25 MiB')
    case 'invalid_request':
      return new Refusal(421, 'the mail came too slowly')
    case 'unavailable':
      return error.cause === undefined ? busy() : notStored(error.cause)
    default:
      return new Refusal(451, 'something went wrong on our side: try again later')
  }
}
