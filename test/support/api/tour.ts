import { formatTime } from '../../../src/lib/time.ts'
import { createTeam } from '../../../src/teams/operations.ts'
import { drop } from '../../../src/webhooks/batches/batches.ts'
import { closeBatch, openBatch } from '../../../src/webhooks/batches/collecting.ts'
import type { TestApp, TestTenant } from '../app.ts'
import { createTestSource } from '../chat/articles.ts'
import { complete, createPublished } from '../forms/collecting.ts'
import { createTestUpload } from '../forms/hosted.ts'
import { createTestAttachment, createTicket } from '../tickets/tickets.ts'
import { createTestContact, createTestGroup, createTestOrganisation } from './contacts.ts'
import { someEvent } from './event-log.ts'

/** An address at which no connection is accepted: deliveries to it fail at once. */
export const NOBODY = 'http://127.0.0.1:9/'

/**
 * One call of every route under `/v1` that is not a list, each of which succeeds where
 * private addresses may be called: `[method, route, path, body]`.
 */
export async function tour(tenant: TestTenant): Promise<[string, string, string, object?][]> {
  const group = await createTestGroup(tenant)
  const organisation = await createTestOrganisation(tenant, { domain: 'acme.test' })
  const contact = await createTestContact(tenant, { groupIds: [group.id] })
  const form = await createPublished(tenant, [{ type: 'nps' }, { type: 'signature' }])
  const { response } = await complete(tenant, form, [9])
  const attachment = await createTestAttachment(tenant)
  const ticket = await createTicket(tenant, { attachments: [attachment] })
  const team = await tenant.perform((tx, caller) =>
    createTeam(tx, caller, { name: 'Billing', distribution: 'least_open', memberIds: [tenant.userId] }),
  )
  const source = await createTestSource(tenant)
  const subscription = { name: 'Sync', url: NOBODY, events: ['ticket.created'] }
  const webhook = (await tenant.post('/v1/webhooks', subscription)).body
  const failed = await tenant.perform(async (tx, { tenantId, at }) => {
    const owner = { tenantId, webhookId: webhook.id }
    const batchId = await openBatch(tx, owner, [await someEvent(tx, tenantId)], formatTime(at), at)
    await closeBatch(tx, tenantId, batchId, at)
    await drop(tx, owner, at)
    return batchId
  })
  const article = `/v1/livechat/sources/${source.id}/articles/refunds`
  const references = { organisationId: organisation.id, groupIds: [group.id] }
  return [
    ['GET', '/v1/me/', '/v1/me'],
    ['POST', '/v1/forms/', '/v1/forms', { title: 'Survey', workspaceId: tenant.workspaceId }],
    ['GET', '/v1/forms/:id', `/v1/forms/${form.id}`],
    ['GET', '/v1/forms/:id/responses/:responseId', `/v1/forms/${form.id}/responses/${response.id}`],
    ['PUT', '/v1/forms/:id', `/v1/forms/${form.id}`, { title: 'Survey', questions: [{ type: 'nps' }] }],
    ['POST', '/v1/forms/:id/publish', `/v1/forms/${form.id}/publish`],
    ['POST', '/v1/forms/:id/close', `/v1/forms/${form.id}/close`],
    ['GET', '/v1/uploads/:uploadId', `/v1/uploads/${await createTestUpload(tenant, form)}`],
    ['DELETE', '/v1/forms/:id/responses/:responseId', `/v1/forms/${form.id}/responses/${response.id}`],
    ['DELETE', '/v1/forms/:id', `/v1/forms/${form.id}`],
    ['POST', '/v1/contacts/', '/v1/contacts', { email: 'new@acme.test' }],
    ['POST', '/v1/contacts/', '/v1/contacts', { email: 'newer@acme.test', ...references }],
    ['GET', '/v1/contacts/:id', `/v1/contacts/${contact.id}`],
    ['PUT', '/v1/contacts/:id', `/v1/contacts/${contact.id}`, { email: 'moved@acme.test', ...references }],
    ['PUT', '/v1/contacts/:id', `/v1/contacts/${contact.id}`, { groupIds: [] }],
    ['PUT', '/v1/contacts/by-email/:email', '/v1/contacts/by-email/nightly@acme.test', { name: 'Ada', ...references }],
    ['PUT', '/v1/contacts/by-email/:email', '/v1/contacts/by-email/nightly@acme.test', { name: 'Augusta' }],
    [
      'POST',
      '/v1/contacts/batch',
      '/v1/contacts/batch',
      { contacts: [{ email: 'many@acme.test', ...references }, {}] },
    ],
    ['POST', '/v1/contacts/:id/unsubscribe', `/v1/contacts/${contact.id}/unsubscribe`],
    ['POST', '/v1/contacts/:id/subscribe', `/v1/contacts/${contact.id}/subscribe`],
    ['DELETE', '/v1/contacts/:id', `/v1/contacts/${ticket.contactId}`],
    ['POST', '/v1/organisations/', '/v1/organisations', { name: 'Acme', domain: 'acme.test' }],
    ['POST', '/v1/groups/', '/v1/groups', { name: 'Tips', consentWording: 'Send me tips.' }],
    ['GET', '/v1/groups/:id', `/v1/groups/${group.id}`],
    ['PUT', '/v1/groups/:id', `/v1/groups/${group.id}`, { name: 'Monthly news' }],
    ['DELETE', '/v1/groups/:id', `/v1/groups/${group.id}`],
    ['GET', '/v1/organisations/:id', `/v1/organisations/${organisation.id}`],
    ['PUT', '/v1/organisations/:id', `/v1/organisations/${organisation.id}`, { domain: 'acme.example' }],
    ['DELETE', '/v1/organisations/:id', `/v1/organisations/${organisation.id}`],
    ['GET', '/v1/tickets/:id', `/v1/tickets/${ticket.id}`],
    ['GET', '/v1/attachments/:attachmentId', `/v1/attachments/${attachment.id}`],
    ['PUT', '/v1/tickets/:id/status', `/v1/tickets/${ticket.id}/status`, { status: 'closed' }],
    ['POST', '/v1/tickets/', '/v1/tickets', { email: 'phone@acme.test', subject: 'Call', text: 'They called.' }],
    ['PUT', '/v1/tickets/:id/tags', `/v1/tickets/${ticket.id}/tags`, { tags: ['billing', 'VIP'] }],
    ['PUT', '/v1/tickets/:id/tags', `/v1/tickets/${ticket.id}/tags`, { tags: [] }],
    ['PUT', '/v1/tickets/:id/assignee', `/v1/tickets/${ticket.id}/assignee`, { teamId: team.id }],
    ['PUT', '/v1/tickets/:id/assignee', `/v1/tickets/${ticket.id}/assignee`, { userId: tenant.userId, teamId: null }],
    ['PUT', '/v1/tickets/:id/priority', `/v1/tickets/${ticket.id}/priority`, { priority: 'high' }],
    ['POST', '/v1/tickets/:id/notes', `/v1/tickets/${ticket.id}/notes`, { text: 'Called back.' }],
    ['POST', '/v1/tickets/:id/replies', `/v1/tickets/${ticket.id}/replies`, { html: '<p>Thanks</p>' }],
    ['PUT', '/v1/livechat/sources/:sourceId/articles/:slug', article, { title: 'Refunds' }],
    ['PUT', '/v1/livechat/sources/:sourceId/articles/:slug', article, { title: 'Returns' }],
    ['GET', '/v1/livechat/sources/:sourceId/articles/:slug', article],
    ['DELETE', '/v1/livechat/sources/:sourceId/articles/:slug', article],
    ['POST', '/v1/webhooks/', '/v1/webhooks', subscription],
    ['GET', '/v1/webhooks/:webhookId', `/v1/webhooks/${webhook.id}`],
    ['PUT', '/v1/webhooks/:webhookId', `/v1/webhooks/${webhook.id}`, subscription],
    ['POST', '/v1/webhooks/:webhookId/test', `/v1/webhooks/${webhook.id}/test`],
    [
      'POST',
      '/v1/webhooks/:webhookId/deliveries/:batchId/redeliver',
      `/v1/webhooks/${webhook.id}/deliveries/${failed}/redeliver`,
    ],
    ['POST', '/v1/webhooks/:webhookId/replay', `/v1/webhooks/${webhook.id}/replay`, { since: '2026-03-01T00:00:00Z' }],
    ['GET', '/v1/events/', '/v1/events'],
    ['GET', '/v1/events/', '/v1/events?types=ticket.created&since=2026-03-01T00:00:00Z'],
    ['DELETE', '/v1/webhooks/:webhookId', `/v1/webhooks/${webhook.id}`],
  ]
}

/** Makes the calls of a tour; POSTs carry an Idempotency-Key. Throws when one does not succeed. */
export async function startTour(app: TestApp, tenant: TestTenant): Promise<Set<string>> {
  const visited = new Set<string>()
  for (const [method, route, path, body] of await tour(tenant)) {
    const headers = { 'idempotency-key': crypto.randomUUID() }
    const answer = await app.request(method, path, { key: tenant.key, body, headers })
    if (answer.status > 299) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`)
    visited.add(`${method} ${route}`)
  }
  return visited
}
