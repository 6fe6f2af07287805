import type { SMTPServerOptions, SMTPServerSession } from 'smtp-server'
import type { Config } from '../../../config.ts'
import { AppError } from '../../../errors.ts'
import { NoRoom } from '../../../files/room.ts'
import { AddressLimiter } from '../../../http/limits/public-limit.ts'
import type { Clock } from '../../../lib/clock.ts'
import type { Log } from '../../../lib/log/log.ts'
import { duringAll } from '../../../lib/loop/activity.ts'
import type { MailIntake } from './intake.ts'
import type { MailLimits } from './limits.ts'
import { mailTaking, Refusal, withoutRoom } from './taking.ts'
import type { Visit, Visits } from './visits.ts'

/** What the listener is made of. */
export interface MailListenerParts {
  readonly config: Pick<Config, 'baseUrl' | 'publicRateLimit' | 'trustedProxies'>
  readonly clock: Clock
  readonly log: Log
  readonly intake: MailIntake
  /** Listens beside the service that is followed, which lets it. */
  readonly follows?: boolean
}

const CONNECTION = { name: 'a connection to the mail listener' }

type Handlers = Required<Pick<SMTPServerOptions, 'onMailFrom' | 'onRcptTo' | 'onData' | 'onClose'>>

/** What is answered to a sender, step by step. */
export function conversation(parts: MailListenerParts, visits: Visits, limits: MailLimits): Handlers {
  const { config, clock, log, intake } = parts
  const limiter = new AddressLimiter(config.publicRateLimit)
  const files = new AddressLimiter(config.publicRateLimit * limits.filesPerMail)
  const take = mailTaking(clock, log, intake, limits, files)

  async function begin(visit: Visit): Promise<void> {
    const isEnough = !visit.isTrusted && visit.mails >= limits.mails
    if (visit.isOver || isEnough) throw new Refusal(421, 'that were enough mails: connect again')
    const wait = visit.isTrusted ? 0 : limiter.take(visit.client, clock.monotonic())
    if (wait > 0) throw new Refusal(450, `too many mails from your address: try again in ${wait} seconds`)
    const pause = visit.isTrusted ? 0 : files.wait(visit.client, clock.monotonic())
    if (pause > 0) throw new Refusal(450, `too many files from your address: try again in ${pause} seconds`)
    await intake.checkRoom()
    visit.asked = 0
    visit.isForSystem = false
    visit.inboxes = new Map()
  }

  async function address(visit: Visit, recipient: string, isReport: boolean): Promise<void> {
    if (++visit.asked > limits.recipients) throw new Refusal(452, 'too many recipients')
    const inbox = await intake.inboxOf(recipient)
    if (inbox === 'system') {
      // A person is told at once that nobody would read it.
      if (!isReport) throw new Refusal(550, 'nobody reads this mailbox')
      visit.isForSystem = true
      return
    }
    if (!inbox) {
      const isGuessing = ++visit.unknownRecipients > limits.unknownRecipients
      throw new Refusal(
        isGuessing ? 421 : 550,
        isGuessing ? 'too many unknown recipients' : 'there is no such mailbox here',
      )
    }
    const found = visit.inboxes.get(inbox.id)
    if (found) found.recipients.push(recipient)
    else visit.inboxes.set(inbox.id, { inbox, recipients: [recipient] })
  }

  function visitOf(session: SMTPServerSession): Visit {
    const visit = visits.get(session.id)
    // It was cut off, and has not noticed yet.
    if (!visit) throw new Refusal(421, 'goodbye')
    return visit
  }

  return {
    onMailFrom: (_, session, done) => answer(done, log, () => begin(visitOf(session))),
    onRcptTo: ({ address: recipient }, session, done) =>
      answer(done, log, () => address(visitOf(session), recipient, isFromNobody(session))),
    onData: (stream, session, done) =>
      answer(
        (error) => done(error, error ? undefined : 'taken'),
        log,
        async () => {
          const visit = visitOf(session)
          visit.isTaking = true
          try {
            await take(visit, stream, session)
          } catch (error) {
            // smtp-server would wait for the end of the mail first.
            if (error instanceof Refusal && error.responseCode === 421) visits.dismiss(visit, error.message)
            throw error
          } finally {
            visit.isTaking = false
            visit.mails++
            visit.commands = 0
            // The answer comes first.
            if (visit.isOver) setImmediate(() => visits.dismiss(visit))
          }
        },
      ),
    onClose: (session) => visits.end(session.id),
  }
}

/** The empty return path is that of programs, which want no answer themselves (RFC 5321 §4.5.5). */
function isFromNobody({ envelope: { mailFrom } }: SMTPServerSession): boolean {
  return !mailFrom || mailFrom.address === ''
}

/** Says how a step went: a refusal as it is, what the database cannot do at the moment as 451, and so a fault of ours. */
function answer(done: (error?: Error | null) => void, log: Log, step: () => void | Promise<void>): void {
  duringAll(CONNECTION, async () => step()).then(
    () => done(),
    (error: unknown) => {
      if (error instanceof Refusal) return done(error)
      if (error instanceof NoRoom) return done(withoutRoom())
      if (!(error instanceof AppError && error.code === 'unavailable')) log.error('mail could not be taken', { error })
      done(new Refusal(451, 'something is out of order on our side: try again later'))
    },
  )
}

/**
 * Counts commands, which smtp-server tells its log alone about: most of them have no handler of ours, and cost something
 * all the same.
 */
export function commandCounter(visits: Visits, limits: MailLimits): SMTPServerOptions['logger'] {
  const debug = ({ tnx, cid }: { tnx?: string; cid?: string }) => {
    if (tnx !== 'command' || cid === undefined) return
    const visit = visits.get(cid)
    if (visit && ++visit.commands > limits.commands) visits.dismiss(visit)
  }
  const nothing = () => {}
  return { debug, trace: nothing, info: nothing, warn: nothing, error: nothing, fatal: nothing } as never
}
