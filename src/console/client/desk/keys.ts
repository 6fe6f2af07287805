import type { Desk } from './desk.ts'
import { enter, isLeft, isTyping, leave } from './fields.ts'
import { countTicked } from './ticking.ts'

/*
 * Single keys for those who have them on. What they do has a link or a button, so that nothing needs them. They are not
 * heard while somebody types, and never with another key held.
 */

function one<E extends HTMLElement>(selector: string): E | null {
  return document.querySelector<E>(`main ${selector}`)
}

function press(selector: string): void {
  one<HTMLButtonElement>(selector)?.click()
}

/** The row that the focus is in. */
function row(): HTMLElement | null {
  return document.activeElement?.closest<HTMLElement>('.tickets li') ?? null
}

/** Moves the focus through the tickets of the list, from where it is. */
function stepThroughRows(by: 1 | -1): void {
  const all = [...document.querySelectorAll<HTMLElement>('.tickets a')]
  const at = all.findIndex((element) => element.contains(document.activeElement))
  const next = all[at === -1 ? (by === 1 ? 0 : all.length - 1) : at + by]
  next?.focus()
  next?.scrollIntoView({ block: 'nearest' })
}

function tick(desk: Desk): void {
  const current = row() ?? document.querySelector<HTMLElement>(`#t-${desk.ticketId}`)
  current?.querySelector<HTMLInputElement>('input[name="ticket"]')?.click()
  row()?.querySelector('a')?.focus()
}

const open = (menu: string) => openMenu(`.actions details.${menu}`)

/** Opens a menu, at its first choice. */
function openMenu(selector: string): void {
  const details = one<HTMLDetailsElement>(selector)
  if (!details) return
  details.open = true
  details.querySelector<HTMLElement>('.menu-items :is(button, input:not([type="hidden"]), summary)')?.focus()
}

function write(tab: string, field: string): void {
  one<HTMLInputElement>(tab)?.click()
  enter(one(field))
}

/** Goes to what is done with the tickets that are ticked, or with the row that the focus is in; else with the open one. */
function forTickets(bulk: () => void, single: () => void): void {
  const current = row()?.querySelector<HTMLInputElement>('input[name="ticket"]')
  const isTicked = countTicked() > 0
  if (!isTicked && (!current || row()?.matches('.current'))) {
    single()
    return
  }
  if (!isTicked && current) current.click()
  bulk()
}

/** Forwards the message that the focus is in, or the newest. */
function forward(): void {
  const within = document.activeElement?.closest('.message')?.querySelector<HTMLElement>('[data-forward]')
  const link = within ?? [...document.querySelectorAll<HTMLElement>('.thread [data-forward]')].at(-1)
  link?.click()
}

function search(): void {
  const field = one('#search')
  if (field) enter(field)
  else location.assign(`${document.querySelector<HTMLElement>('[data-shortcuts]')?.dataset.search}#search`)
}

function undo(): void {
  const button = document.querySelector<HTMLButtonElement>('[data-undo]') ?? one<HTMLButtonElement>('#undo')
  button?.click()
}

const ofTicked = (menu: string) => () => openMenu(`.bulk details.${menu}`)

/** Has keys do what the sheet says. Nothing for those who have turned them off: their pages have no sheet. */
export function startKeys(desk: Desk): void {
  const place = document.querySelector<HTMLElement>('[data-shortcuts]')
  const sheet = place?.querySelector('dialog')
  if (!sheet) return
  const step = (by: 1 | -1) => {
    if (!desk.step(by)) stepThroughRows(by)
  }
  const actions: Readonly<Record<string, () => void>> = {
    '/': search,
    '?': () => sheet.showModal(),
    j: () => step(1),
    k: () => step(-1),
    o: () => row()?.querySelector('a')?.click(),
    x: () => tick(desk),
    r: () => write('#write-answer', '#field-answer'),
    n: () => write('#write-note', '#field-note'),
    f: forward,
    c: () => void desk.go(sheet.parentElement?.dataset.new ?? ''),
    a: () => forTickets(ofTicked('assign'), () => open('assign')),
    t: () => forTickets(ofTicked('tags'), () => open('tags')),
    p: () => forTickets(ofTicked('priority'), () => open('priority')),
    s: () => forTickets(ofTicked('snooze'), () => open('snooze')),
    e: () =>
      forTickets(
        () => press('.bulk button[value="close"]'),
        () => press('[data-close]'),
      ),
    u: undo,
  }
  // A list that is put in later has one of its own.
  const opener = '[data-open-sheet]'
  for (const button of document.querySelectorAll<HTMLElement>(opener)) button.hidden = false
  document.addEventListener('click', ({ target }) => {
    if (target instanceof Element && target.closest(opener)) sheet.showModal()
  })
  document.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return
    if (event.key === 'Escape' && isLeft(event.target)) leave()
    if (sheet.open || isTyping(event.target)) return
    const action = Object.hasOwn(actions, event.key) ? actions[event.key] : undefined
    if (!action || (event.repeat && !'jk'.includes(event.key))) return
    event.preventDefault()
    action()
  })
  // Where `/` led here from another page.
  if (location.hash === '#search') document.getElementById('search')?.focus()
}
