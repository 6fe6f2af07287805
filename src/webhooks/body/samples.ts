import type { Payloads } from '../../events/catalog.ts'

/* What a test delivery holds. The ids are nobody's. */

const contact: Payloads['contact.unsubscribed'] = {
  id: '00000000-0000-7000-8000-000000000001',
  name: 'Ada',
  email: 'ada@example.com',
  groups: [{ id: 1, name: 'Newsletter', consentWording: null, consentGroupType: null }],
  customValues: [],
}

const ticket: Payloads['ticket.created'] = {
  ticketId: '00000000-0000-7000-8000-000000000002',
  ticketReference: 'T-1',
  sequentialNumber: 1,
  teamInboxId: '00000000-0000-7000-8000-000000000003',
  status: 'open',
  priority: 'normal',
  contactId: contact.id,
  subject: 'A sample ticket',
  createdAt: '2026-01-01T09:00:00.000Z',
}

const scores = { total: 9, max: 10, percentage: 90 }

/** A payload of each event, for test deliveries. */
export const samples: Payloads = {
  'response.created': {
    response: {
      id: 'sample',
      formId: '00000000-0000-7000-8000-000000000004',
      status: 'complete',
      startedAt: '2026-01-01T08:59:00.000Z',
      submittedAt: '2026-01-01T09:00:00.000Z',
      updatedAt: '2026-01-01T09:00:00.000Z',
      contactId: contact.id,
      scores,
      answers: [{ questionId: 1, friendlyId: null, type: 'nps', questionText: 'How likely…?', value: 9 }],
      hiddenFields: {},
      language: 'en',
      variables: {},
    },
    contact,
    scores,
    form: { id: '00000000-0000-7000-8000-000000000004', title: 'A sample form', launchCode: 'sample' },
  },
  'contact.created_or_updated': contact,
  'contact.unsubscribed': contact,
  'ticket.created': ticket,
  'ticket.replied': {
    ...ticket,
    messageId: '00000000-0000-7000-8000-000000000005',
    direction: 'inbound',
    source: 'email',
    excerpt: 'A sample message.',
  },
  'ticket.status_changed': { ...ticket, status: 'closed', previousStatus: 'open' },
}
