import { and, asc, countDistinct, eq, gt, inArray, isNotNull, min } from 'drizzle-orm'
import { ofTenant, type Reader, type Tx } from '../db/index.ts'
import { alertMails, alerts, tickets } from '../db/schema.ts'
import { formatTime } from '../lib/time.ts'
import { findTeam } from '../teams/read.ts'
import { activePeople } from '../users/colleagues.ts'
import type { Due } from '../work/leased-work.ts'
import { LOOK_WITHIN } from './operations.ts'

/* What is mailed to whom about their alerts, and when: bounded, however much happens (decisions §20). */

/** Tickets that mails of their own are about; of more, one mail lists them. */
const MOST_TICKETS = 3
/** Mails to one person within five minutes; what comes then waits until they are over. */
const MOST_MAILS = 5
/** Alerts that are looked at together. */
const STEP = 1_000

/** Whose mails are looked at. */
export interface MailClaim {
  readonly tenantId: string
  readonly userId: string
  readonly attempts: number
}

/** An alert that waits to be mailed, with what of its ticket it is told with. */
export type WaitingAlert = Awaited<ReturnType<typeof waitingAlerts>>[number]

/** What is to be done for somebody now. */
export interface NextMail {
  /** What the mail tells of: one ticket, or several; none: there is nothing to send. */
  readonly told: readonly WaitingAlert[]
  /** What needs no mail any more. */
  readonly over: readonly WaitingAlert[]
  /** Too much was mailed lately: until when the rest waits, in milliseconds. */
  readonly waitsUntil: number | null
}

const ofPerson = ({ tenantId, userId }: { tenantId: string; userId: string }) =>
  and(ofTenant(alertMails, tenantId), eq(alertMails.userId, userId))
const alertsOf = ({ tenantId, userId }: { tenantId: string; userId: string }) =>
  and(ofTenant(alerts, tenantId), eq(alerts.userId, userId))

/** Leases those whose mails are due, the oldest first. */
export async function takeAlertMails(tx: Tx, { isDue, order, leasedUntil }: Due, most: number): Promise<MailClaim[]> {
  const { tenantId, userId, attempts } = alertMails
  const due = await tx.select({ tenantId, userId, attempts }).from(alertMails).where(isDue).orderBy(order).limit(most)
  for (const claim of due) {
    await tx
      .update(alertMails)
      .set({ isLeased: true, attempts: claim.attempts + 1, dueAt: leasedUntil })
      .where(ofPerson(claim))
  }
  return due.map((claim) => ({ ...claim, attempts: claim.attempts + 1 }))
}

function waitingAlerts(db: Reader, of: { tenantId: string; userId: string }) {
  return db
    .select({
      number: alerts.number,
      id: alerts.id,
      kind: alerts.kind,
      ticketId: alerts.ticketId,
      messageId: alerts.messageId,
      byName: alerts.byName,
      mail: alerts.mail,
      mailAt: alerts.mailAt,
      seenAt: alerts.seenAt,
      subject: tickets.subject,
      sequentialNumber: tickets.sequentialNumber,
      status: tickets.status,
      assigneeId: tickets.assigneeId,
      teamId: tickets.teamId,
    })
    .from(alerts)
    .innerJoin(tickets, and(eq(tickets.tenantId, alerts.tenantId), eq(tickets.id, alerts.ticketId)))
    .where(and(alertsOf(of), isNotNull(alerts.mailAt)))
    .orderBy(asc(alerts.number))
    .limit(STEP)
}

/** What is mailed to a person next: about the first ticket that is due, or all at once where they are many. */
export async function nextAlertMail(db: Reader, of: MailClaim, now: number): Promise<NextMail> {
  const over: WaitingAlert[] = []
  const current: WaitingAlert[] = []
  for (const alert of await waitingAlerts(db, of)) ((await isOver(db, of, alert)) ? over : current).push(alert)
  const due = current.filter(({ mailAt }) => (mailAt as string) <= formatTime(now))
  const dueTickets = [...new Set(due.map(({ ticketId }) => ticketId))]
  if (dueTickets.length === 0) return { told: [], over, waitsUntil: null }
  const waitsUntil = await endOfRush(db, of, now)
  if (waitsUntil !== null) return { told: [], over, waitsUntil }
  const chosen = new Set(dueTickets.length > MOST_TICKETS ? dueTickets : dueTickets.slice(0, 1))
  return { told: current.filter(({ ticketId }) => chosen.has(ticketId)), over, waitsUntil }
}

/** Whether nobody needs to be told any more: they have looked, or it does not concern them now. */
async function isOver(db: Reader, { tenantId, userId }: MailClaim, alert: WaitingAlert): Promise<boolean> {
  if (!(await activePeople(db, tenantId)).has(userId)) return true
  if (alert.status === 'spam') return true
  if (alert.mail === 'unless_read' && alert.seenAt !== null) return true
  if (alert.kind === 'assigned' || alert.kind === 'answered') return alert.assigneeId !== userId
  if (alert.kind === 'mentioned') return false
  const team = alert.teamId === null ? undefined : await findTeam(db, tenantId, alert.teamId)
  return !team?.memberIds.includes(userId)
}

/** When the person may be sent the next mail, in milliseconds; null: now. */
async function endOfRush(db: Reader, of: MailClaim, now: number): Promise<number | null> {
  const lately = and(alertsOf(of), gt(alerts.mailedAt, formatTime(now - LOOK_WITHIN)))
  const [sent] = await db
    .select({ count: countDistinct(alerts.mailNumber), first: min(alerts.mailedAt) })
    .from(alerts)
    .where(lately)
  return sent?.first && sent.count >= MOST_MAILS ? Date.parse(sent.first) + LOOK_WITHIN : null
}

/** How sending went. */
export interface Outcome {
  /** Null: it was sent, or there was nothing to send. */
  readonly why: string | null
  /** Whether it is tried again, and when, in milliseconds. */
  readonly againAt: number | null
}

/** Notes how it went, and when the person's mails are looked at next. */
export async function concludeAlertMail(
  tx: Tx,
  of: MailClaim,
  { told, over, waitsUntil }: NextMail,
  { why, againAt }: Outcome,
  now: number,
): Promise<void> {
  await update(tx, of, over, { mailAt: null })
  if (againAt !== null) {
    await tx
      .update(alertMails)
      .set({ isLeased: false, dueAt: formatTime(againAt) })
      .where(ofPerson(of))
    return
  }
  const mailNumber = told[0]?.number ?? null
  const ended = why === null ? { mailedAt: formatTime(now), mailNumber } : { mailError: why }
  await update(tx, of, told, { mailAt: null, ...ended })
  const [next] = await tx
    .select({ at: min(alerts.mailAt) })
    .from(alerts)
    .where(and(alertsOf(of), isNotNull(alerts.mailAt)))
  if (!next?.at) {
    await tx.delete(alertMails).where(ofPerson(of))
    return
  }
  const dueAt = formatTime(Math.max(Date.parse(next.at), waitsUntil ?? 0))
  await tx.update(alertMails).set({ isLeased: false, attempts: 0, dueAt }).where(ofPerson(of))
}

async function update(
  tx: Tx,
  of: MailClaim,
  some: readonly WaitingAlert[],
  set: Partial<typeof alerts.$inferInsert>,
): Promise<void> {
  if (some.length === 0) return
  const numbers = some.map(({ number }) => number)
  await tx
    .update(alerts)
    .set(set)
    .where(and(ofTenant(alerts, of.tenantId), inArray(alerts.number, numbers)))
}
