/** The contact inside events: exactly these five fields (api.md §2). */
export interface ContactPayload {
  id: string
  name: string | null
  email: string | null
  groups: { id: number; name: string; consentWording: string | null; consentGroupType: string | null }[]
  customValues: CustomValuePayload[]
}

export interface CustomValuePayload {
  fieldId: string
  fieldName: string
  stringValue: string | null
  numberValue: number | null
  dateValue: string | null
}

/** What every ticket event holds (api.md §6 Payload of ticket events): never a message's HTML. */
export interface TicketPayload {
  ticketId: string
  ticketReference: string
  sequentialNumber: number
  teamInboxId: string
  status: string
  priority: string
  contactId: string | null
  subject: string
  createdAt: string
}

export interface TicketRepliedPayload extends TicketPayload {
  messageId: string
  direction: string
  source: string
  /** At most 200 characters of plain text (decisions §8). */
  excerpt: string
}

export interface TicketStatusPayload extends TicketPayload {
  previousStatus: string
}

/** A response as `GET …/responses/{id}` returns it. */
type ResponseRecord = { id: string } & Record<string, unknown>

/** decisions §6. */
export interface ResponsePayload {
  response: ResponseRecord
  contact: ContactPayload | null
  scores: { total: number; max: number; percentage: number | null }
  form: { id: string; title: string; launchCode: string }
}

/** The ticket is as `GET /v1/tickets/{id}` returns it, without its messages; so are the other records of the further events. */
export interface TicketRecordPayload {
  ticket: object
}

/** The catalog: each event's payload. */
export interface Payloads {
  'response.created': ResponsePayload
  'contact.created_or_updated': ContactPayload
  'contact.unsubscribed': ContactPayload
  'ticket.created': TicketPayload
  'ticket.replied': TicketRepliedPayload
  'ticket.status_changed': TicketStatusPayload
  'response.partial': { response: ResponseRecord }
  'payment.paid': { response: ResponseRecord; reference: string }
  'form.published': { form: object }
  'contact.deleted': { contact: object }
  'ticket.assigned': TicketRecordPayload & { previousAssignee: { id: string; name: string } | null }
  'ticket.tagged': TicketRecordPayload & { added: string[]; removed: string[] }
  'ticket.rated': TicketRecordPayload & { satisfaction: number }
}
