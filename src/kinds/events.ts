import type { Scope } from './scopes.ts'

/** The six events (api.md §6). */
export const eventNames = [
  'response.created',
  'contact.created_or_updated',
  'contact.unsubscribed',
  'ticket.created',
  'ticket.replied',
  'ticket.status_changed',
] as const
export type EventName = (typeof eventNames)[number]

/** Numeric codes of the six events (decisions §9). */
export const eventTypes: Record<EventName, number> = {
  'response.created': 1,
  'contact.created_or_updated': 2,
  'contact.unsubscribed': 3,
  'ticket.created': 4,
  'ticket.replied': 5,
  'ticket.status_changed': 6,
}

/** The scope by which a key may read an event of each kind in the log of events: the one that reads its record. */
export const eventScopes: Record<EventName, Scope> = {
  'response.created': 'responses:read',
  'contact.created_or_updated': 'contacts:read',
  'contact.unsubscribed': 'contacts:read',
  'ticket.created': 'tickets:read',
  'ticket.replied': 'tickets:read',
  'ticket.status_changed': 'tickets:read',
}
