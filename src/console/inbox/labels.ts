import { html, type Markup } from '../../lib/html/markup.ts'
import type { InboxTicket } from '../../tickets/inbox/rows.ts'
import type { Ticket } from '../../tickets/model.ts'
import { badge } from '../components/display.ts'
import { icons } from '../icons.ts'
import type { View, Visit } from '../visit.ts'
import { whenOf } from './moments.ts'

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

/** The same in a list, where there is little room. */
export function channelMark({ wording }: View, { channel }: Pick<InboxTicket, 'channel'>): Markup | false {
  if (channel === 'email') return false
  const word = wording.say(channelWords[channel])
  return html`<span class="mark" title="${word}">${icons.chat}<span class="sr">${word}</span></span>`
}

/** How long ago something was, in a few letters; the moment itself is its title. */
export function ago({ wording, at }: Pick<Visit, keyof View | 'at'>, iso: string): Markup {
  return html`<time datetime="${iso}" data-time="ago">${whenOf(wording.locale, iso, at)}</time>`
}

/** Mail is what most of it is. */
export function channelBadge({ wording }: View, { channel }: Pick<InboxTicket, 'channel'>): Markup | false {
  return channel !== 'email' && badge(wording.say(channelWords[channel]), 'accent')
}
