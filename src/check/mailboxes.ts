import { failingMailboxes } from '../channels/email/mailboxes/operations.ts'
import type { Reader } from '../db/index.ts'
import type { Finding } from './finding.ts'

/** Mailboxes that the service could not reach when it last tried. */
export async function checkMailboxes(db: Reader, where: string): Promise<Finding[]> {
  const sentences = await failingMailboxes(db)
  return sentences.map((problem) => ({
    where,
    problem,
    remedy: 'see `frontdesk inbox list`, and connect it anew with `frontdesk inbox connect`',
  }))
}
