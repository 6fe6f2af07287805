import { forgetTyped } from '../typed.ts'
import { saveNow } from '../writing/autosave.ts'
import type { TicketList } from './list.ts'
import { closeMenuOf } from './menus.ts'
import { type Answer, fetchPage } from './page.ts'
import type { Prefetch } from './prefetch.ts'
import { say } from './said.ts'

/** What a message is taken back by, to be written again. */
const RETRACTION = /\/messages\/[^/]+\/undo$/

/** Whether it is a form that takes a message back. */
export const takesBack = (form: HTMLFormElement): boolean => RETRACTION.test(form.action)

/** The desk that forms are sent from. */
interface Origin {
  readonly panes: HTMLElement
  readonly list: TicketList
  readonly ticketId: string | null
  go(url: string): Promise<void>
  /** Shows what a form led to. */
  take(answer: Answer, form: HTMLFormElement): void
}

/** Sends the forms of the desk, so that the page stays. */
export class Sending {
  /** Tickets that were answered or closed here: until a mail can no longer be taken back, the list has them as they were. */
  readonly #done = new Set<string>()

  constructor(
    private readonly desk: Origin,
    private readonly prefetched: Prefetch,
  ) {}

  /** Notes that a ticket is looked at again. */
  noteOpened(ticketId: string): void {
    this.#done.delete(ticketId)
  }

  /** Sends a form of the desk, and shows what it led to. */
  async send(event: SubmitEvent): Promise<void> {
    const form = event.target as HTMLFormElement
    const isOfDesk = this.desk.panes.contains(form) || form.closest('[data-said]') !== null
    if (!isOfDesk || event.defaultPrevented || form.dataset.plain) return
    const { submitter } = event
    const data = new FormData(form, submitter)
    const target = submitter?.getAttribute('formaction') ?? form.getAttribute('action') ?? ''
    if (form.method === 'get') {
      event.preventDefault()
      const query = [...data].filter(([, value]) => value !== '') as [string, string][]
      await this.desk.go(`${target}?${new URLSearchParams(query)}`)
      return
    }
    event.preventDefault()
    this.#sayWhereItLeads(form, data)
    this.prefetched.forget()
    // What was taken back comes before what has been typed since.
    if (takesBack(form)) await saveNow()
    const body = form.enctype === 'multipart/form-data' ? data : new URLSearchParams([...data] as [string, string][])
    const answer = await fetchPage(target, { method: 'POST', body }).catch(() => null)
    delete form.dataset.sent
    if (answer === null) {
      say(this.desk.panes.dataset.lost ?? '')
      form.dispatchEvent(new Event('unsent'))
    } else if (answer.shows !== null) {
      forgetTyped()
      closeMenuOf(submitter ?? form)
      this.desk.take(answer, form)
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
    data.set('list', new URL(this.desk.list.address).search)
    const { ticketId } = this.desk
    if (ticketId !== null) this.#done.add(ticketId)
    const next = ticketId !== null && this.desk.list.isThere ? this.desk.list.neighbour(ticketId, 1, this.#done) : null
    if (this.desk.list.isThere) data.set('next', next ? (new URL(next.href).pathname.split('/').at(-1) ?? '') : '')
  }
}
