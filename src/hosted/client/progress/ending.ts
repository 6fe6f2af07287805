import { answerOf } from '../answering/answers.ts'
import type { Parts, Payment } from '../parts/parts.ts'
import { all, one } from '../tools/dom.ts'
import { bringIntoView, leaveFor, post } from '../tools/frame.ts'
import type { Asked, End } from './asked.ts'
import type { Memory } from './memory.ts'

interface Ending {
  readonly form: HTMLFormElement
  readonly path: string
  readonly memory: Memory
  readonly asked: Asked
  readonly parts: Partial<Parts>
  readonly payment: Payment | undefined
  forget(): void
}

/** What comes once the answers have been sent. */
export function ending({ form, path, memory, asked, parts, payment, forget }: Ending) {
  const done = one(document, '#done')
  const paysOnline = 'pays' in done.dataset

  /** Whether a respondent wants to pay what some of these questions ask for. */
  function owes(questions: readonly HTMLElement[]): boolean {
    return questions.some(
      (question) => question.dataset.type === 'payment' && asked.isAsked(question) && answerOf(question) !== null,
    )
  }

  /** Ends a form that was completed: with `told`, which the server has chosen, else as the page decides. */
  function finish(told: End | null): void {
    const own = memory.response
    const isOwing = owes(all(form, '.type-payment'))
    const owed = payment?.owed(one(done, '#pay-note').dataset.how ?? '')
    const end = told ?? asked.end()
    forget()
    thank(end?.thanks)
    post({ frontdesk: 'complete' })
    const redirect = end ? (end.redirect ?? undefined) : done.dataset.redirect
    if (!paysOnline) one(done, '#pay-note').textContent = owed ?? ''
    else if (isOwing && own) return void parts.checkout?.(path).pay({ ...own, redirect, thanks: end?.thanks })
    if (!redirect) return
    if (own) leaveFor(redirect, own.id)
    // A preview leads nowhere, and says where the page would.
    else one(done, '#pay-note').append(`${done.dataset.leads ?? ''} ${redirect}`)
  }

  /** Says what the owner of the form says at this end, as HTML that the server has made safe. */
  function thank(thanks?: string | null): void {
    if (thanks) one(done, '#thanks').innerHTML = thanks
    replaceBy('#done')
  }

  /**
   * Whoever comes from the payment page is thanked, and told how that went by a part that `load` fetches. Does nothing for
   * others.
   */
  async function comeBack(load: () => Promise<boolean>): Promise<void> {
    if (!paysOnline || !new URLSearchParams(location.search).has('paid')) return
    const stalled = one(form, '#stalled')
    thank()
    if (await load()) {
      const thanks = parts.checkout?.(path).comeBack()
      if (thanks) one(done, '#thanks').innerHTML = thanks
    } else done.append(stalled)
  }

  /** Shows what stands in the place of the form from now on. */
  function replaceBy(end: string): void {
    const shown = one(document, end)
    form.remove()
    document.querySelector('#later')?.remove()
    shown.hidden = false
    shown.focus({ preventScroll: true })
    bringIntoView(null)
  }

  return { paysOnline, owes, finish, comeBack, replaceBy }
}
