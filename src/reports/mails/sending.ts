import { and, eq } from 'drizzle-orm'
import { calendarOfTenant } from '../../calendars/read.ts'
import { type Mailer, mailerBy, type OutgoingMail } from '../../channels/email/mailer.ts'
import { systemAddress, systemHeaders } from '../../channels/email/system-mail.ts'
import { houseTransport } from '../../channels/email/transports.ts'
import { ofTenant, type Tx } from '../../db/index.ts'
import { reportMails } from '../../db/schema.ts'
import type { Deps } from '../../deps.ts'
import { installationId } from '../../installation/id.ts'
import { newId } from '../../lib/ids.ts'
import { oneLine } from '../../lib/text/one-line.ts'
import { formatTime } from '../../lib/time.ts'
import { DeliveryError } from '../../ports/channel.ts'
import { nameOfTenant } from '../../tenants/operations.ts'
import { activePeople } from '../../users/colleagues.ts'
import { type Due, LeasedWork } from '../../work/leased-work.ts'
import { keepFigures } from '../keeping.ts'
import { letterOf } from './letter.ts'
import { nextMorning } from './subscriptions.ts'

const MINUTE = 60_000
/** After the last wait, it is left to the next morning. */
const RULES = { most: 2, lease: MINUTE, waits: [1, 5, 30, 120].map((minutes) => minutes * MINUTE) }

class TakenOver extends Error {}

type Claim = typeof reportMails.$inferSelect & { dueAt: string }

/**
 * Sends reports in the morning (decisions §19), never twice: just before the mail server gets what a mail says, its row goes on
 * to the next morning. One that was interrupted earlier is sent after the start.
 */
export class ReportMails extends LeasedWork<Claim> {
  constructor(
    private readonly deps: Pick<Deps, 'config' | 'database' | 'clock' | 'log' | 'secrets'>,
    /** By FRONTDESK_SMTP_URL: no mailbox's server takes mail from our own address. */
    private readonly mailer: Mailer = mailerBy(houseTransport(deps.config)),
  ) {
    super(deps, reportMails, RULES)
  }

  protected override async take(tx: Tx, { isDue, order, leasedUntil }: Due, most: number): Promise<Claim[]> {
    const due = await tx.select().from(reportMails).where(isDue).orderBy(order).limit(most)
    for (const { attempts, ...mail } of due) {
      await tx
        .update(reportMails)
        .set({ attempts: attempts + 1, dueAt: leasedUntil })
        .where(ofMail(mail))
    }
    return due.map((mail) => ({ ...mail, attempts: mail.attempts + 1, dueAt: leasedUntil }))
  }

  protected override async perform(claim: Claim): Promise<void> {
    const { log } = this.deps
    try {
      await this.#attempt(claim)
    } catch (error) {
      if (error instanceof TakenOver) return
      const isKnown = error instanceof DeliveryError
      const why = isKnown ? error.message : 'something went wrong on our side'
      log.error('a report could not be mailed', { id: claim.id, why, ...(isKnown ? {} : { error }) })
      const isForGood = isKnown && ['refused', 'impossible', 'interrupted'].includes(error.failure)
      if (isForGood || claim.attempts > RULES.waits.length) await this.#goOn(claim)
      else await this.#tryAgain(claim)
    }
  }

  async #attempt(claim: Claim): Promise<void> {
    const mail = await this.#mailOf(claim, this.deps.clock.now())
    if (mail === null) return this.#goOn(claim)
    await this.mailer.send(mail, () => this.#handOver(claim))
  }

  /** Null where there is nothing to say, or nobody to say it to. */
  async #mailOf({ tenantId, userId, ...mail }: Claim, at: number): Promise<OutgoingMail | null> {
    const { database, config, secrets } = this.deps
    const person = (await activePeople(database.db, tenantId)).get(userId)
    if (!person) return null
    await keepFigures(database, tenantId)
    const { language } = person
    const letter = await letterOf(database.db, mail, { tenantId, language, baseUrl: config.baseUrl, at })
    if (letter === null) return null
    const sender = systemAddress(config)
    const id = newId(at)
    return {
      ...letter,
      id,
      from: { name: oneLine(await nameOfTenant(database.db, tenantId)), address: sender },
      to: { name: person.name === person.email ? '' : oneLine(person.name), address: person.email },
      references: [],
      installationId: await installationId(database),
      at,
      ...systemHeaders(secrets, { kind: 'report', id }, sender),
    }
  }

  /** On to the next morning, unless another took it meanwhile, since this one was slow: then that one sends it. */
  async #handOver(claim: Claim): Promise<void> {
    const { database, clock } = this.deps
    const taken = await database.transaction(async (tx) => {
      const dueAt = await this.#nextDue(tx, claim, clock.now())
      const isOurs = and(ofMail(claim), eq(reportMails.dueAt, claim.dueAt))
      return tx.update(reportMails).set({ dueAt, attempts: 0 }).where(isOurs).returning({ id: reportMails.id })
    })
    if (taken.length === 0) throw new TakenOver()
  }

  /** On to the next morning. */
  async #goOn(claim: Claim): Promise<void> {
    const { database, clock } = this.deps
    await database.transaction(async (tx) => {
      const dueAt = await this.#nextDue(tx, claim, clock.now())
      await tx.update(reportMails).set({ dueAt, attempts: 0 }).where(ofMail(claim))
    })
  }

  async #nextDue(tx: Tx, { tenantId, kind }: Claim, at: number): Promise<string> {
    const { zone } = await calendarOfTenant(tx, tenantId)
    return formatTime(nextMorning(kind, at, zone))
  }

  async #tryAgain(claim: Claim): Promise<void> {
    const { database, clock } = this.deps
    const dueAt = formatTime(clock.now() + this.waitAfter(claim.attempts))
    await database.transaction((tx) =>
      tx.update(reportMails).set({ dueAt, attempts: claim.attempts }).where(ofMail(claim)),
    )
  }
}

const ofMail = ({ tenantId, id }: Pick<Claim, 'tenantId' | 'id'>) =>
  and(ofTenant(reportMails, tenantId), eq(reportMails.id, id))
