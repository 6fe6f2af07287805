/* What the builder sends and reads: the pages that it would be answered with anyway, one after the other. */

import { released } from '../presses.ts'

/** A button that was pressed, or what is sent as if one had been. */
export interface Pressed {
  readonly name: string
  readonly value: string
}

/** A page that came back, or why there is none. */
export type Answer =
  | { readonly kind: 'page'; readonly page: Document; readonly status: number; readonly url: string }
  | { readonly kind: 'lost' | 'signedOut' }

let last: Promise<unknown> = Promise.resolve()

/**
 * In turn: each form carries the version that the one before has made, so it is read when its turn comes. What comes of it
 * is there once nothing is pressed, and may take its place.
 */
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const next = last.then(work).finally(released)
  last = next.catch(() => undefined)
  return next
}

/** Sends a form, which is looked for when its turn comes, as its button would. */
export function send(form: () => HTMLFormElement, button: Pressed | null = null): Promise<Answer> {
  return inTurn(async () => {
    const answer = await sendNow(form(), button)
    // Whoever has signed in again meanwhile, in another tab, has another token, which any page tells.
    const renewed = answer.kind === 'signedOut' ? await answerOf(fetch(location.href)) : null
    if (renewed?.kind !== 'page') return answer
    const token = renewed.page.querySelector<HTMLInputElement>('input[name="csrf"]')?.value ?? ''
    for (const field of document.querySelectorAll<HTMLInputElement>('input[name="csrf"]')) field.value = token
    return sendNow(form(), button)
  })
}

function sendNow(form: HTMLFormElement, button: Pressed | null): Promise<Answer> {
  const fields = new URLSearchParams()
  for (const [name, value] of new FormData(form)) if (typeof value === 'string') fields.append(name, value)
  if (button) fields.append(button.name, button.value)
  return answerOf(fetch(form.action, { method: 'POST', body: fields }))
}

/** Reads a page. */
export function load(address: string): Promise<Answer> {
  return inTurn(() => answerOf(fetch(address)))
}

async function answerOf(request: Promise<Response>): Promise<Answer> {
  try {
    const response = await request
    if (response.status >= 500 || response.status === 429) return { kind: 'lost' }
    const page = new DOMParser().parseFromString(await response.text(), 'text/html')
    if (!page.querySelector('[data-builder]')) return { kind: 'signedOut' }
    return { kind: 'page', page, status: response.status, url: response.url }
  } catch {
    return { kind: 'lost' }
  }
}
