import type { Memory } from '../progress/memory.ts'
import type { Outcome } from '../progress/sending.ts'
import { give, toolsFor } from './kit.ts'

const { one, bringIntoView, limitations, say } = toolsFor('later')

/**
 * Going on later, where a form offers that: what is answered so far is saved by `save`, and a link to it mailed to the
 * address that is given.
 */
function goOnLater(form: HTMLFormElement, open: HTMLElement, memory: Memory, save: () => Promise<Outcome>): void {
  const panel = one<HTMLFormElement>(document, '#later')
  const email = one<HTMLInputElement>(panel, '[type=email]')
  const fields = one(panel, '.later-fields')
  const status = one(panel, '[role=status]')
  let isBusy = false

  function tell(text: string, isWrong = false): void {
    status.textContent = text
    status.className = isWrong ? 'error' : ''
    if (isWrong) email.ariaInvalid = 'true'
    else email.removeAttribute('aria-invalid')
  }

  open.addEventListener('click', () => {
    panel.hidden = false
    fields.hidden = false
    tell('')
    email.value ||= form.querySelector<HTMLInputElement>('[data-field=email]')?.value.trim() ?? ''
    bringIntoView(panel)
    email.focus({ preventScroll: true })
  })

  one(panel, '[data-cancel]').addEventListener('click', () => {
    panel.hidden = true
    open.focus()
  })

  panel.addEventListener('submit', async (event) => {
    event.preventDefault()
    const address = email.value.trim()
    if (isBusy) return
    if (!limitations.email.allows(address)) {
      tell(say('notEmail'), true)
      email.focus()
      return
    }
    isBusy = true
    tell(say('sending'))
    const sent = await send(address)
    isBusy = false
    tell(sent ?? say('linkSent', { address }), sent !== null)
    fields.hidden = sent === null
    if (sent === null) status.focus()
  })

  /** Returns what went wrong, for people. */
  async function send(address: string): Promise<string | null> {
    const saved = await save()
    if (saved.kind === 'closed') return say('closedKept')
    if (saved.kind === 'sent') return say('alreadySent')
    if (saved.kind !== 'saved' || !memory.response) return say('notSent')
    const { id, resumeToken } = memory.response
    const answer = await fetch(`${form.dataset.path}/responses/${id}/later`, {
      method: 'POST',
      body: JSON.stringify({ resumeToken, email: address }),
      headers: { 'content-type': 'application/json' },
      credentials: 'omit',
    }).catch(() => null)
    if (answer?.ok) return null
    return say(answer?.status === 429 ? 'linksEnough' : answer?.status === 400 ? 'notEmail' : 'notSent')
  }
}

give('later', goOnLater)
