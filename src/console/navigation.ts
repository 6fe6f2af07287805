import type { UserPrincipal } from '../caller.ts'
import type { Markup } from '../lib/html/markup.ts'
import { icons } from './icons.ts'
import type { ConsoleWords } from './words/index.ts'

/** The kind of inbox whose tickets are chats, as the address of the list names it. */
export const CHATS = '/console/inbox?channel=livechat'

/** Whom a page is for: everybody who is signed in, or admins alone (decisions §14). */
export type Role = UserPrincipal['role']

interface Entry {
  readonly path: string
  readonly word: keyof ConsoleWords & string
  readonly icon: Markup
  /** Paths of pages that belong to it besides those below its own. */
  readonly also?: readonly string[]
}

/** In the order they are shown in; those that a part of the console lacks are left out. */
const groups: readonly (readonly Entry[])[] = [
  [
    {
      path: '/console/inbox',
      word: 'navInbox',
      icon: icons.inbox,
      also: [
        '/console/tickets',
        '/console/pictures',
        '/console/quarantine',
        '/console/canned-replies',
        '/console/shared-canned-replies',
      ],
    },
    { path: '/console/forms', word: 'navForms', icon: icons.form, also: ['/console/responses'] },
    { path: '/console/contacts', word: 'navContacts', icon: icons.contacts, also: ['/console/organisations'] },
    { path: '/console/articles', word: 'navArticles', icon: icons.article },
    { path: '/console/reports', word: 'navReports', icon: icons.report },
  ],
  [
    { path: '/console/keys', word: 'navKeys', icon: icons.key },
    { path: '/console/webhooks', word: 'navWebhooks', icon: icons.webhook },
    { path: '/console/audit', word: 'navAudit', icon: icons.audit },
  ],
  [
    { path: '/console/users', word: 'navUsers', icon: icons.users },
    { path: '/console/settings', word: 'navSettings', icon: icons.settings },
  ],
]

/** An entry as it stands in a page. */
export interface NavigationEntry extends Entry {
  readonly isCurrent: boolean
}

/** Which pages there are, and whom each is for. */
export type PageRoles = ReadonlyMap<string, Role>

/** Where somebody can go from the page at `path`: only where their role may. */
export function navigationOf(pages: PageRoles, role: Role, path: string): NavigationEntry[][] {
  return groups
    .map((group) =>
      group
        .filter((entry) => isFor(pages.get(entry.path), role))
        .map((entry) => ({
          ...entry,
          isCurrent: [entry.path, ...(entry.also ?? [])].some((own) => isBelow(path, own)),
        })),
    )
    .filter((group) => group.length > 0)
}

/** What of it a phone has in reach: the inbox, the chats in it, and contacts. `url` is that of the page. */
export function barOf(navigation: readonly (readonly NavigationEntry[])[], url: URL): NavigationEntry[] {
  const isOfChats = isBelow(url.pathname, '/console/inbox') && url.searchParams.get('channel') === 'livechat'
  return navigation.flat().flatMap((entry) => {
    if (entry.path === '/console/contacts') return [entry]
    if (entry.path !== '/console/inbox') return []
    const chats = { ...entry, path: CHATS, word: 'navChats', icon: icons.chat, isCurrent: isOfChats } as const
    return [{ ...entry, isCurrent: entry.isCurrent && !isOfChats }, chats]
  })
}

/** Where somebody begins: the first page that is theirs. */
export function firstPage(pages: PageRoles, role: Role): string {
  return navigationOf(pages, role, '')[0]?.[0]?.path ?? '/console/account'
}

/** Whether a page that is for `needed`, if there is one, is for somebody of this role. */
export function isFor(needed: Role | undefined, role: Role): boolean {
  return needed !== undefined && (needed === 'agent' || role === 'admin')
}

function isBelow(path: string, own: string): boolean {
  return path === own || path.startsWith(`${own}/`)
}
