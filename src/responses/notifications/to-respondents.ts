import { and, asc, eq, gt, ne, sql } from 'drizzle-orm'
import type { Caller } from '../../caller.ts'
import { named, ofTenant, prepared, type Reader, type Tx } from '../../db/index.ts'
import { notifications } from '../../db/schema.ts'
import { AppError } from '../../errors.ts'
import type { FormRecord } from '../../forms/operations.ts'
import { newId } from '../../lib/ids.ts'
import { normaliseEmail } from '../../lib/input/email.ts'
import { formatTime } from '../../lib/time.ts'
import type { Response } from '../model.ts'

/* Mails to respondents. Anybody can name anybody's address, so nobody is sent many of them. */

/** To one address of one tenant's forms, within a day. */
const MOST_A_DAY = 5
const DAY = 24 * 60 * 60 * 1000

const sentSince = prepared((db) =>
  db
    .select(named({ at: notifications.createdAt }))
    .from(notifications)
    .where(
      and(
        ofTenant(notifications),
        eq(notifications.address, sql.placeholder('address')),
        gt(notifications.createdAt, sql.placeholder('since')),
        // Written out, so that the index over such mails alone can answer it.
        ne(notifications.kind, sql`'response'`),
      ),
    )
    .orderBy(asc(notifications.createdAt))
    .limit(MOST_A_DAY)
    .prepare(),
)

/** Plans the copy of a complete response for whoever gave it, where the form has that and they named an address (decisions §21). */
export async function planCopy(tx: Tx, caller: Caller, form: FormRecord, response: Response): Promise<void> {
  const address = form.settings.copy ? addressIn(response) : null
  if (address === null || (await secondsToWait(tx, caller, address)) > 0) return
  await plan(tx, caller, { formId: form.id, responseId: response.id, kind: 'copy', address })
}

/** Plans the mail with a link to a response. Throws `too_soon` for an address that has been sent enough. */
export async function planLink(
  tx: Tx,
  caller: Caller,
  { formId, responseId }: { formId: string; responseId: string },
  email: string,
): Promise<void> {
  const address = normaliseEmail(email)
  const retryAfter = await secondsToWait(tx, caller, address)
  if (retryAfter > 0) throw new AppError('too_soon', 'this address was sent enough mails for a day', { retryAfter })
  await plan(tx, caller, { formId, responseId, kind: 'later', address })
}

/** The first email among the contact details. */
function addressIn({ answers }: Response): string | null {
  for (const { type, value } of answers) {
    const { email } = type === 'contact_details' ? ((value ?? {}) as { email?: string | null }) : {}
    if (email) return normaliseEmail(email)
  }
  return null
}

/** 0 while an address may be sent another mail. */
async function secondsToWait(db: Reader, { tenantId, at }: Caller, address: string): Promise<number> {
  const sent = await sentSince(db).execute({ tenantId, address, since: formatTime(at - DAY) })
  const [first] = sent
  if (!first || sent.length < MOST_A_DAY) return 0
  return Math.max(1, Math.ceil((Date.parse(first.at) + DAY - at) / 1000))
}

async function plan(
  tx: Tx,
  { tenantId, at }: Caller,
  mail: Pick<typeof notifications.$inferInsert, 'formId' | 'responseId' | 'kind' | 'address'>,
): Promise<void> {
  const now = formatTime(at)
  await tx.insert(notifications).values({ ...mail, tenantId, id: newId(at), dueAt: now, createdAt: now })
}
