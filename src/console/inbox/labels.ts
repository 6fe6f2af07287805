import type { Markup } from '../../lib/html/markup.ts'
import type { InboxTicket } from '../../tickets/inbox/rows.ts'
import type { Ticket } from '../../tickets/model.ts'
import { badge } from '../components/display.ts'
import type { View } from '../visit.ts'

/* What a ticket is, in a word or two. */

export const statusWords = {
  open: 'ticketOpen',
  pending: 'ticketPending',
  snoozed: 'ticketSnoozed',
  closed: 'ticketClosed',
  spam: 'ticketSpam',
} as const

export const priorityWords = {
  low: 'ticketLow',
  normal: 'ticketNormal',
  high: 'ticketHigh',
  urgent: 'ticketUrgent',
} as const

export const channelWords = {
  email: 'channelEmail',
  livechat: 'channelLivechat',
  messaging: 'channelMessaging',
} as const

const statusTones = { open: 'good', pending: 'neutral', snoozed: 'neutral', closed: 'neutral', spam: 'warn' } as const
const priorityTones = { low: 'neutral', normal: 'neutral', high: 'warn', urgent: 'bad' } as const

/** A ticket that is snoozed is that first of all. */
export function shownStatus({
  status,
  snoozedUntil,
}: Pick<Ticket, 'status' | 'snoozedUntil'>): keyof typeof statusWords {
  return snoozedUntil === null ? status : 'snoozed'
}

export function statusBadge({ wording }: View, ticket: Pick<Ticket, 'status' | 'snoozedUntil'>): Markup {
  const status = shownStatus(ticket)
  return badge(wording.say(statusWords[status]), statusTones[status])
}

/** Most tickets have the normal one: that is no news. */
export function priorityBadge({ wording }: View, { priority }: Pick<Ticket, 'priority'>): Markup | false {
  return priority !== 'normal' && badge(wording.say(priorityWords[priority]), priorityTones[priority])
}

/** Mail is what most of it is. */
export function channelBadge({ wording }: View, { channel }: Pick<InboxTicket, 'channel'>): Markup | false {
  return channel !== 'email' && badge(wording.say(channelWords[channel]), 'accent')
}
