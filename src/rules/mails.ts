import type { Caller } from '../caller.ts'
import type { OutgoingMail } from '../channels/email/mailer.ts'
import { systemMail } from '../channels/email/system/letter.ts'
import { type Failure, type SendingDeps, SystemMails } from '../channels/email/system/sending.ts'
import type { Tx } from '../db/index.ts'
import { ruleMails } from '../db/schema.ts'
import { htmlOfText } from '../lib/html/sanitise.ts'
import { newId } from '../lib/ids.ts'
import { formatTime } from '../lib/time.ts'
import { nameOfTenant } from '../tenants/operations.ts'

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

/** Sends the mails of rules (decisions §17). */
export class RuleMails extends SystemMails<Claim> {
  constructor(deps: SendingDeps) {
    super(deps, ruleMails, { most: 4, waits: [1, 5, 30, 120], what: 'a mail of a rule' })
  }

  protected override async mailOf({ tenantId, id, address, subject, text, createdAt }: Claim): Promise<OutgoingMail> {
    return systemMail(
      this.deps,
      { kind: 'rule', id },
      {
        ...{ subject, text, html: htmlOfText(text) },
        fromName: await nameOfTenant(this.database.db, tenantId),
        to: { name: null, email: address },
        at: Date.parse(createdAt),
      },
    )
  }

  protected override async conclude(tx: Tx, claim: Claim, failure: Failure | null): Promise<void> {
    if (!failure) return void (await tx.delete(ruleMails).where(this.ofMail(claim)))
    const { why: error, isFinal, againAt } = failure
    await tx
      .update(ruleMails)
      .set({ dueAt: isFinal ? null : againAt, error })
      .where(this.ofMail(claim))
  }
}
