import { and, eq } from 'drizzle-orm'
import type { AnySQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { createCustomField } from '../../../src/contacts/fields/custom-fields.ts'
import { messages, organisations, responses, tickets, webhookBatches } from '../../../src/db/schema.ts'
import { trashForm } from '../../../src/forms/publishing.ts'
import { createGroup } from '../../../src/groups/operations.ts'
import { createOrganisation } from '../../../src/organisations/operations.ts'
import { createTag } from '../../../src/tags/operations.ts'
import { createTeam } from '../../../src/teams/operations.ts'
import { createWorkspace } from '../../../src/tenants/operations.ts'
import { receiveMessage } from '../../../src/tickets/incoming/receiving.ts'
import { closeBatch, openBatch } from '../../../src/webhooks/batches/collecting.ts'
import type { TestTenant } from '../app.ts'
import { createTestSource } from '../chat/articles.ts'
import { begin, complete, createPublished, type TestForm } from '../forms/collecting.ts'
import { createPerson } from '../pages/console.ts'
import { createChatInbox, createEmailInbox, createTicket } from '../tickets/tickets.ts'
import { createTestContact } from './contacts.ts'
import { someEvent } from './event-log.ts'

/** A list of one tenant, ready to be filled: two of them, opened for one tenant, are of different parents. */
export interface OpenList {
  /** Where it is read, with a `?` when the list is always asked with a filter. */
  path: string
  /** Adds a row and returns what identifies it. */
  add(): Promise<string>
  remove(id: string): Promise<unknown>
}

export interface ListCase {
  /** The route it is. */
  route: string
  scope: string
  idOf(item: Record<string, string>): string
  open(tenant: TestTenant): Promise<OpenList>
  /** The filter that means "changed since". */
  since?: string
  /** Rows that are there before any is added. */
  initial?: number
}

const id = (item: Record<string, string>) => item.id as string

/** Every list that is read page by page. A new one is added here, or `lists.test.ts` fails. */
export const pagedLists: Record<string, ListCase> = {
  contacts: {
    route: '/v1/contacts/',
    scope: 'contacts:read',
    since: 'updated_since',
    idOf: id,
    open: async (tenant) => ({
      path: '/v1/contacts',
      add: async () => (await createTestContact(tenant)).id,
      remove: (contactId) => tenant.delete(`/v1/contacts/${contactId}`),
    }),
  },
  organisations: {
    route: '/v1/organisations/',
    scope: 'contacts:read',
    idOf: id,
    open: async (tenant) => ({
      path: '/v1/organisations',
      add: async () => (await tenant.perform((tx, caller) => createOrganisation(tx, caller, { name: 'Acme' }))).id,
      remove: removeFrom(tenant, organisations),
    }),
  },
  forms: {
    route: '/v1/forms/',
    scope: 'forms:read',
    since: 'updated_since',
    idOf: id,
    open: async (tenant) => ({
      path: '/v1/forms',
      add: async () => (await tenant.post('/v1/forms', { title: 'Survey' })).body.id,
      remove: (formId) => tenant.perform((tx, caller) => trashForm(tx, caller, formId)),
    }),
  },
  responses: {
    route: '/v1/forms/:id/responses/',
    scope: 'responses:read',
    since: 'since',
    idOf: id,
    open: async (tenant) => {
      const form = await createPublished(tenant, [{ type: 'nps' }])
      return {
        path: `/v1/forms/${form.id}/responses`,
        add: async () => (await complete(tenant, form, [9])).response.id,
        remove: removeFrom(tenant, responses),
      }
    },
  },
  'responses of every status': {
    route: '/v1/forms/:id/responses/',
    scope: 'responses:read',
    since: 'since',
    idOf: id,
    open: async (tenant) => {
      const form = await createPublished(tenant, [{ type: 'nps' }])
      return {
        path: `/v1/forms/${form.id}/responses?status=all`,
        add: async () => (await begin(tenant, form, [9])).response.id,
        remove: removeFrom(tenant, responses),
      }
    },
  },
  'responses to all forms': {
    route: '/v1/responses/',
    scope: 'responses:read',
    since: 'since',
    idOf: id,
    open: (tenant) => openAllResponses(tenant, complete),
  },
  'responses of every status to all forms': {
    route: '/v1/responses/',
    scope: 'responses:read',
    since: 'since',
    idOf: id,
    open: (tenant) => openAllResponses(tenant, begin, '?status=all'),
  },
  tickets: {
    route: '/v1/tickets/',
    scope: 'tickets:read',
    since: 'since',
    idOf: id,
    open: async (tenant) => {
      const { id: inboxId } = await createEmailInbox(tenant)
      const removeTicket = removeFrom(tenant, tickets)
      return {
        path: '/v1/tickets',
        add: async () => (await createTicket(tenant, { inboxId })).id,
        remove: async (ticketId) => {
          await tenant.perform((tx) =>
            tx.delete(messages).where(and(eq(messages.tenantId, tenant.tenantId), eq(messages.ticketId, ticketId))),
          )
          await removeTicket(ticketId)
        },
      }
    },
  },
  messages: {
    route: '/v1/tickets/:id/messages',
    scope: 'tickets:read',
    idOf: id,
    initial: 1,
    open: async (tenant) => {
      const ticket = await createTicket(tenant)
      return {
        path: `/v1/tickets/${ticket.id}/messages`,
        add: async () =>
          (await tenant.perform((tx, caller) => receiveMessage(tx, caller, ticket.id, { text: 'x' }))).id,
        remove: removeFrom(tenant, messages),
      }
    },
  },
  deliveries: {
    route: '/v1/webhooks/:webhookId/deliveries',
    scope: 'webhooks:manage',
    idOf: id,
    open: async (tenant) => {
      const webhookId = (await wholeLists.webhooks?.add(tenant))?.id as string
      await createTestContact(tenant)
      return {
        path: `/v1/webhooks/${webhookId}/deliveries`,
        add: () =>
          tenant.perform(async (tx, { tenantId, at }) => {
            const numbers = [await someEvent(tx, tenantId)]
            const batchId = await openBatch(tx, { tenantId, webhookId }, numbers, '2026-03-01T09:00:00.000Z', at)
            await closeBatch(tx, tenantId, batchId, at)
            return batchId
          }),
        remove: removeFrom(tenant, webhookBatches),
      }
    },
  },
  articles: {
    route: '/v1/livechat/sources/:sourceId/articles',
    scope: 'tickets:read',
    idOf: (item) => item.slug as string,
    open: (tenant) => openArticles(tenant, ''),
  },
  'articles found': {
    route: '/v1/livechat/sources/:sourceId/articles',
    scope: 'tickets:read',
    idOf: (item) => item.slug as string,
    open: (tenant) => openArticles(tenant, '?query=parrot'),
  },
}

export interface WholeListCase {
  route: string
  scope: string
  /** Rows that every tenant has. */
  initial: number
  add(tenant: TestTenant): Promise<{ id: string | number }>
}

/** Every list that comes whole. A new one is added here, or `lists.test.ts` fails. */
export const wholeLists: Record<string, WholeListCase> = {
  workspaces: {
    route: '/v1/workspaces/',
    scope: 'forms:read',
    initial: 1,
    add: (tenant) => tenant.perform((tx, caller) => createWorkspace(tx, caller, { name: 'Second' })),
  },
  groups: {
    route: '/v1/groups/',
    scope: 'contacts:read',
    initial: 0,
    add: (tenant) => tenant.perform((tx, caller) => createGroup(tx, caller, { name: 'News' })),
  },
  'contact fields': {
    route: '/v1/contact-fields/',
    scope: 'contacts:read',
    initial: 0,
    add: (tenant) => tenant.perform((tx, caller) => createCustomField(tx, caller, { name: `Field ${caller.at}` })),
  },
  inboxes: { route: '/v1/inboxes/', scope: 'tickets:read', initial: 0, add: createChatInbox },
  tags: {
    route: '/v1/tags/',
    scope: 'tickets:read',
    initial: 0,
    add: (tenant) => tenant.perform((tx, caller) => createTag(tx, caller, { name: `tag ${caller.at}` })),
  },
  teams: {
    route: '/v1/teams/',
    scope: 'tickets:read',
    initial: 0,
    add: (tenant) => tenant.perform((tx, caller) => createTeam(tx, caller, { name: `Team ${caller.at}` })),
  },
  users: {
    route: '/v1/users/',
    scope: 'tickets:read',
    initial: 1,
    add: async (tenant) => ({ id: (await createPerson(tenant, 'agent')).userId }),
  },
  webhooks: {
    route: '/v1/webhooks/',
    scope: 'webhooks:manage',
    initial: 0,
    add: async (tenant) => {
      const webhook = { name: 'Sync', url: 'https://acme.test', events: ['ticket.created'] }
      const { status, body } = await tenant.post('/v1/webhooks', webhook)
      if (status !== 201) throw new Error(`no webhook was made: ${status} ${JSON.stringify(body)}`)
      return body
    },
  },
  sources: {
    route: '/v1/livechat/sources/',
    scope: 'tickets:read',
    initial: 0,
    add: (tenant) => createTestSource(tenant),
  },
}

/** Responses to one form after the other, of two. */
async function openAllResponses(tenant: TestTenant, respond: typeof begin, query = ''): Promise<OpenList> {
  const forms = await Promise.all([1, 2].map(() => createPublished(tenant, [{ type: 'nps' }])))
  let count = 0
  return {
    path: `/v1/responses${query}`,
    add: async () => (await respond(tenant, forms[count++ % 2] as TestForm, [9])).response.id,
    remove: removeFrom(tenant, responses),
  }
}

async function openArticles(tenant: TestTenant, query: string): Promise<OpenList> {
  const path = `/v1/livechat/sources/${(await createTestSource(tenant)).id}/articles`
  let count = 0
  return {
    path: path + query,
    add: async () =>
      (await tenant.put(`${path}/slug-${++count}`, { title: 'Parrots', content: 'x '.repeat(count) })).body.slug,
    remove: (slug) => tenant.delete(`${path}/${slug}`),
  }
}

/** Removes rows that no operation removes: what a list promises holds for whoever removes them. */
function removeFrom(tenant: TestTenant, table: SQLiteTable & Record<'tenantId' | 'id', AnySQLiteColumn>) {
  return (rowId: string) =>
    tenant.perform((tx) => tx.delete(table).where(and(eq(table.tenantId, tenant.tenantId), eq(table.id, rowId))))
}
