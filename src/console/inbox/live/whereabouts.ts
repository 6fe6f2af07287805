import { html, type Markup } from '../../../lib/html/markup.ts'
import { canBeMailed } from '../../../livechat/build-mail.ts'
import { findVisitorOfTicket } from '../../../livechat/read.ts'
import { pathOfPage } from '../../../livechat/visitor-page.ts'
import type { Visit } from '../../visit.ts'
import type { ConsoleWording } from '../../words/index.ts'
import { agoOf, spanOf } from '../moments.ts'

/** What somebody is called of whom only a chat is known: `Visitor on /pricing`. */
export function visitorName({ say }: ConsoleWording, page: string | null | undefined): string {
  return page ? say('visitorOn', { page: pathOfPage(page) }) : say('visitor')
}

/** Where a chat's visitor is, as it is told. */
interface Told {
  readonly state: 'here' | 'gone'
  readonly text: string
  /** For how long: said apart, since nobody wants it read out again and again. */
  readonly time: string
  /** The whole address of the page, without what follows its path. */
  readonly page: string
}

/** The visitor of a chat; null where the ticket is none. `tell` says where they are, `stay` that somebody looks. */
export async function watchVisitor(visit: Visit, ticketId: string, listener: () => void) {
  const { db, deps, principal } = visit
  const { tenantId } = principal
  const visitorId = await findVisitorOfTicket(db, tenantId, ticketId)
  if (visitorId === null) return null
  const { stay, end } = deps.visitors.watch(tenantId, visitorId, listener)
  return { stay, end, tell: () => tellVisitor(visit, ticketId, visitorId) }
}

async function tellVisitor(visit: Visit, ticketId: string, visitorId: string): Promise<Told> {
  const { db, deps, principal, wording } = visit
  const { say, locale } = wording
  const { tenantId } = principal
  const known = deps.visitors.of(tenantId, visitorId)
  const now = deps.clock.now()
  if (known?.isHere) {
    const text = known.page === null ? say('visitorIsHere') : say('visitorIsOn', { page: pathOfPage(known.page) })
    return { state: 'here', text, time: spanOf(locale, now - known.since), page: known.page ?? '' }
  }
  const isMailed = await canBeMailed(db, tenantId, ticketId)
  const left = known && agoOf(locale, new Date(known.since).toISOString(), now)
  const words = isMailed ? (['visitorLeftMail', 'visitorAwayMail'] as const) : (['visitorLeft', 'visitorAway'] as const)
  const text = left === null ? say(words[1]) : say(words[0], { when: left })
  return { state: 'gone', text, time: '', page: known?.page ?? '' }
}

/** Where the visitor of a chat is, above what is written to them; a script has it change. */
export async function visitorLine(visit: Visit, ticketId: string): Promise<Markup | false> {
  const watched = await watchVisitor(visit, ticketId, () => {})
  if (!watched) return false
  const { state, text, time, page } = await watched.tell()
  watched.end()
  return html`<p class="whereabouts" role="status" data-visitor data-state="${state}"><bdi data-text title="${page}">${text}</bdi><span data-since aria-hidden="true">${time}</span></p>`
}
