import { and, desc, eq, sql } from 'drizzle-orm'
import { ofTenant, type Reader, type Tx } from '../../db/index.ts'
import { receivedMails } from '../../db/schema.ts'
import type { FileName } from '../../files/names.ts'
import { normaliseEmail } from '../../lib/input/email.ts'

/** Written out, so that the index over such mails alone can answer it: there are those of 30 days at most. */
const isQuarantined = sql`outcome = 'quarantined'`

/** Mails in quarantine from an address, newest first; none from nobody. */
export async function quarantinedFrom(db: Reader, tenantId: string, email: string | null) {
  if (email === null) return []
  const { id, receivedAt, subject, size } = receivedMails
  return db
    .select({ id, receivedAt, subject, size })
    .from(receivedMails)
    .where(and(ofTenant(receivedMails, tenantId), isQuarantined, eq(receivedMails.fromAddress, normaliseEmail(email))))
    .orderBy(desc(id))
}

/** Deletes them, for good. Returns their files, which the caller removes after the commit. */
export async function deleteQuarantinedFrom(tx: Tx, tenantId: string, email: string | null): Promise<FileName[]> {
  if (email === null) return []
  const gone = await tx
    .delete(receivedMails)
    .where(and(ofTenant(receivedMails, tenantId), isQuarantined, eq(receivedMails.fromAddress, normaliseEmail(email))))
    .returning({ id: receivedMails.id, keptIn: receivedMails.keptIn })
  return gone.flatMap(({ id, keptIn }) => (keptIn === 'file' ? { kind: 'received_mails' as const, tenantId, id } : []))
}
