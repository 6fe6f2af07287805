import { give, toolsFor } from './kit.ts'
import type { Bought, Checkout, Own } from './parts.ts'

const { one, leaveFor, say } = toolsFor('checkout')

/* Paying, after the answers have been sent, where the service takes payments (`data-pays`). */

type Payment = { kind: 'page'; url: string } | { kind: 'none' | 'processed' | 'unreachable' }

/** `pay` takes a respondent to the payment page, and `comeBack` says how it went to one who returns from it. */
function payments(path: string): Checkout {
  const done = one(document, '#done')
  const note = one(done, '#pay-note')
  const link = one<HTMLAnchorElement>(done, '#pay')
  const isFramed = window.parent !== window
  const name = `frontdesk payment ${path}`

  async function pay({ redirect, ...own }: Bought): Promise<void> {
    keep(name, { redirect, ...own })
    announce(say('openingPayment'))
    const payment = await paymentOf(path, own)
    if (payment.kind === 'none' && redirect) return leaveFor(redirect, own.id)
    if (payment.kind !== 'page') return show(payment, 'sent')
    offer(say('payToFinish'), payment.url, say('payNow'))
    if (isFramed) return
    // Going back in the browser's history ends here, and not at an empty form.
    history.replaceState(null, '', '?paid=false')
    location.assign(payment.url)
  }

  function comeBack(): string | null {
    const address = new URLSearchParams(location.search)
    const paid = address.get('paid')
    const own = kept(name)
    announce(say(paid === 'true' ? 'paymentThanks' : 'nothingPaid'))
    if (own) void paymentOf(path, own).then((payment) => goOn(own, payment, paid === 'true' ? 'paid' : 'unpaid'))
    else {
      // In a tab of its own, which knows nothing of the frame that it was opened from.
      const response = address.get('response')
      if (paid === 'true' && response && done.dataset.redirect) leaveFor(done.dataset.redirect, response)
    }
    return own?.thanks ?? null
  }

  /** Says how things stand; who has paid all of it goes on to where the end of the form leads, once. */
  function goOn({ redirect, ...own }: Bought, payment: Payment, after: 'paid' | 'unpaid'): void {
    show(payment, after)
    if (after === 'unpaid' || payment.kind === 'page' || !redirect) return
    // Whoever goes back from there finds the thanks here.
    keep(name, own)
    leaveFor(redirect, own.id)
  }

  /** Says how things stand, to one who has just sent the answers, has paid, or has turned back. */
  function show(payment: Payment, after: 'sent' | 'paid' | 'unpaid'): void {
    if (payment.kind === 'page') offer(say('paymentOpen'), payment.url, say('payNow'))
    else if (payment.kind === 'processed') announce(say('paymentUnderWay'))
    else if (payment.kind === 'none') announce(after === 'sent' ? '' : say('paymentReceived'))
    else if (after === 'paid') announce(say('paymentThanks'))
    else offer(say('paymentUnreachable'), '?paid=false', say('tryAgain'))
  }

  function announce(text: string): void {
    note.textContent = text
    link.hidden = true
  }

  function offer(text: string, address: string, label: string): void {
    announce(text)
    link.href = address
    link.target = isFramed && !address.startsWith('?') ? '_blank' : ''
    link.textContent = label
    link.hidden = false
  }

  return { pay, comeBack }
}

/** Where the response can be paid now, or why not. */
async function paymentOf(path: string, { id, resumeToken }: Own): Promise<Payment> {
  const answer = await fetch(`${path}/responses/${id}/checkout`, {
    method: 'POST',
    body: JSON.stringify({ resumeToken }),
    headers: { 'content-type': 'application/json' },
    credentials: 'omit',
  }).catch(() => null)
  if (answer?.ok) return { kind: 'page', url: ((await answer.json()) as { url: string }).url }
  if (answer?.status === 422) return { kind: 'none' }
  return { kind: answer?.status === 409 ? 'processed' : 'unreachable' }
}

/** In this tab alone: it lasts for the way to the payment page and back. */
function keep(name: string, own: Bought): void {
  try {
    sessionStorage.setItem(name, JSON.stringify(own))
  } catch {
    // Not allowed: a respondent who turns back is told so, and can pay no more.
  }
}

function kept(name: string): Bought | null {
  try {
    return JSON.parse(sessionStorage.getItem(name) ?? 'null') as Bought | null
  } catch {
    return null
  }
}

give('checkout', payments)
