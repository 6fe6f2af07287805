import { and, eq, sql } from 'drizzle-orm'
import type { Calendar } from '../calendars/model.ts'
import { calendarOfInbox } from '../calendars/read.ts'
import type { Caller } from '../caller.ts'
import { ofTenant, prepared, preparedWrite, type Tx } from '../db/index.ts'
import { promiseClocks } from '../db/schema.ts'
import type { PromiseKind } from '../kinds/promises.ts'
import { readSpan } from '../lib/input/spans.ts'
import { formatTime } from '../lib/time.ts'
import { type Beginning, beginAnswer, beginClosing } from './beginnings.ts'
import { dueOf, paused } from './clock.ts'
import { findPromise } from './finding.ts'
import type { KnownPromise } from './model.ts'
import { type ClockRow, decide } from './outcomes.ts'
import { promisesOf } from './read.ts'
import { isOver, isRefiled, isTouched, type PromisedTicket, standsStill } from './ticket.ts'

/** What promises say of a ticket. */
export type Promised = Pick<PromisedTicket, 'promiseId' | 'dueAt'>

/** Why it is asked: the ticket has changed, calendars have, or promises have, too. */
export type Occasion = 'ticket' | 'calendar' | 'promises'

/**
 * What is promised in the ticket once it is `after`: starts, stops and ends its clocks, and notes what that decides. For
 * `tickets/`, which writes it beside the ticket, in the transaction of the change, after it; of a new ticket `before` is null.
 * Tenants without promises pay nothing.
 */
export async function keepPromises(
  tx: Tx,
  { tenantId, at }: Caller,
  before: PromisedTicket | null,
  after: PromisedTicket,
  occasion: Occasion = 'ticket',
): Promise<Promised> {
  const promises = await promisesOf(tx, tenantId)
  if (promises.length === 0 && after.promiseId === null) return after
  if (occasion === 'ticket' && before !== null && !isTouched(before, after)) return after
  const calendar = await calendarOfInbox(tx, tenantId, after.inboxId)
  const now = formatTime(at)
  const clocks = before === null ? [] : await clocksOf(tx).execute({ tenantId, ticketId: after.id })
  for (const clock of clocks) if (isDone(clock, after)) await decide(tx, clock, calendar, now)
  const isNew = occasion === 'promises' || before === null || isRefiled(before, after)
  const promise =
    isNew && !isOver(after)
      ? await findPromise(tx, tenantId, promises, { ticketId: after.id, at })
      : (promises.find(({ id }) => id === after.promiseId) ?? null)
  const begun = promise === null ? [] : await beginningsOf(tx, tenantId, { before, after, promise, clocks, at })
  const running = begun.map((beginning) => clockOf(tenantId, beginning, { after, promise, clocks, calendar, now }))
  await replaceClocks(tx, tenantId, after.id, clocks, running)
  const [dueAt = null] = running.flatMap((clock) => clock.dueAt ?? []).sort()
  return { promiseId: promise?.id ?? null, dueAt }
}

const clocksOf = prepared((db) =>
  db
    .select()
    .from(promiseClocks)
    .where(and(ofTenant(promiseClocks), eq(promiseClocks.ticketId, sql.placeholder('ticketId'))))
    .prepare(),
)

/** Whether it has happened: the customer has their answer, the ticket is closed. What is closed without an answer, or spam, has none. */
function isDone({ kind }: ClockRow, after: PromisedTicket): boolean {
  if (kind === 'close') return after.status === 'closed'
  return after.waitingSince === null && !isOver(after)
}

interface Situation {
  readonly before: PromisedTicket | null
  readonly after: PromisedTicket
  readonly promise: KnownPromise
  readonly clocks: readonly ClockRow[]
  readonly at: number
}

/** The clocks that run in the ticket now: those that go on, and those that begin. */
async function beginningsOf(
  tx: Tx,
  tenantId: string,
  { before, after, promise, clocks, at }: Situation,
): Promise<Beginning[]> {
  if (isOver(after)) return []
  const begun: Beginning[] = []
  const since = after.waitingSince
  const has = (kind: PromiseKind) => targetOf(promise, after, kind) !== null
  if (since !== null && (has('firstAnswer') || has('nextAnswer'))) {
    const running = clocks.find(
      ({ kind, startedAt }) => kind === 'firstAnswer' || (kind === 'nextAnswer' && startedAt === since),
    )
    begun.push(running ?? (await beginAnswer(tx, tenantId, before, after, since)))
  }
  if (has('close')) {
    begun.push(clocks.find(({ kind }) => kind === 'close') ?? (await beginClosing(tx, tenantId, before, after, at)))
  }
  return begun.filter(({ kind }) => has(kind))
}

function clockOf(
  tenantId: string,
  { kind, startedAt, brokenAt }: Beginning,
  {
    after,
    promise,
    clocks,
    calendar,
    now,
  }: {
    after: PromisedTicket
    promise: KnownPromise | null
    clocks: readonly ClockRow[]
    calendar: Calendar
    now: string
  },
): ClockRow {
  const known = clocks.find((clock) => clock.kind === kind && clock.startedAt === startedAt)
  const target = (promise && targetOf(promise, after, kind)) ?? 0
  const pauses = kind === 'close' ? [...paused(known?.pauses ?? [], standsStill(after), now)] : []
  const dueAt = dueOf(calendar, { startedAt, target, pauses })
  return {
    tenantId,
    ticketId: after.id,
    kind,
    promiseId: promise?.id ?? '',
    startedAt,
    target,
    pauses,
    dueAt,
    brokenAt,
  }
}

/** Working time that it may take, in milliseconds; null where it is not promised. */
function targetOf({ targets }: KnownPromise, { priority }: PromisedTicket, kind: PromiseKind): number | null {
  const span = targets[priority]?.[kind]
  return span === undefined ? null : readSpan(span, 'targets')
}

const insertClock = preparedWrite((tx) =>
  tx
    .insert(promiseClocks)
    .values({
      tenantId: sql.placeholder('tenantId'),
      ticketId: sql.placeholder('ticketId'),
      kind: sql.placeholder('kind'),
      promiseId: sql.placeholder('promiseId'),
      startedAt: sql.placeholder('startedAt'),
      target: sql.placeholder('target'),
      pauses: sql.placeholder('pauses'),
      dueAt: sql.placeholder('dueAt'),
      brokenAt: sql.placeholder('brokenAt'),
    })
    .prepare(),
)

async function replaceClocks(
  tx: Tx,
  tenantId: string,
  ticketId: string,
  before: readonly ClockRow[],
  after: readonly ClockRow[],
): Promise<void> {
  if (Bun.deepEquals(before, after)) return
  if (before.length > 0) {
    await tx.delete(promiseClocks).where(and(ofTenant(promiseClocks, tenantId), eq(promiseClocks.ticketId, ticketId)))
  }
  for (const clock of after) await insertClock(tx).execute({ ...clock })
}
