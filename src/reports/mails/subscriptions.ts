import { and, asc, eq } from 'drizzle-orm'
import { audit } from '../../audit/record.ts'
import { calendarOfTenant } from '../../calendars/read.ts'
import type { Caller } from '../../caller.ts'
import { ofTenant, type Reader, type Tx } from '../../db/index.ts'
import { reportMails } from '../../db/schema.ts'
import { invalid, notFound, refusal, rule } from '../../errors.ts'
import { findInbox } from '../../inboxes/operations.ts'
import { type ReportKind, reportKinds } from '../../kinds/reports.ts'
import { newId } from '../../lib/ids.ts'
import { formatTime } from '../../lib/time.ts'
import { findTeam } from '../../teams/read.ts'
import { colleaguesById } from '../../users/colleagues.ts'

/** Reports that a tenant has mailed at most. */
const MOST = 100
/** When they are sent, by the clock of the tenant's calendar. */
const HOUR = 7

/** A report that somebody gets by mail. */
export interface ReportMail {
  readonly id: string
  readonly userId: string
  readonly kind: ReportKind
  readonly inboxId: string | null
  readonly teamId: string | null
  readonly dueAt: string | null
}

/** All reports that are mailed, the oldest first. */
export async function listReportMails(db: Reader, tenantId: string): Promise<ReportMail[]> {
  const { id, userId, kind, inboxId, teamId, dueAt } = reportMails
  return db
    .select({ id, userId, kind, inboxId, teamId, dueAt })
    .from(reportMails)
    .where(ofTenant(reportMails, tenantId))
    .orderBy(asc(id))
}

/**
 * Has somebody get a report by mail from the next morning on that it is sent (decisions §19). For admins. Throws
 * `invalid_request` for what there is not, `conflict` for the same again and for more than a hundred.
 */
export async function addReportMail(
  tx: Tx,
  caller: Caller,
  input: { user: string; kind: string; inbox?: string | null; team?: string | null },
): Promise<void> {
  const { tenantId, at } = caller
  const kind = reportKinds.find((known) => known === input.kind)
  if (!kind) throw invalid('kind', rule('one_of', { choices: reportKinds.join(', ') }))
  if (!(await colleaguesById(tx, tenantId)).has(input.user)) throw invalid('user', rule('user_unknown'))
  const [inboxId, teamId] = [input.inbox || null, input.team || null]
  if (inboxId !== null && !(await findInbox(tx, tenantId, inboxId))) throw invalid('inbox', rule('inbox_unknown'))
  if (teamId !== null && !(await findTeam(tx, tenantId, teamId))) throw invalid('team', rule('team_unknown'))
  const known = await listReportMails(tx, tenantId)
  if (known.length >= MOST) throw refusal('conflict', rule('too_many_report_mails', { most: MOST }))
  const same = { userId: input.user, kind, inboxId, teamId }
  if (known.some((one) => Object.entries(same).every(([name, value]) => one[name as keyof ReportMail] === value))) {
    throw refusal('conflict', rule('report_mailed_already'))
  }
  const { zone } = await calendarOfTenant(tx, tenantId)
  const dueAt = formatTime(nextMorning(kind, at, zone))
  await tx.insert(reportMails).values({ ...same, tenantId, id: newId(at), dueAt, createdAt: formatTime(at) })
  await audit(tx, caller, 'tenant.updated', tenantId, ['reports'])
}

/** Has it mailed no longer. For admins. Throws `not_found`. */
export async function removeReportMail(tx: Tx, caller: Caller, id: string): Promise<void> {
  const { tenantId } = caller
  const removed = await tx
    .delete(reportMails)
    .where(and(ofTenant(reportMails, tenantId), eq(reportMails.id, id)))
    .returning({ id: reportMails.id })
  if (removed.length === 0) throw notFound('report')
  await audit(tx, caller, 'tenant.updated', tenantId, ['reports'])
}

/** The next morning on which such a report is sent: a Monday, or any. In milliseconds since 1970. */
export function nextMorning(kind: ReportKind, after: number, zone: string): number {
  const now = Temporal.Instant.fromEpochMilliseconds(after).toZonedDateTimeISO(zone)
  for (let days = 0; ; days++) {
    const date = now.toPlainDate().add({ days })
    const at = date.toZonedDateTime({
      timeZone: zone,
      plainTime: Temporal.PlainTime.from({ hour: HOUR }),
    }).epochMilliseconds
    if (at > after && (kind === 'overdue' || date.dayOfWeek === 1)) return at
  }
}
