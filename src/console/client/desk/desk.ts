import { forgetTyped } from '../typed.ts'
import { saveNow } from '../writing/autosave.ts'
import { showZone } from '../zone.ts'
import { Alerts } from './alerts/alerts.ts'
import { TicketList } from './list.ts'
import { listen } from './live.ts'
import { taken } from './morph.ts'
import { type Answer, fetchPage, placeAt } from './page.ts'
import { Prefetch } from './prefetch.ts'
import { updateListeners } from './ticket/live-updates.ts'
import { showTicket } from './ticket/thread.ts'
import { startTicket } from './ticket/ticket.ts'
import { startTicking, untickAll } from './ticking.ts'
import { hideToastInTime } from './toast.ts'

/** From here on list and ticket stand beside each other, as the style sheet has it. */
const WIDE = '(min-width: 75rem)'

/** What a message is taken back by, to be written again. */
const RETRACTION = /\/messages\/[^/]+\/undo$/

/** Within how many milliseconds the list is asked for anew once a stream begins again: all do so when the service is back. */
const CATCH_UP_WITHIN = 2000

/** The desk of one tab: what it shows, and how that changes without the page being loaded anew. */
export class Desk {
  readonly list = new TicketList()
  readonly #alerts = new Alerts(
    (url) => void this.go(url),
    () => this.#listen(),
    () => this.ticketId,
  )
  readonly #wide = matchMedia(WIDE)
  /** Ends what belongs to what is shown now. */
  #shown = new AbortController()
  /** Ends what is heard of it. */
  #heard = new AbortController()
  readonly #prefetched = new Prefetch()
  /** Tickets that were answered or closed here: until a mail can no longer be taken back, the list has them as they were. */
  readonly #done = new Set<string>()
  /** Ends the visit that is under way: another one began. */
  #visit = new AbortController()

  constructor(private readonly panes: HTMLElement) {}

  start(): void {
    if (placeAt(new URL(location.href)) === 'list') this.list.noteAddress(location.href)
    startTicking()
    hideToastInTime()
    document.addEventListener('click', (event) => this.#follow(event))
    document.addEventListener('click', ({ target }) => closeOthers(this.panes, target))
    document.addEventListener('submit', (event) => void this.#submit(event))
    document.addEventListener('change', ({ target }) => {
      const filters = target instanceof Element ? target.closest<HTMLFormElement>('[data-filters]') : null
      filters?.requestSubmit()
    })
    window.addEventListener('popstate', () => void this.go(location.href, { isBack: true }))
    this.#wide.addEventListener('change', () => void this.#fillList())
    this.#begin()
    this.#alerts.start()
  }

  get ticketId(): string | null {
    return this.#pane('ticket')?.dataset.ticket ?? null
  }

  /** Goes to a list or a ticket. Where that cannot be shown in place, the page is loaded. */
  async go(url: string, { isBack = false } = {}): Promise<void> {
    this.#visit.abort()
    this.#visit = new AbortController()
    const { signal } = this.#visit
    const answer = await (this.#prefetched.take(url) ?? fetchPage(url, { signal })).catch(() => null)
    if (signal.aborted) return
    // Loading it says what is wrong.
    if (answer?.shows == null || !answer.ok) location.assign(url)
    else if (this.#isShown(answer)) this.#showSame(answer.page)
    else this.#show(answer, isBack)
  }

  /** Goes to the ticket after the one that is open, or before it. Returns whether one is open. */
  step(by: 1 | -1): boolean {
    const { ticketId } = this
    if (ticketId === null || !this.list.isThere) return false
    const next = this.list.neighbour(ticketId, by)
    if (next) void this.go(next.href).then(() => this.#prefetch(by))
    return true
  }

  /** Whoever goes on the same way finds the next ticket there. */
  #prefetch(by: 1 | -1): void {
    const next = this.ticketId !== null && this.list.isThere && this.list.neighbour(this.ticketId, by)
    if (next) this.#prefetched.ask(next.href)
  }

  #pane(name: 'list' | 'ticket'): HTMLElement | null {
    return this.panes.querySelector<HTMLElement>(`[data-pane="${name}"]`)
  }

  /** What is pressed leads to another part of the desk: the rest of it stays. */
  #follow(event: MouseEvent): void {
    const link = (event.target as Element).closest?.('a')
    const isPlain = event.button === 0 && !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey)
    if (!link || !isPlain || event.defaultPrevented || link.target || link.hasAttribute('download')) return
    const isOnPage = link.hash !== '' && link.href.split('#')[0] === location.href.split('#')[0]
    if (isOnPage || placeAt(new URL(link.href)) === null) return
    event.preventDefault()
    void this.go(link.href)
  }

  /** Sends a form of the desk, and shows what it led to. */
  async #submit(event: SubmitEvent): Promise<void> {
    const form = event.target as HTMLFormElement
    const isOfDesk = this.panes.contains(form) || form.closest('[data-said]') !== null
    if (!isOfDesk || event.defaultPrevented || form.dataset.plain) return
    const { submitter } = event
    const data = new FormData(form, submitter)
    const target = submitter?.getAttribute('formaction') ?? form.getAttribute('action') ?? ''
    if (form.method === 'get') {
      event.preventDefault()
      const query = [...data].filter(([, value]) => value !== '') as [string, string][]
      await this.go(`${target}?${new URLSearchParams(query)}`)
      return
    }
    event.preventDefault()
    this.#sayWhereItLeads(form, data)
    this.#prefetched.forget()
    // What was taken back comes before what has been typed since.
    if (RETRACTION.test(form.action)) await saveNow()
    const body = form.enctype === 'multipart/form-data' ? data : new URLSearchParams([...data] as [string, string][])
    const answer = await fetchPage(target, { method: 'POST', body }).catch(() => null)
    delete form.dataset.sent
    if (answer === null) {
      this.#say(this.panes.dataset.lost ?? '')
      form.dispatchEvent(new Event('unsent'))
    } else if (answer.shows !== null) {
      forgetTyped()
      closeMenuOf(submitter ?? form)
      this.#take(answer, form)
    } else if (answer.redirected && answer.ok) location.assign(answer.url)
    else {
      // A page of its own, a question say: as a browser shows what a form leads to.
      form.dataset.plain = 'true'
      form.requestSubmit(submitter)
    }
  }

  /** What stands in the list after this ticket is known here alone. */
  #sayWhereItLeads(form: HTMLFormElement, data: FormData): void {
    if (!form.querySelector('[data-leads-on]')) return
    data.set('list', new URL(this.list.address).search)
    const { ticketId } = this
    if (ticketId !== null) this.#done.add(ticketId)
    const next = ticketId !== null && this.list.isThere ? this.list.neighbour(ticketId, 1, this.#done) : null
    if (this.list.isThere) data.set('next', next ? (new URL(next.href).pathname.split('/').at(-1) ?? '') : '')
  }

  /** Shows what a form led to: where that is what is shown already, its parts change and what is being written stays. */
  #take(answer: Answer, form: HTMLFormElement): void {
    const next = answer.page.querySelector<HTMLElement>('[data-pane="ticket"]')
    const isOfOpen = next !== null && next.dataset.ticket === this.ticketId
    if (answer.ok && form.closest('[data-bulk]')) untickAll()
    // What was being written is sent, or is to be written again.
    const isOfWriting = form.closest('.composer, .waiting') !== null || RETRACTION.test(form.action)
    if (isOfOpen && !isOfWriting && answer.ok) {
      this.#showSaid(answer.page)
      this.#showSame(answer.page)
      // What was asked for in the address, a choice say, is done.
      if (answer.redirected) history.replaceState(null, '', answer.url)
      // What was pressed may be gone with it.
      if (document.activeElement === document.body)
        this.#pane('ticket')?.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true })
      this.#refreshList()
    } else if (
      answer.shows === 'list' &&
      this.ticketId !== null &&
      this.list.isThere &&
      form.closest('[data-bulk], [data-said]')
    ) {
      // What was done with others, beside the ticket that stays open.
      this.#showSaid(answer.page)
      this.list.show(answer.page)
    } else {
      this.#show(answer, false)
      this.#refreshList()
      // Whoever talks goes on.
      const next = answer.page.querySelector('[data-channel="livechat"]') ? 'field-answer' : 'answer'
      const isBegun = form.closest('.outgoing') !== null
      // What was refused is there again, to be changed or sent anyway.
      const wrong = document.querySelector<HTMLElement>('.composer [aria-invalid="true"]')
      if (isOfWriting && !answer.ok) (wrong ?? document.getElementById('field-answer'))?.focus()
      else if (isOfWriting && (isOfOpen || isBegun || RETRACTION.test(form.action)))
        (document.getElementById('undo') ?? document.getElementById(next))?.focus()
    }
  }

  /** Whether it is what is shown already, as it has become meanwhile. */
  #isShown({ page, url }: Answer): boolean {
    const next = page.querySelector<HTMLElement>('[data-pane="ticket"]')
    return next !== null && next.dataset.ticket === this.ticketId && url === location.href
  }

  #showSame(page: Document): void {
    showTicket(page)
    this.#listen()
  }

  /** Shows a page that came: its list, or its ticket beside the list that is there. */
  #show(answer: Answer, isBack: boolean): void {
    const { page, shows } = answer
    // What a form was sent to is no page: whoever loads it anew sees what the form stood on.
    const url = answer.isPage ? answer.url : location.href
    this.#shown.abort()
    if (isBack || url === location.href) history.replaceState(null, '', url)
    else history.pushState(null, '', url)
    document.title = page.title
    const next = page.querySelector<HTMLElement>('[data-pane="ticket"]')
    const isNew = next?.dataset.ticket !== this.ticketId
    this.#pane('ticket')?.remove()
    this.#showSaid(page)
    if (shows === 'list') {
      if (answer.isPage) this.list.noteAddress(url)
      this.list.show(page)
    } else if (next) this.panes.append(taken(next))
    if (shows === 'ticket' && !this.#wide.matches) this.#pane('list')?.remove()
    this.panes.dataset.desk = shows ?? ''
    this.#begin()
    const begun = answer.ok && this.#pane('ticket')?.querySelector<HTMLInputElement>('.outgoing input[name="to"]')
    if (begun) (begun.value === '' ? begun : document.getElementById('field-answer'))?.focus()
    // Where the list stays, so does whoever goes through it.
    else if (shows === 'ticket' && isNew && !this.#pane('list')?.contains(document.activeElement))
      this.#pane('ticket')?.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true })
    // What the address asks for is chosen here.
    this.#pane('ticket')?.querySelector<HTMLElement>('.searching input')?.focus()
  }

  /** What was said above the page, and what takes it back. */
  #showSaid(page: Document): void {
    const said = page.querySelector('[data-said]')
    const problem = page.querySelector('main > .problem')
    document.querySelector('[data-said]')?.replaceWith(...(said ? [document.importNode(said, true)] : []))
    document.querySelector('main > .problem')?.remove()
    if (problem) this.panes.before(document.importNode(problem, true))
    hideToastInTime()
  }

  #say(text: string): void {
    const flash = document.querySelector('.flash')
    if (flash) flash.textContent = text
  }

  #refreshList(): void {
    if (!this.list.isThere) return
    // What changes next shows it.
    void this.list.refresh().catch(() => {})
  }

  /** Begins what belongs to what is shown now: one stream of news for all of it. */
  #begin(): void {
    this.#shown = new AbortController()
    const { signal } = this.#shown
    const ticket = this.#pane('ticket')
    if (ticket) startTicket(signal)
    if (this.ticketId !== null) this.#done.delete(this.ticketId)
    this.#listen()
    showZone(this.panes)
    this.list.mark(this.ticketId)
    void this.#fillList()
  }

  /**
   * Hears what becomes of what is shown now. What was heard before goes on telling of the list until this has begun, and a
   * stream that begins again may have missed something: so the list lacks nothing.
   */
  #listen(): void {
    const before = this.#heard
    const heard = new AbortController()
    this.#heard = heard
    heard.signal.addEventListener('abort', () => before.abort())
    const path = (isLookedAt: boolean) => this.#alerts.eventsPath(isLookedAt ? this.#eventsPath() : null)
    if (path(document.visibilityState === 'visible') === null) before.abort()
    const ofWhatIsShown = Object.entries({ ...updateListeners, ...this.#alerts.listeners }).map(
      ([event, hear]) =>
        [event, (data: Record<string, string>, id: string) => this.#heard === heard && hear(data, id)] as const,
    )
    const begun = () => {
      if (before.signal.aborted) this.#noteChanged(CATCH_UP_WITHIN)
      before.abort()
    }
    const changed = ({ spread }: Record<string, string>) => this.#noteChanged(Number(spread))
    listen(path, { ...Object.fromEntries(ofWhatIsShown), changed, begun }, heard.signal)
  }

  #noteChanged(spread: number): void {
    this.#prefetched.forget()
    this.list.noteChanged(spread)
  }

  #eventsPath(): string | null {
    const places = [this.#pane('ticket'), this.#pane('list')]
    const paths = places.map((place) => place?.querySelector<HTMLElement>('[data-events]')?.dataset.events)
    return paths.find((path) => path !== undefined) ?? null
  }

  /** Where there is room, the list that was looked at last stands beside a ticket that was opened by its address. */
  async #fillList(): Promise<void> {
    if (!this.#wide.matches || this.list.isThere) return
    await this.list.refresh().catch(() => {})
    this.list.mark(this.ticketId)
  }
}

/** A menu closes as people expect it: when something else is pressed. */
function closeOthers(within: Element, target: EventTarget | null): void {
  for (const menu of within.querySelectorAll<HTMLDetailsElement>('details.menu[open]')) {
    if (target instanceof Node && !menu.contains(target)) menu.open = false
  }
}

/** What was chosen in a menu closes it, and no other that somebody has opened since. */
function closeMenuOf(pressed: HTMLElement): void {
  const menu = pressed.closest<HTMLDetailsElement>('details.menu[open]')
  if (!menu) return
  if (menu.contains(document.activeElement)) menu.querySelector('summary')?.focus()
  menu.open = false
}
