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

const at = '2026-01-01T09:00:00.000Z'

const assignee = { id: '00000000-0000-7000-8000-000000000007', name: 'Maja' }

const ticketRecord = {
  id: ticket.ticketId,
  ticketReference: ticket.ticketReference,
  sequentialNumber: ticket.sequentialNumber,
  teamInboxId: ticket.teamInboxId,
  channel: 'email',
  status: ticket.status,
  priority: ticket.priority,
  tags: [],
  assignee: null,
  team: null,
  contactId: contact.id,
  subject: ticket.subject,
  excerpt: 'A sample message.',
  messageCount: 1,
  snoozedUntil: null,
  lastMessageAt: at,
  dueAt: null,
  closedAt: null,
  createdAt: at,
  updatedAt: at,
}

const scores = { total: 9, max: 10, percentage: 90 }

const unscored = { total: 0, max: 0, percentage: null }

const response = {
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
}

/** A payload of each event, for test deliveries. */
export const samples: Payloads = {
  'response.created': {
    response,
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
  'response.partial': {
    response: { ...response, status: 'partial', submittedAt: null, contactId: null, scores: unscored },
  },
  'payment.paid': {
    response: {
      ...response,
      answers: [
        {
          questionId: 1,
          friendlyId: null,
          type: 'payment',
          questionText: 'Your order',
          value: { amount: 3000, currency: 'EUR', status: 'paid', reference: 'pi_sample' },
        },
      ],
    },
    reference: 'pi_sample',
  },
  'form.published': {
    form: {
      id: response.formId,
      title: 'A sample form',
      status: 'active',
      workspaceId: '00000000-0000-7000-8000-000000000006',
      publishedAt: at,
      updatedAt: at,
    },
  },
  'contact.deleted': {
    contact: {
      ...contact,
      lastName: null,
      phone: null,
      organisationId: null,
      unsubscribed: false,
      unsubscribedAt: null,
      source: 'api',
      createdAt: at,
      updatedAt: at,
    },
  },
  'ticket.assigned': { ticket: { ...ticketRecord, assignee }, previousAssignee: null },
  'ticket.tagged': { ticket: { ...ticketRecord, tags: ['billing'] }, added: ['billing'], removed: [] },
  'ticket.rated': { ticket: ticketRecord, satisfaction: 90 },
}
