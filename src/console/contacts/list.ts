import type { Contact } from '../../contacts/model.ts'
import { groupsToChoose } from '../../contacts/rows.ts'
import { type ContactSearch, searchContacts } from '../../contacts/search.ts'
import { columns, contactsAsCsv, noteListExport } from '../../contacts/spreadsheet.ts'
import { html, type Insert } from '../../lib/html/markup.ts'
import { isUuid } from '../../lib/ids.ts'
import { streamOf } from '../../lib/stream.ts'
import { listOrganisationNames, organisationNamesOf } from '../../organisations/operations.ts'
import { badge, linkButton, pageHead, time } from '../components/display.ts'
import { field, select } from '../components/forms.ts'
import { filters, pager, table, withQuery } from '../components/lists.ts'
import { dayIn } from '../days.ts'
import type { PageContent, Visit } from '../visit.ts'
import { emailOf, nameOf, pathOf } from './shown.ts'
import { contactTabs } from './tabs.ts'

const PAGE = 50
/** Organisations that can be chosen from a list. */
export const MAX_CHOICES = 500

/** Contacts, those that fit first of all. */
export async function contactsPage(visit: Visit): Promise<PageContent> {
  const { db, principal, query } = visit
  const { say } = visit.wording
  const search = searchOf(query)
  const page = { cursor: query.get('cursor') ?? undefined, limit: PAGE }
  const { items, nextCursor } = await searchContacts(db, principal.tenantId, page, search)
  const ids = new Set(items.flatMap(({ organisationId }) => organisationId ?? []))
  const organisations = await organisationNamesOf(db, principal.tenantId, [...ids])
  const isFiltered = Object.values(search).some((value) => value !== undefined)
  return {
    title: say('contactsTitle'),
    body: html`${pageHead(say('contactsTitle'), listActions(visit), say('contactsIntro'))}
${contactTabs(visit)}
${filters(visit, say('contactFilters'), await filterFields(visit, search))}
${table({
  caption: say('contactsTitle'),
  hidesCaption: true,
  columns: ['contactName', 'contactEmail', 'contactOrganisation', 'contactGroups', 'contactAdded'].map((word) => ({
    label: say(word as 'contactName'),
  })),
  rows: items.map((contact) => rowOf(visit, contact, organisations)),
  empty: say(isFiltered ? 'contactsNotFound' : 'contactsNone'),
  first: !isFiltered && linkButton(visit, '/console/contacts/imports', say('contactsImport'), 'secondary'),
})}
${pager(visit, nextCursor, search.text === undefined ? undefined : { first: say('foundFirst'), next: say('foundMore') })}`,
  }
}

function listActions(visit: Visit): Insert {
  const { say } = visit.wording
  const exported = `/console/contacts/export.csv${withQuery(visit.url, { cursor: null }).slice(visit.url.pathname.length)}`
  return [
    linkButton(visit, exported, say('contactsExport'), 'secondary'),
    linkButton(visit, '/console/contacts/new', say('contactNew')),
  ]
}

/** The contacts that a list shows, as a file that is sent as it is read. */
export async function exportContacts(visit: Visit): Promise<Response> {
  const { db, principal, query } = visit
  const { say } = visit.wording
  const names = Object.fromEntries(columns.map((column) => [column, say(headings[column])]))
  await visit.change(noteListExport)
  const parts = contactsAsCsv(
    db,
    principal.tenantId,
    searchOf(query),
    names as Record<(typeof columns)[number], string>,
  )
  return new Response(streamOf(parts), {
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="contacts.csv"',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
      'cache-control': 'no-store',
    },
  })
}

const headings = {
  id: 'contactId',
  email: 'contactEmail',
  name: 'contactFirstName',
  lastName: 'contactLastName',
  phone: 'contactPhone',
  organisation: 'contactOrganisation',
  groups: 'contactGroups',
  unsubscribed: 'contactUnsubscribedSince',
  source: 'contactSource',
  created: 'contactAdded',
  updated: 'contactChangedAt',
} as const

