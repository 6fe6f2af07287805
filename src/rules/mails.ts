import { and, eq } from 'drizzle-orm'
import type { Caller } from '../caller.ts'
import { type Mailer, mailerBy, type OutgoingMail } from '../channels/email/mailer.ts'
import { systemAddress, systemHeaders } from '../channels/email/system-mail.ts'
import { houseTransport } from '../channels/email/transports.ts'
import { ofTenant, type Tx } from '../db/index.ts'
import { ruleMails } from '../db/schema.ts'
import type { Deps } from '../deps.ts'
import { installationId } from '../installation/id.ts'
import { htmlOfText } from '../lib/html/sanitise.ts'
import { newId } from '../lib/ids.ts'
import { oneLine } from '../lib/text/one-line.ts'
import { formatTime } from '../lib/time.ts'
import { DeliveryError } from '../ports/channel.ts'
import { nameOfTenant } from '../tenants/operations.ts'
import { type Due, LeasedWork } from '../work/leased-work.ts'

const MINUTE = 60_000
/** After the last wait, it is given up. */
const RULES = { most: 4, lease: MINUTE, waits: [1, 5, 30, 120].map((minutes) => minutes * MINUTE) }

/** Has a mail go to a colleague, once this transaction is committed. */
export async function queueRuleMail(
  tx: Tx,
  { tenantId, at }: Caller,
  mail: { address: string; subject: string; text: string },
): Promise<void> {
  const createdAt = formatTime(at)
  await tx.insert(ruleMails).values({ tenantId, id: newId(at), ...mail, dueAt: createdAt, createdAt })
}

type Claim = typeof ruleMails.$inferSelect

/** Sends the mails of rules (decisions §17): one may arrive twice after a crash, under one Message-ID. */
export class RuleMails extends LeasedWork<Claim> {
  constructor(
    private readonly deps: Pick<Deps, 'config' | 'database' | 'clock' | 'log' | 'secrets'>,
    /** By FRONTDESK_SMTP_URL: no mailbox's server takes mail from our own address. */
    private readonly mailer: Mailer = mailerBy(houseTransport(deps.config)),
  ) {
    super(deps, ruleMails, RULES)
  }

  protected override async take(tx: Tx, { isDue, order, leasedUntil }: Due, most: number): Promise<Claim[]> {
    const due = await tx.select().from(ruleMails).where(isDue).orderBy(order).limit(most)
    for (const { attempts, ...mail } of due) {
      await tx
        .update(ruleMails)
        .set({ attempts: attempts + 1, dueAt: leasedUntil })
        .where(ofMail(mail))
    }
    return due.map((mail) => ({ ...mail, attempts: mail.attempts + 1 }))
  }

  protected override async perform(claim: Claim): Promise<void> {
    const { database, clock, log } = this.deps
    try {
      const failure = await this.#attempt(claim)
      await database.transaction(async (tx) => {
        if (failure === null) return void (await tx.delete(ruleMails).where(ofMail(claim)))
        const dueAt = failure.isFinal ? null : formatTime(clock.now() + this.waitAfter(claim.attempts))
        await tx.update(ruleMails).set({ dueAt, error: failure.why }).where(ofMail(claim))
      })
      if (failure?.isFinal) log.error('a mail of a rule could not be sent', { id: claim.id, why: failure.why })
    } catch (error) {
      // It stays due: the lease runs out.
      log.error('a mail of a rule could not be concluded', { id: claim.id, error })
    }
  }

  /** Null when it was sent. */
  async #attempt(claim: Claim): Promise<{ why: string; isFinal: boolean } | null> {
    try {
      await this.mailer.send(await mailOf(this.deps, claim))
      return null
    } catch (error) {
      const isKnown = error instanceof DeliveryError
      if (!isKnown) this.deps.log.error('a mail of a rule could not be made', { id: claim.id, error })
      const isForGood = isKnown && ['refused', 'impossible'].includes(error.failure)
      const why = isKnown ? error.message : 'something went wrong on our side'
      return { why, isFinal: isForGood || claim.attempts > RULES.waits.length }
    }
  }
}

const ofMail = ({ tenantId, id }: Pick<Claim, 'tenantId' | 'id'>) =>
  and(ofTenant(ruleMails, tenantId), eq(ruleMails.id, id))

async function mailOf(
  { config, database, secrets }: Pick<Deps, 'config' | 'database' | 'secrets'>,
  { tenantId, id, address, subject, text, createdAt }: Claim,
): Promise<OutgoingMail> {
  const sender = systemAddress(config)
  return {
    ...{ id, subject, text },
    from: { name: oneLine(await nameOfTenant(database.db, tenantId)), address: sender },
    to: { name: '', address },
    html: htmlOfText(text),
    references: [],
    installationId: await installationId(database),
    at: Date.parse(createdAt),
    ...systemHeaders(secrets, { kind: 'rule', id }, sender),
  }
}
