import type { SMTPServerDataStream, SMTPServerSession } from 'smtp-server'
import { AppError } from '../../../errors.ts'
import { BodiesUnderWay } from '../../../http/bodies-under-way.ts'
import type { Clock } from '../../../lib/clock.ts'
import type { Log, LogFields } from '../../../lib/log.ts'
import type { MailOutcome } from '../model.ts'
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
  readonly inboxId: string
  readonly outcome: MailOutcome
  readonly ticketId: string | null
}

const busy = () => new Refusal(451, 'too much mail at the moment: try again later')

/**
 * Takes the content of mails and hands each to every inbox it is for: it resolves when all of them have committed. Throws
 * Refusal: what did not reach all inboxes is to be sent again, and is a duplicate in those that have it.
 */
export function mailTaking(clock: Clock, log: Log, intake: MailIntake, limits: MailLimits) {
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
      note(refusal.responseCode, { reason: refusal.message, ...(deliveries.length > 0 ? { deliveries } : {}) })
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
    for (const { inbox, recipients } of visit.inboxes.values()) {
      const { outcome, ticketId } = await intake.receive({ raw, at, inbox, envelope: { from, recipients }, connection })
      deliveries.push({ inboxId: inbox.id, outcome, ticketId })
    }
  }
}

function isExpected(error: unknown): boolean {
  return (
    error instanceof Refusal || error instanceof LostMail || (error instanceof AppError && error.code === 'unavailable')
  )
}

function refusalFor(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  if (error instanceof LostMail) return new Refusal(421, error.message)
  if (!(error instanceof AppError)) return new Refusal(451, 'something went wrong on our side: try again later')
  switch (error.code) {
    case 'too_large':
      return new Refusal(552, 'the mail is larger than 25 MiB')
    case 'invalid_request':
      return new Refusal(421, 'the mail came too slowly')
    case 'unavailable':
      return busy()
    default:
      return new Refusal(451, 'something went wrong on our side: try again later')
  }
}