/** What an address asks for; what makes no sense there asks for nothing. */
function searchOf(query: URLSearchParams): ContactSearch {
  const text = (query.get('q') ?? '').slice(0, 320).toWellFormed().trim()
  const group = query.get('group') ?? ''
  const organisation = (query.get('organisation') ?? '').toLowerCase()
  const emails = query.get('emails')
  // The last day belongs to it.
  const [from, until] = [dayIn(query.get('from'), 0), dayIn(query.get('to'), 1)]
  return {
    text: text || undefined,
    groupId: /^\d{1,15}$/.test(group) ? Number(group) : undefined,
    organisationId: isUuid(organisation) ? organisation : undefined,
    unsubscribed: emails === 'unsubscribed' ? true : emails === 'subscribed' ? false : undefined,
    createdFrom: from === undefined ? undefined : Date.parse(from),
    createdUntil: until === undefined ? undefined : Date.parse(until),
  }
}

async function filterFields(visit: Visit, search: ContactSearch): Promise<Insert> {
  const { db, principal } = visit
  const { say } = visit.wording
  const groups = await groupsToChoose(db, principal.tenantId)
  const organisations = await organisationsToChoose(visit, search.organisationId ?? null)
  const all = ['', say('all')] as const
  return [
    field(visit, {
      name: 'q',
      type: 'search',
      label: say('contactSearch'),
      value: search.text,
      placeholder: say('contactSearchHelp'),
      maxLength: 320,
    }),
    groups.length > 0 &&
      select(visit, {
        name: 'group',
        label: say('contactGroup'),
        options: [all, ...groups.map(({ id, name }) => [String(id), name] as const)],
        value: String(search.groupId ?? ''),
      }),
    organisations.length > 0 &&
      select(visit, {
        name: 'organisation',
        label: say('contactOrganisation'),
        options: [all, ...organisations],
        value: search.organisationId ?? '',
      }),
    select(visit, {
      name: 'emails',
      label: say('contactEmails'),
      options: [all, ['subscribed', say('contactSubscribed')], ['unsubscribed', say('contactUnsubscribed')]],
      value: search.unsubscribed === undefined ? '' : search.unsubscribed ? 'unsubscribed' : 'subscribed',
    }),
    field(visit, { name: 'from', label: say('contactAddedFrom'), type: 'date', value: dayOf(visit, 'from') }),
    field(visit, { name: 'to', label: say('contactAddedTo'), type: 'date', value: dayOf(visit, 'to') }),
  ]
}

/** A day as its field takes it. */
function dayOf({ query }: Visit, name: string): string | undefined {
  return dayIn(query.get(name), 0)?.slice(0, 10)
}

/** Organisations by name: the newest of very many, and the one that is chosen already. */
export async function organisationsToChoose(
  { db, principal }: Visit,
  chosen: string | null,
): Promise<(readonly [id: string, name: string])[]> {
  const newest = await listOrganisationNames(db, principal.tenantId, MAX_CHOICES)
  const names = new Map(newest.map(({ id, name }) => [id, name]))
  if (chosen !== null && !names.has(chosen)) {
    for (const [id, name] of await organisationNamesOf(db, principal.tenantId, [chosen])) names.set(id, name)
  }
  return [...names].sort(([, a], [, b]) => a.localeCompare(b))
}

function rowOf(visit: Visit, contact: Contact, organisations: ReadonlyMap<string, string>): Insert[] {
  const { organisationId, unsubscribed, groups, email, createdAt } = contact
  return [
    html`<a href="${visit.href(pathOf(contact))}">${nameOf(visit, contact)}</a>${
      unsubscribed && html` ${badge(visit.wording.say('contactUnsubscribed'), 'warn')}`
    }`,
    email && emailOf(email),
    organisationId && organisations.get(organisationId),
    groups.map(({ name }) => name).join(', '),
    time(visit, createdAt, 'date'),
  ]
}
