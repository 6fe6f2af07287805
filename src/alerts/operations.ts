import { and, desc, eq, gt, isNotNull, isNull, or, sql } from 'drizzle-orm'
import type { Caller } from '../caller.ts'
import { ofTenant, prepared, type Reader, type Tx } from '../db/index.ts'
import { alertMails, alerts } from '../db/schema.ts'
import type { AlertKind } from '../kinds/alerts.ts'
import { newId } from '../lib/ids.ts'
import { formatTime } from '../lib/time.ts'
import { activePeople } from '../users/colleagues.ts'
import { type AlertChoice, alertChoicesOf } from './choices.ts'

/** How long somebody has to look for themselves, and how far mails about one ticket are apart, in milliseconds (decisions §20). */
export const LOOK_WITHIN = 5 * 60 * 1000
/** Alerts of one ticket that are asked for what waits already. */
const ASKED = 20

/** Something that happened to a ticket, and whom it concerns. */
export interface Occasion {
  readonly kind: AlertKind
  readonly ticketId: string
  /** What was written, where something was. */
  readonly messageId: string | null
  readonly userIds: readonly string[]
}

/**
 * Writes down whom to tell, in the transaction of what happened, each as they have chosen (decisions §20): nobody of what they
 * did themselves, who is away by mail alone, and who has not come yet not at all. For the operations on tickets.
 */
export async function alertPeople(tx: Tx, caller: Caller, occasion: Occasion): Promise<void> {
  const { kind, ticketId, messageId } = occasion
  const { tenantId, author, at } = caller
  const userIds = [...new Set(occasion.userIds)].filter((id) => author.type !== 'agent' || author.id !== id)
  if (userIds.length === 0) return
  const people = await activePeople(tx, tenantId)
  const rows: (typeof alerts.$inferInsert)[] = []
  for (const userId of userIds) {
    const person = people.get(userId)
    if (!person) continue
    const choice = (await alertChoicesOf(tx, tenantId, userId))[kind]
    const isShown = choice.browser && !person.away
    const isHeard = choice.sound && !person.away
    if (!isShown && !isHeard && choice.mail === 'off') continue
    const mailAt = await mailTime(tx, { tenantId, userId, ticketId }, choice, at)
    rows.push({
      ...{ tenantId, id: newId(at), userId, ticketId, kind, messageId, byName: author.name },
      ...{ isShown, isHeard, mail: choice.mail, mailAt, createdAt: formatTime(at) },
    })
  }
  if (rows.length === 0) return
  await tx.insert(alerts).values(rows)
  for (const { userId, mailAt } of rows) if (mailAt) await planMail(tx, tenantId, userId, mailAt)
}

const recentOfTicket = prepared((db) =>
  db
    .select({ mailAt: alerts.mailAt, mailedAt: alerts.mailedAt })
    .from(alerts)
    .where(
      and(
        ofTenant(alerts),
        eq(alerts.userId, sql.placeholder('userId')),
        eq(alerts.ticketId, sql.placeholder('ticketId')),
        or(isNotNull(alerts.mailAt), gt(alerts.mailedAt, sql.placeholder('since'))),
      ),
    )
    .orderBy(desc(alerts.number))
    .limit(ASKED)
    .prepare(),
)

/** When its mail is due: with one about the ticket that waits already, and not within five minutes of the last. */
async function mailTime(
  tx: Tx,
  of: { tenantId: string; userId: string; ticketId: string },
  { mail }: AlertChoice,
  at: number,
): Promise<string | null> {
  if (mail === 'off') return null
  const now = formatTime(at)
  const recent = await recentOfTicket(tx).execute({ ...of, since: formatTime(at - LOOK_WITHIN) })
  const waiting = recent.map(({ mailAt }) => mailAt).filter((time) => time !== null && time > now)
  if (mail === 'unless_read') return earliest(waiting) ?? formatTime(at + LOOK_WITHIN)
  const mailed = recent.map(({ mailedAt }) => mailedAt).filter((time) => time !== null)
  const last = mailed.toSorted().at(-1)
  return last ? formatTime(Date.parse(last) + LOOK_WITHIN) : now
}

const earliest = (times: readonly (string | null)[]) => times.toSorted()[0] ?? null

/** Has a person's mails looked at by then. While one is being sent, what waits is asked for once it was. */
async function planMail(tx: Tx, tenantId: string, userId: string, dueAt: string): Promise<void> {
  const added = await tx
    .insert(alertMails)
    .values({ tenantId, userId, dueAt })
    .onConflictDoNothing()
    .returning({ userId: alertMails.userId })
  if (added.length > 0) return
  await tx
    .update(alertMails)
    .set({ dueAt })
    .where(
      and(
        ofTenant(alertMails, tenantId),
        eq(alertMails.userId, userId),
        eq(alertMails.isLeased, false),
        eq(alertMails.attempts, 0),
        gt(alertMails.dueAt, dueAt),
      ),
    )
}

type OfTicket = { readonly tenantId: string; readonly userId: string; readonly ticketId: string }

const unseen = ({ tenantId, userId, ticketId }: OfTicket) =>
  and(ofTenant(alerts, tenantId), eq(alerts.userId, userId), eq(alerts.ticketId, ticketId), isNull(alerts.seenAt))

/** Whether the person was to be told of something about the ticket, and has not looked at it since. */
export async function hasUnseenAlert(db: Reader, of: OfTicket): Promise<boolean> {
  const found = await db.select({ number: alerts.number }).from(alerts).where(unseen(of)).limit(1)
  return found.length > 0
}

/** The person looks at the ticket: no mail tells of what they see, unless they want it in any case. */
export async function noteAlertsSeen(tx: Tx, of: OfTicket, at: number): Promise<void> {
  await tx
    .update(alerts)
    .set({ seenAt: formatTime(at) })
    .where(unseen(of))
}
