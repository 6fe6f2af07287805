import { and, count, desc, eq, sql } from 'drizzle-orm'
import { audit } from '../../audit/record.ts'
import type { Caller } from '../../caller.ts'
import type { Reader } from '../../db/index.ts'
import { ofTenant, prepared } from '../../db/index.ts'
import { receivedMails } from '../../db/schema.ts'
import { notFound } from '../../errors.ts'
import { isUuid } from '../../lib/ids.ts'
import { dropRaw, openRaw, readRaw } from './raw-mail.ts'
import type { ReceivedRow } from './received.ts'
import { removeQuarantined } from './received.ts'
import type { ReceiveDeps } from './receiving/reading.ts'
import { receiveAgain } from './receiving/receive.ts'
import type { Received } from './receiving/take-mail.ts'

/** A mail that could not be understood, for people to look at. */
export interface QuarantinedMail {
  quarantineId: string
  inboxId: string
  receivedAt: string
  /** Goes on from "This mail …". */
  reason: string
  from: string | null
  subject: string | null
  /** Bytes. */
  size: number
}

/** Written out, so that the index over such mails alone can answer it. */
const isQuarantined = sql`outcome = 'quarantined'`

/** The tenant's mails in quarantine, newest first; each is there for 30 days at most. */
export async function listQuarantine(db: Reader, tenantId: string): Promise<QuarantinedMail[]> {
  const { id, inboxId, receivedAt, reason, fromAddress, subject, size } = receivedMails
  const rows = await db
    .select({ quarantineId: id, inboxId, receivedAt, reason, from: fromAddress, subject, size })
    .from(receivedMails)
    .where(and(ofTenant(receivedMails, tenantId), isQuarantined))
    .orderBy(desc(id))
  return rows.map((row) => ({ ...row, reason: row.reason ?? '' }))
}

/** How many mails the tenant has in quarantine; `most` where there are as many or more. */
export async function countQuarantined(db: Reader, tenantId: string, most: number): Promise<number> {
  const [row] = await quarantinedCount(db).execute({ tenantId, most })
  return row?.count ?? 0
}

const quarantinedCount = prepared((db) => {
  const found = db
    .select({ id: receivedMails.id })
    .from(receivedMails)
    .where(and(ofTenant(receivedMails), isQuarantined))
    .limit(sql.placeholder('most'))
    .as('found')
  return db.select({ count: count() }).from(found).prepare()
})

/** How many mails are in quarantine, of all tenants: for who runs the service. `most` where there are as many or more. */
export async function countAllQuarantined(db: Reader, most: number): Promise<number> {
  const [row] = await quarantinedOfAll(db).execute({ most })
  return row?.count ?? 0
}

const quarantinedOfAll = prepared((db) => {
  const { id } = receivedMails
  const found = db.select({ id }).from(receivedMails).where(isQuarantined).limit(sql.placeholder('most')).as('found')
  return db.select({ count: count() }).from(found).prepare()
})

/**
 * Takes a mail in quarantine as if it came in now, from nobody knows which server. It stays there while it is not
 * understood, and is gone once it is anything else. Throws `not_found`, `unavailable`.
 */
export async function retryQuarantined(deps: ReceiveDeps, caller: Caller, quarantineId: string): Promise<Received> {
  const row = await quarantinedRow(deps.database.db, caller, quarantineId)
  const raw = await readRaw(deps.files, row)
  if (raw === null) throw notFound('mail')
  const inbox = { tenantId: caller.tenantId, id: row.inboxId }
  return receiveAgain(deps, caller, { raw, inbox, envelope: row.envelope, connection: null }, row)
}

/** Deletes a mail in quarantine, for good. Throws `not_found`. */
export async function deleteQuarantined(
  { database, files }: Pick<ReceiveDeps, 'database' | 'files'>,
  caller: Caller,
  quarantineId: string,
): Promise<void> {
  const row = await quarantinedRow(database.db, caller, quarantineId)
  await database.transaction(async (tx) => {
    if (!(await removeQuarantined(tx, row))) throw notFound('mail')
    await audit(tx, caller, 'mail.deleted', row.id)
  })
  await dropRaw(files, row)
}

/** A mail in quarantine, to the byte. Throws `not_found`, `unavailable`. */
export async function openQuarantined(
  { database, files }: Pick<ReceiveDeps, 'database' | 'files'>,
  tenantId: string,
  quarantineId: string,
) {
  const row = await quarantinedRow(database.db, { tenantId }, quarantineId)
  const content = await openRaw(files, row)
  if (content === null) throw notFound('mail')
  return { size: row.size, content }
}

async function quarantinedRow(
  db: Reader,
  { tenantId }: Pick<Caller, 'tenantId'>,
  quarantineId: string,
): Promise<ReceivedRow> {
  const id = quarantineId.toLowerCase()
  const [row] = isUuid(id)
    ? await db
        .select()
        .from(receivedMails)
        .where(and(ofTenant(receivedMails, tenantId), eq(receivedMails.id, id), isQuarantined))
    : []
  if (!row) throw notFound('mail')
  return row
}
