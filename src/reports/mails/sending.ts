import { and, eq } from 'drizzle-orm'
import { calendarOfTenant } from '../../calendars/read.ts'
import type { Mailer, OutgoingMail } from '../../channels/email/mailer.ts'
import { systemMail } from '../../channels/email/system/letter.ts'
import { type Failure, type SendingDeps, SystemMails, TakenOver } from '../../channels/email/system/sending.ts'
import type { Tx } from '../../db/index.ts'
import { reportMails } from '../../db/schema.ts'
import { newId } from '../../lib/ids.ts'
import { formatTime } from '../../lib/time.ts'
import { nameOfTenant } from '../../tenants/operations.ts'
import { activePeople } from '../../users/colleagues.ts'
import { keepFigures } from '../keeping.ts'
import { letterOf } from './letter.ts'
import { nextMorning } from './subscriptions.ts'

type Claim = typeof reportMails.$inferSelect & { dueAt: string }

/**
 * Sends reports in the morning (decisions §19), never twice: just before the mail server gets what a mail says, its row goes on
 * to the next morning. One that was interrupted earlier is sent after the start; after the last failure, it is left to the next
 * morning.
 */
export class ReportMails extends SystemMails<Claim> {
  constructor(deps: SendingDeps, mailer?: Mailer) {
    super(deps, reportMails, { most: 2, waits: [1, 5, 30, 120], isSentOnce: true, what: 'a report' }, mailer)
  }

  /** Null where there is nothing to say, or nobody to say it to. */
  protected override async mailOf({ tenantId, userId, ...mail }: Claim): Promise<OutgoingMail | null> {
    const { database, config, clock } = this.deps
    const at = clock.now()
    const person = (await activePeople(database.db, tenantId)).get(userId)
    if (!person) return null
    await keepFigures(database, tenantId)
    const { language } = person
    const letter = await letterOf(database.lists, mail, { tenantId, language, baseUrl: config.baseUrl, at })
    if (letter === null) return null
    const fromName = await nameOfTenant(database.db, tenantId)
    return systemMail(this.deps, { kind: 'report', id: newId(at) }, { ...letter, fromName, to: person, at })
  }

  /** On to the next morning, unless another took it meanwhile, since this one was slow: then that one sends it. */
  protected override beforeHandover(claim: Claim) {
    return async () => {
      const taken = await this.database.transaction(async (tx) => {
        const isOurs = and(this.ofMail(claim), eq(reportMails.dueAt, claim.dueAt))
        const onward = await this.#nextMorning(tx, claim)
        return tx.update(reportMails).set(onward).where(isOurs).returning({ id: reportMails.id })
      })
      if (taken.length === 0) throw new TakenOver()
    }
  }

  protected override async conclude(tx: Tx, claim: Claim, failure: Failure | null): Promise<void> {
    const again = failure && !failure.isFinal && { dueAt: failure.againAt, attempts: claim.attempts }
    await tx
      .update(reportMails)
      .set(again || (await this.#nextMorning(tx, claim)))
      .where(this.ofMail(claim))
  }

  async #nextMorning(tx: Tx, { tenantId, kind }: Claim) {
    const { zone } = await calendarOfTenant(tx, tenantId)
    return { dueAt: formatTime(nextMorning(kind, this.clock.now(), zone)), attempts: 0 }
  }
}
