import { Elysia } from 'elysia'
import type { Deps } from '../deps.ts'
import { api } from '../http/api.ts'
import { created, noContent, ok, writer } from '../http/idempotency/write.ts'
import { noBody, noQuery, page, problem, readFlag, readPage, readSearch, readTime } from '../http/requests/schemas.ts'
import { contactBatches } from './batch.ts'
import {
  CONTACTS_PER_REQUEST,
  Contact,
  ContactBatch,
  ContactBatchResults,
  ContactCreate,
  ContactFilters,
  ContactUpdate,
  ContactUpsert,
} from './model.ts'
import { createContact, deleteContact, subscribeContact, unsubscribeContact, updateContact } from './operations.ts'
import { getContact } from './read.ts'
import { searchContacts } from './search.ts'
import { createOrUpdateContact } from './upsert.ts'

const duplicate = problem('conflict', 'a contact with this email already exists', {
  contactId: '0195500e-5c40-7b2f-9d3e-2f1a6c0b8e47',
})

/** `/v1/contacts` (api.md §4, decisions §2). */
export function contactRoutes(deps: Deps) {
  const { db, lists } = deps.database
  const { write, writeAfter } = writer(deps)
  const takeBatch = contactBatches(deps)
  return new Elysia({ prefix: '/v1/contacts', tags: ['Contacts'] })
    .use(api(deps))
    .get(
      '/',
      ({ principal, query }) =>
        searchContacts(lists, principal.tenantId, readPage(query), {
          text: readSearch(query.query),
          email: query.email,
          unsubscribed: readFlag(query.unsubscribed),
          since: readTime(query.updated_since),
        }),
      {
        scope: 'contacts:read',
        query: ContactFilters,
        response: { 200: page(Contact) },
        detail: {
          summary: 'List contacts',
          description:
            'Newest first; with `query`, by what begins with it: emails before first names before last names, each from A to ' +
            'Z. A page of what was searched for may hold fewer than `limit`, even none, while `nextCursor` leads on: where very ' +
            'many begin so, but few of them fit the other filters.',
        },
      },
    )
    .post(
      '/',
      ({ request, body }) =>
        write(request, async (tx, caller) => {
          const contact = await createContact(tx, caller, body, 'api')
          return created(`/v1/contacts/${contact.id}`, contact)
        }),
      {
        scope: 'contacts:write',
        query: noQuery,
        body: ContactCreate,
        response: { 201: Contact, 409: duplicate },
        detail: {
          summary: 'Create a contact',
          description:
            'De-duplicates on email: a 409 carries the `contactId` of the contact that has it. Without an ' +
            '`organisationId` the contact joins the organisation of its email’s domain.',
        },
      },
    )
    .post(
      '/batch',
      ({ request, body: { contacts } }) =>
        writeAfter(
          request,
          async (caller) => {
            await deps.gate.cost(request, Math.ceil(contacts.length / CONTACTS_PER_REQUEST))
            return takeBatch(caller, contacts)
          },
          async (_tx, _caller, results) => ok({ results }),
        ),
      {
        scope: 'contacts:write',
        query: noQuery,
        body: ContactBatch,
        response: { 200: ContactBatchResults },
        detail: {
          operationId: 'upsertContacts',
          summary: 'Create or update many contacts',
          description:
            'Each of at most 100 contacts is created or updated by its email as if it had been sent alone, in the order ' +
            'given: what is wrong with one is its result, and keeps no other from being taken. Counts as one request of ' +
            'the rate limit for each ten contacts begun; where there is no room for all of them it is a 429, and nothing ' +
            'was changed.',
        },
      },
    )
    .get('/:id', ({ principal, params }) => getContact(db, principal.tenantId, params.id), {
      scope: 'contacts:read',
      query: noQuery,
      response: { 200: Contact },
      detail: { summary: 'Read a contact' },
    })
    .put(
      '/:id',
      ({ request, body, params }) =>
        write(request, async (tx, caller) => ok(await updateContact(tx, caller, params.id, body))),
      {
        scope: 'contacts:write',
        query: noQuery,
        body: ContactUpdate,
        response: { 200: Contact, 409: duplicate },
        detail: { summary: 'Update a contact' },
      },
    )
    .put(
      '/by-email/:email',
      ({ request, body, params }) =>
        write(request, async (tx, caller) => {
          const { contact, isNew } = await createOrUpdateContact(tx, caller, { email: params.email, ...body }, 'api')
          return isNew ? created(`/v1/contacts/${contact.id}`, contact) : ok(contact)
        }),
      {
        scope: 'contacts:write',
        query: noQuery,
        body: ContactUpsert,
        response: { 200: Contact, 201: Contact },
        detail: {
          operationId: 'upsertContact',
          summary: 'Create or update a contact by its email',
          description:
            'Creates the contact when nobody has the address (201), otherwise changes the fields present (200). Sent ' +
            'again it changes nothing. Case does not matter; how a known contact writes its address stays.',
        },
      },
    )
    .delete(
      '/:id',
      ({ request, params }) =>
        write(request, async (tx, caller) => {
          await deleteContact(tx, caller, params.id)
          return noContent
        }),
      {
        scope: 'contacts:write',
        query: noQuery,
        detail: { summary: 'Delete a contact', description: 'Its tickets and responses stay, unlinked.' },
      },
    )
    .post(
      '/:id/subscribe',
      ({ request, params }) => write(request, async (tx, caller) => ok(await subscribeContact(tx, caller, params.id))),
      {
        scope: 'contacts:write',
        query: noQuery,
        body: noBody,
        response: { 200: Contact },
        detail: { summary: 'Subscribe a contact' },
      },
    )
    .post(
      '/:id/unsubscribe',
      ({ request, params }) =>
        write(request, async (tx, caller) => ok(await unsubscribeContact(tx, caller, params.id))),
      {
        scope: 'contacts:write',
        query: noQuery,
        body: noBody,
        response: { 200: Contact },
        detail: {
          summary: 'Unsubscribe a contact',
          description: 'Excludes the contact from future email sends. The contact is not deleted.',
        },
      },
    )
}
