import { listArticles } from '../../articles/operations.ts'
import { findPublicSource, listSources } from '../../articles/sources.ts'
import { searchTranslations } from '../../articles/translations.ts'
import { fullName } from '../../contacts/full-name.ts'
import { searchContacts } from '../../contacts/search.ts'
import { listForms } from '../../forms/operations.ts'
import { languageName } from '../../help/words/index.ts'
import { beginsWords } from '../../lib/text/words.ts'
import { findOrganisations } from '../../organisations/search.ts'
import { searchInbox } from '../../tickets/search/search.ts'
import { editPath } from '../articles/languages.ts'
import type { PageRoles } from '../navigation.ts'
import type { Visit } from '../visit.ts'
import { placesFor } from './places.ts'

/** How many of a kind are shown, and how many of those found are looked at for the best of them. */
const MOST = 5
const LOOKED_AT = 20
/** Forms whose titles are looked at: the newest ones. */
const FORMS = 200
/** Sources whose articles are looked at. */
const SOURCES = 3

/** Something that one can go to. */
export interface Found {
  readonly path: string
  readonly text: string
  /** What tells it from others of that name. */
  readonly detail?: string | null
}

export interface FoundGroup {
  readonly word: 'findTickets' | 'findContacts' | 'findOrganisations' | 'findForms' | 'findArticles' | 'findPages'
  readonly items: readonly Found[]
}

/** What of the tenant begins with these words, a few of each kind; pages alone where there is no word. */
export async function findAll(visit: Visit, pages: PageRoles, text: string): Promise<FoundGroup[]> {
  const { db, principal, wording } = visit
  const { tenantId } = principal
  const named = placesFor(pages, principal.role).map(([path, word]) => ({ path, text: wording.words[word] as string }))
  const places = { word: 'findPages', items: named.filter((place) => beginsWords(place.text, text)) } as const
  if (text === '') return [places]
  const [tickets, contacts, organisations, forms, articles] = await Promise.all([
    findTickets(visit, text),
    searchContacts(db, tenantId, { cursor: undefined, limit: MOST }, { text }),
    findOrganisations(db, tenantId, { cursor: undefined, limit: MOST }, { text }),
    listForms(db, tenantId, { cursor: undefined, limit: FORMS }, {}),
    findArticles(visit, text),
  ])
  const groups: FoundGroup[] = [
    { word: 'findTickets', items: tickets },
    {
      word: 'findContacts',
      items: contacts.items.map((contact) => ({
        path: `/console/contacts/${contact.id}`,
        text: fullName(contact) || contact.email || contact.id,
        detail: fullName(contact) === '' ? null : contact.email,
      })),
    },
    {
      word: 'findOrganisations',
      items: organisations.items.map(({ id, name }) => ({ path: `/console/organisations/${id}`, text: name })),
    },
    {
      word: 'findForms',
      items: forms.items
        .filter(({ title }) => beginsWords(title, text))
        .slice(0, MOST)
        .map(({ id, title }) => ({ path: `/console/forms/${id}`, text: title })),
    },
    { word: 'findArticles', items: articles },
    places,
  ]
  return groups.filter(({ items }) => items.length > 0)
}

/** Those first whose subject or customer is called so; the others hold the words somewhere. */
async function findTickets({ db, principal }: Visit, text: string): Promise<Found[]> {
  const { items } = await searchInbox(db, principal.tenantId, text, { cursor: undefined, limit: LOOKED_AT })
  const isNamed = ({ subject, requester, reference }: (typeof items)[number]) =>
    beginsWords(`${reference} ${subject} ${requester ?? ''}`, text)
  return [...items.filter(isNamed), ...items.filter((ticket) => !isNamed(ticket))]
    .slice(0, MOST)
    .map(({ id, subject, requester, reference }) => ({
      path: `/console/tickets/${id}`,
      text: subject,
      detail: [reference, requester].filter(Boolean).join(' · '),
    }))
}

/** By what they say, and by what their translations do: each leads to where that is written. */
async function findArticles({ db, principal, wording }: Visit, text: string): Promise<Found[]> {
  const { tenantId } = principal
  const sources = (await listSources(db, tenantId)).slice(0, SOURCES)
  const page = { cursor: undefined, limit: MOST }
  const written = await Promise.all(sources.map(({ id }) => listArticles(db, tenantId, id, page, text)))
  const translated = await Promise.all(
    sources.map(async ({ id }) => {
      const found = await searchTranslations(db, await findPublicSource(db, id), text, MOST)
      return found.map(({ slug, title, language }) => ({
        path: editPath(id, slug, language),
        text: title ?? slug,
        detail: languageName(language, wording.locale),
      }))
    }),
  )
  const own = written
    .flatMap(({ items }) => items)
    .map(({ sourceId, slug, title }) => ({ path: editPath(sourceId, slug, ''), text: title ?? slug }))
  return [...own, ...translated.flat()].slice(0, MOST)
}
