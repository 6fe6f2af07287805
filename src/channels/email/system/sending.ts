import { and, eq } from 'drizzle-orm'
import type { AnySQLiteColumn } from 'drizzle-orm/sqlite-core'
import { ofTenant, type Tx } from '../../../db/index.ts'
import type { Deps } from '../../../deps.ts'
import { formatTime } from '../../../lib/time.ts'
import { type BeforeHandover, DeliveryError, type DeliveryFailure } from '../../../ports/channel.ts'
import { type Due, LeasedWork, type WorkTable } from '../../../work/leased-work.ts'
import { type Mailer, mailerBy, type OutgoingMail } from '../mailer.ts'
import { houseTransport } from '../transports.ts'

const MINUTE = 60_000

/** A table of mails that wait, a row for each. */
type MailTable = WorkTable & {
  readonly tenantId: AnySQLiteColumn
  readonly id: AnySQLiteColumn
  readonly attempts: AnySQLiteColumn
}

/** A row of it that was taken. */
interface Claim {
  readonly tenantId: string
  readonly id: string
  /** This one too. */
  readonly attempts: number
  readonly dueAt: string | null
}

export interface Failure {
  /** In words that may be shown. */
  readonly why: string
  /** Whether it is not tried again. */
  readonly isFinal: boolean
  /** When it is tried again, if it is. */
  readonly againAt: string
}

/** What is thrown just before the handover of a mail that another process has taken meanwhile. */
export class TakenOver extends Error {}

/** How mails of one kind are sent. */
export interface SystemMailRules {
  /** How many are under way at once. */
  readonly most: number
  /** How long after each failure it is tried again, in minutes; after the last it is given up. */
  readonly waits: readonly number[]
  /** Whether one that was interrupted is given up, since it may have arrived. */
  readonly isSentOnce?: boolean
  /** For the log: `a mail of a rule`. */
  readonly what: string
}

/** What sending them takes. */
export type SendingDeps = Pick<Deps, 'config' | 'database' | 'clock' | 'log' | 'secrets' | 'meter'>

/**
 * Sends mails of ours that wait in a table, by FRONTDESK_SMTP_URL: no mailbox's server takes mail from our own address. One
 * may arrive twice after a crash, under one Message-ID, unless its row is put away in `beforeHandover`.
 */
export abstract class SystemMails<C extends Claim> extends LeasedWork<C> {
  constructor(
    protected readonly deps: SendingDeps,
    private readonly mails: MailTable,
    private readonly kind: SystemMailRules,
    private readonly mailer: Mailer = mailerBy(houseTransport(deps.config), deps.meter),
  ) {
    super(deps, mails, { most: kind.most, lease: MINUTE, waits: kind.waits.map((minutes) => minutes * MINUTE) })
  }

  /** The mail; null where there is nothing to tell any more. */
  protected abstract mailOf(claim: C): Promise<OutgoingMail | null>

  /** Notes how it went: null once it was sent, or where there was nothing to. */
  protected abstract conclude(tx: Tx, claim: C, failure: Failure | null): Promise<void>

  /** What is done just before the mail server gets the mail; nothing, unless a kind of mails says otherwise. */
  protected beforeHandover(_claim: C): BeforeHandover | undefined {
    return undefined
  }

  protected ofMail({ tenantId, id }: Pick<Claim, 'tenantId' | 'id'>) {
    return and(ofTenant(this.mails, tenantId), eq(this.mails.id, id))
  }

  protected override async take(tx: Tx, { isDue, order, leasedUntil }: Due, most: number): Promise<C[]> {
    const due = (await tx.select().from(this.mails).where(isDue).orderBy(order).limit(most)) as C[]
    const taken = due.map((mail) => ({ ...mail, attempts: mail.attempts + 1, dueAt: leasedUntil }))
    for (const { attempts, dueAt, ...mail } of taken) {
      await tx
        .update(this.mails)
        .set({ attempts, dueAt } as object)
        .where(this.ofMail(mail))
    }
    return taken
  }

  protected override async perform(claim: C): Promise<void> {
    const { log } = this.deps
    const { id } = claim
    try {
      const failure = await this.#attempt(claim)
      await this.database.transaction((tx) => this.conclude(tx, claim, failure))
      if (failure?.isFinal) log.error(`${this.kind.what} could not be sent`, { id, why: failure.why })
    } catch (error) {
      if (error instanceof TakenOver) return
      // It stays due: the lease runs out.
      log.error(`${this.kind.what} could not be concluded`, { id, error })
    }
  }

  async #attempt(claim: C): Promise<Failure | null> {
    try {
      const mail = await this.mailOf(claim)
      if (mail) await this.mailer.send(mail, this.beforeHandover(claim))
      return null
    } catch (error) {
      if (error instanceof TakenOver) throw error
      const known = error instanceof DeliveryError ? error : null
      if (!known) this.deps.log.error(`${this.kind.what} could not be made`, { id: claim.id, error })
      const final: DeliveryFailure[] = [
        'refused',
        'impossible',
        ...(this.kind.isSentOnce ? ['interrupted' as const] : []),
      ]
      return {
        why: known ? known.message : 'something went wrong on our side',
        isFinal: (known !== null && final.includes(known.failure)) || claim.attempts > this.kind.waits.length,
        againAt: formatTime(this.clock.now() + this.waitAfter(claim.attempts)),
      }
    }
  }
}
