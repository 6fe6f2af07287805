import { html, type Insert } from '../../lib/html/markup.ts'
import type { Organisation } from '../../organisations/model.ts'
import { findOrganisations } from '../../organisations/search.ts'
import { linkButton, pageHead, time } from '../components/display.ts'
import { field } from '../components/forms.ts'
import { filters, pager, table } from '../components/lists.ts'
import { contactTabs } from '../contacts/tabs.ts'
import type { PageContent, Visit } from '../visit.ts'

const PAGE = 50

/** Organisations: the newest first, or those whose name begins with what is looked for. */
export async function organisationsPage(visit: Visit): Promise<PageContent> {
  const { query, wording } = visit
  const { say } = wording
  const text = (query.get('q') ?? '').slice(0, 255).toWellFormed().trim()
  const page = { cursor: query.get('cursor') ?? undefined, limit: PAGE }
  const { items, nextCursor } = await findOrganisations(visit.db, visit.principal.tenantId, page, { text })
  return {
    title: say('organisationsTitle'),
    body: html`${pageHead(say('organisationsTitle'), linkButton(visit, '/console/organisations/new', say('organisationNew')), say('organisationsIntro'))}
${contactTabs(visit)}
${filters(visit, say('organisationsFind'), field(visit, { name: 'q', type: 'search', label: say('contactName'), value: text, placeholder: say('contactSearchHelp'), maxLength: 255 }))}
${table({
  caption: say('organisationsTitle'),
  hidesCaption: true,
  columns: [
    { label: say('contactName') },
    { label: say('organisationDomain') },
    { label: say('contactsTitle'), kind: 'number' },
    { label: say('contactAdded') },
  ],
  rows: items.map((organisation) => rowOf(visit, organisation)),
  empty: say(text === '' ? 'organisationsNone' : 'organisationsNotFound'),
})}
${pager(visit, nextCursor, text === '' ? undefined : { first: say('foundFirst'), next: say('foundMore') })}`,
  }
}

function rowOf(visit: Visit, { id, name, domain, contactCount, createdAt }: Organisation): Insert[] {
  return [
    html`<a href="${visit.href(`/console/organisations/${id}`)}">${name}</a>`,
    domain,
    visit.wording.write(contactCount),
    time(visit, createdAt, 'date'),
  ]
}
