/*
 * A form whose parts depend on what was chosen, or that takes more or fewer of them: the server shows it again after every
 * such step. With scripts the form alone is exchanged, at once, and nothing else of the page moves.
 */

import { exchange } from './exchange.ts'

const SHOW = 'button[data-step][value="show"]'

/** A later step makes the answer to an earlier one worthless. */
let latest = 0

export function startFormSteps(): void {
  hideShowButton(document)
  document.addEventListener('change', ({ target }) => {
    if (!(target instanceof HTMLSelectElement) || !target.matches('[data-decides]')) return
    const button = target.form?.querySelector<HTMLButtonElement>(SHOW)
    if (button) void take(button, target)
  })
  document.addEventListener('submit', (event) => {
    const button = event.submitter
    if (!(button instanceof HTMLButtonElement) || !button.matches('[data-step]')) return
    event.preventDefault()
    void take(button, button)
  })
}

/** Sends the form with this button, and puts the one that is answered in its place. `from` is what was chosen or pressed. */
async function take(button: HTMLButtonElement, from: HTMLElement): Promise<void> {
  const { form } = button
  if (!form) return
  latest += 1
  const step = latest
  const sent = stateOf(form, button)
  const answered = await fetch(form.action, { method: 'POST', body: sent, headers: { accept: 'text/html' } })
    .then(async (answer) => (answer.ok && !answer.redirected ? formIn(await answer.text(), form) : null))
    .catch(() => null)
  if (step !== latest || !button.isConnected) return
  // What was typed meanwhile is not to be lost.
  if (stateOf(form, button).toString() !== sent.toString()) return take(button, from)
  if (!answered) return sendAsPage(form, button)
  const before = fieldsetsOf(form)
  hideShowButton(answered)
  const twin = ({ id }: HTMLElement) => (id ? answered.querySelector<HTMLElement>(`#${CSS.escape(id)}`) : null)
  exchange({
    shown: form,
    other: answered,
    from,
    twin,
    next() {
      const added = [...answered.querySelectorAll<HTMLElement>('fieldset[id]')].find(({ id }) => !before.has(id))
      const place = button.value.startsWith('add') ? added?.querySelector<HTMLElement>('select, input') : null
      return place ?? twin(from) ?? answered.querySelector<HTMLElement>('button[data-step]')
    },
  })
}

/** Where scripts run, every choice shows by itself what follows from it. */
function hideShowButton(within: ParentNode): void {
  for (const button of within.querySelectorAll<HTMLElement>(SHOW)) button.hidden = true
}

const stateOf = (form: HTMLFormElement, button: HTMLButtonElement) =>
  new URLSearchParams([...new FormData(form, button)] as [string, string][])

const fieldsetsOf = (form: HTMLFormElement) =>
  new Set([...form.querySelectorAll<HTMLElement>('fieldset[id]')].map(({ id }) => id))

function formIn(text: string, like: HTMLFormElement): HTMLFormElement | null {
  const page = new DOMParser().parseFromString(text, 'text/html')
  const action = like.getAttribute('action') ?? ''
  const found = page.querySelector<HTMLFormElement>(`form[action="${CSS.escape(action)}"]:has([data-step])`)
  return found && document.adoptNode(found)
}

/** Where no form was answered, its page says why: the session is over, or the rule is gone. */
function sendAsPage(form: HTMLFormElement, button: HTMLButtonElement): void {
  button.removeAttribute('data-step')
  form.requestSubmit(button)
}
