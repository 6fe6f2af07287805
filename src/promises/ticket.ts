import type { priorities, ticketStatuses } from '../kinds/tickets.ts'

/** What promises look at of a ticket, and what they say of it. */
export interface PromisedTicket {
  readonly id: string
  readonly inboxId: string
  readonly status: (typeof ticketStatuses)[number]
  readonly priority: (typeof priorities)[number]
  readonly snoozedUntil: string | null
  readonly waitingSince: string | null
  readonly createdAt: string
  readonly promiseId: string | null
  readonly dueAt: string | null
}

/** Whether nothing is promised in it any more. */
export const isOver = ({ status }: PromisedTicket): boolean => status === 'closed' || status === 'spam'

/** Whether the clock of closing stands still (decisions §18). */
export const standsStill = ({ status, snoozedUntil }: PromisedTicket): boolean =>
  status === 'pending' || snoozedUntil !== null

/** Whether anything has changed that promises look at. */
export function isTouched(before: PromisedTicket, after: PromisedTicket): boolean {
  return (
    before.status !== after.status ||
    before.waitingSince !== after.waitingSince ||
    standsStill(before) !== standsStill(after) ||
    isRefiled(before, after)
  )
}

/** Whether the promise that holds has to be found anew. */
export const isRefiled = (before: PromisedTicket, after: PromisedTicket): boolean =>
  before.priority !== after.priority || before.inboxId !== after.inboxId
