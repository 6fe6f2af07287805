import {
  concludeAlertMail,
  type MailClaim,
  type NextMail,
  nextAlertMail,
  type Outcome,
  takeAlertMails,
} from '../../../alerts/mails.ts'
import type { Tx } from '../../../db/index.ts'
import { alertMails } from '../../../db/schema.ts'
import type { Deps } from '../../../deps.ts'
import { DeliveryError } from '../../../ports/channel.ts'
import { type Due, LeasedWork } from '../../../work/leased-work.ts'
import { type Mailer, mailerBy } from '../mailer.ts'
import { houseTransport } from '../transports.ts'
import { alertMailOf } from './mail.ts'

const MINUTE = 60_000
/** After the last wait, it is given up. */
const RULES = { most: 4, lease: MINUTE, waits: [1, 5, 30, 120].map((minutes) => minutes * MINUTE) }

const SENT: Outcome = { why: null, againAt: null }

/** Sends mails about alerts (decisions §20): one may arrive twice after a crash, under one Message-ID. */
export class AlertMails extends LeasedWork<MailClaim> {
  constructor(
    private readonly deps: Pick<Deps, 'config' | 'database' | 'clock' | 'log' | 'secrets' | 'meter'>,
    /** By FRONTDESK_SMTP_URL: no mailbox's server takes mail from our own address. */
    private readonly mailer: Mailer = mailerBy(houseTransport(deps.config), deps.meter),
  ) {
    super(deps, alertMails, RULES)
  }

  protected override take(tx: Tx, due: Due, most: number): Promise<MailClaim[]> {
    return takeAlertMails(tx, due, most)
  }

  protected override async perform(claim: MailClaim): Promise<void> {
    const { database, clock, log } = this.deps
    try {
      const next = await nextAlertMail(database.db, claim, clock.now())
      const outcome = next.told.length > 0 ? await this.#attempt(claim, next) : SENT
      await database.transaction((tx) => concludeAlertMail(tx, claim, next, outcome, clock.now()))
    } catch (error) {
      // It stays due: the lease runs out.
      log.error('a mail about alerts could not be concluded', { ...claim, error })
    }
  }

  async #attempt(claim: MailClaim, { told }: NextMail): Promise<Outcome> {
    const { log, clock } = this.deps
    try {
      const mail = await alertMailOf(this.deps, claim, told, clock.now())
      if (mail) await this.mailer.send(mail)
      return SENT
    } catch (error) {
      const isKnown = error instanceof DeliveryError
      if (!isKnown) log.error('a mail about alerts could not be made', { ...claim, error })
      const why = isKnown ? error.message : 'something went wrong on our side'
      const isForGood = isKnown && ['refused', 'impossible'].includes(error.failure)
      if (!isForGood && claim.attempts <= RULES.waits.length) {
        return { why, againAt: clock.now() + this.waitAfter(claim.attempts) }
      }
      log.error('a mail about alerts could not be sent', { ...claim, why })
      return { why, againAt: null }
    }
  }
}
