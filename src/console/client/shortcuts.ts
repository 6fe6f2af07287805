/*
 * Single keys for those who have them on: on the list of the inbox and on the page of a ticket. What they do has a link or
 * a button there, so that nothing needs them. They are not heard while somebody types, and never with another key held.
 */

const place = document.querySelector<HTMLElement>('[data-shortcuts]')
const sheet = place?.querySelector('dialog')
const opener = place?.querySelector('button')

function one<E extends HTMLElement>(selector: string): E | null {
  return document.querySelector<E>(`main ${selector}`)
}

function press(selector: string): void {
  one<HTMLButtonElement>(selector)?.click()
}

/** Moves the focus through what `selector` finds, from where it is. */
function step(selector: string, by: 1 | -1): void {
  const all = [...document.querySelectorAll<HTMLElement>(`main ${selector}`)]
  const at = all.findIndex((element) => element.contains(document.activeElement))
  const next = all[at === -1 ? (by === 1 ? 0 : all.length - 1) : at + by]
  if (!next) return
  if (!next.matches('a')) next.tabIndex = -1
  next.focus()
  next.scrollIntoView({ block: 'nearest' })
}

/** The row that the focus is in. */
function row(): HTMLElement | null {
  return document.activeElement?.closest<HTMLElement>('.tickets li') ?? null
}

/** Presses a button for the tickets that are ticked, or for the one that the focus is on. */
function withTicked(what: string): void {
  const current = row()?.querySelector<HTMLInputElement>('input[name="ticket"]')
  const isTicked = one('.tickets input:checked') !== null
  if (!isTicked && !current) return
  if (!isTicked && current) current.checked = true
  press(`[data-bulk] button[value="${what}"]`)
}

function tick(): void {
  row()?.querySelector<HTMLInputElement>('input[name="ticket"]')?.click()
  row()?.querySelector('a')?.focus()
}

function write(selector: string): void {
  const field = one(selector)
  const hidden = field?.closest('details')
  if (hidden) hidden.open = true
  field?.focus()
  field?.scrollIntoView({ block: 'nearest' })
}

function search(): void {
  const field = one('#search')
  if (field) field.focus()
  else location.assign(`${place?.dataset.search}#search`)
}

const everywhere = { '/': search, '?': () => sheet?.showModal() }
const actions: Record<string, Record<string, () => void>> = {
  list: {
    ...everywhere,
    j: () => step('.tickets a', 1),
    k: () => step('.tickets a', -1),
    x: tick,
    a: () => withTicked('take'),
    e: () => withTicked('close'),
  },
  ticket: {
    ...everywhere,
    j: () => step('.thread article', 1),
    k: () => step('.thread article', -1),
    r: () => write('#field-answer'),
    n: () => write('#field-note'),
    a: () => press('.head form[action$="/assignee"] button'),
    e: () => press('.head button[value="closed"]'),
    u: () => press('.back a'),
  },
}

/** Whether keys are text where the focus is. */
function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target.isContentEditable || target.closest('[role="textbox"], textarea, select')) return true
  return target instanceof HTMLInputElement && !['checkbox', 'radio', 'button', 'submit'].includes(target.type)
}

if (place && sheet && opener) {
  const own = actions[place.dataset.shortcuts ?? ''] ?? {}
  opener.hidden = false
  opener.addEventListener('click', () => sheet.showModal())
  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return
    if (sheet.open || isTyping(event.target)) return
    const action = Object.hasOwn(own, event.key) ? own[event.key] : undefined
    if (!action || (event.repeat && !'jk'.includes(event.key))) return
    event.preventDefault()
    action()
  })
}

// Where `/` led here from another page.
if (location.hash === '#search') document.getElementById('search')?.focus()

// A module, so that its names are its own.
export {}
