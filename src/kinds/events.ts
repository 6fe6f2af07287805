import type { Scope } from './scopes.ts'

/** The six events (api.md §6), and the further ones, of which subscriptions are told that name them (decisions §23). */
export const eventNames = [
  'response.created',
  'contact.created_or_updated',
  'contact.unsubscribed',
  'ticket.created',
  'ticket.replied',
  'ticket.status_changed',
  'response.partial',
  'payment.paid',
  'form.published',
  'contact.deleted',
  'ticket.assigned',
  'ticket.tagged',
  'ticket.rated',
] as const
export type EventName = (typeof eventNames)[number]

/** Numeric codes of the events (decisions §9 and §23). */
export const eventTypes: Record<EventName, number> = {
  'response.created': 1,
  'contact.created_or_updated': 2,
  'contact.unsubscribed': 3,
  'ticket.created': 4,
  'ticket.replied': 5,
  'ticket.status_changed': 6,
  'response.partial': 7,
  'payment.paid': 8,
  'form.published': 9,
  'contact.deleted': 10,
  'ticket.assigned': 11,
  'ticket.tagged': 12,
  'ticket.rated': 13,
}

/** The scope by which a key may read an event of each kind in the log of events: the one that reads its record. */
export const eventScopes: Record<EventName, Scope> = {
  'response.created': 'responses:read',
  'contact.created_or_updated': 'contacts:read',
  'contact.unsubscribed': 'contacts:read',
  'ticket.created': 'tickets:read',
  'ticket.replied': 'tickets:read',
  'ticket.status_changed': 'tickets:read',
  'response.partial': 'responses:read',
  'payment.paid': 'responses:read',
  'form.published': 'forms:read',
  'contact.deleted': 'contacts:read',
  'ticket.assigned': 'tickets:read',
  'ticket.tagged': 'tickets:read',
  'ticket.rated': 'tickets:read',
}
