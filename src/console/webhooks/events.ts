import type { EventName } from '../../kinds/events.ts'
import type { ConsoleWords } from '../words/index.ts'

type Word = keyof ConsoleWords & `event${string}`

/** What each event is called here, and what it tells. */
export const eventWords = {
  'response.created': { label: 'eventResponseCreated', help: 'eventResponseCreatedHelp' },
  'contact.created_or_updated': { label: 'eventContactChanged', help: 'eventContactChangedHelp' },
  'contact.unsubscribed': { label: 'eventContactUnsubscribed', help: 'eventContactUnsubscribedHelp' },
  'ticket.created': { label: 'eventTicketCreated', help: 'eventTicketCreatedHelp' },
  'ticket.replied': { label: 'eventTicketReplied', help: 'eventTicketRepliedHelp' },
  'response.partial': { label: 'eventResponsePartial', help: 'eventResponsePartialHelp' },
  'payment.paid': { label: 'eventPaid', help: 'eventPaidHelp' },
  'form.published': { label: 'eventFormPublished', help: 'eventFormPublishedHelp' },
  'contact.deleted': { label: 'eventContactDeleted', help: 'eventContactDeletedHelp' },
  'ticket.assigned': { label: 'eventTicketAssigned', help: 'eventTicketAssignedHelp' },
  'ticket.tagged': { label: 'eventTicketTagged', help: 'eventTicketTaggedHelp' },
  'ticket.rated': { label: 'eventTicketRated', help: 'eventTicketRatedHelp' },
  'ticket.status_changed': { label: 'eventTicketStatus', help: 'eventTicketStatusHelp' },
} as const satisfies Record<EventName, { label: Word; help: Word }>
