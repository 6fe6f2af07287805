import { beginsWords } from '../palette/words.ts'
import { isTyping } from './fields.ts'

/*
 * Menus by keyboard: arrows go through what is in them. Letters lead to the choices whose words begin so; where there is a
 * field above these, to the field, and what is typed there leaves those that fit, of which Enter takes the first. Menus may
 * be put in anew while the page is open.
 */

const FIELD = 'input[data-find-choice]'
const STOPS = ':is(button, a[href], summary, input:not([type="hidden"]))'
/** Letters that follow each other so closely are one word, in milliseconds. */
const ONE_WORD = 1000

const itemsAround = (target: EventTarget | null) =>
  target instanceof Element ? target.closest<HTMLElement>('details.menu[open] .menu-items') : null

const choicesIn = (items: Element) => [...items.querySelectorAll<HTMLElement>('.choice')]

function find(field: HTMLInputElement): void {
  const items = itemsAround(field)
  if (!items) return
  for (const choice of choicesIn(items)) choice.hidden = !beginsWords(choice.textContent ?? '', field.value)
}

/** Takes the first choice that is left of what was typed. Returns whether there is one. */
function takeFirst(field: HTMLInputElement): boolean {
  const items = itemsAround(field)
  const first = items && field.value.trim() !== '' && choicesIn(items).find((choice) => !choice.hidden)
  if (!first) return false
  first.click()
  return true
}

const stopsIn = (items: HTMLElement) =>
  [...items.querySelectorAll<HTMLElement>(STOPS)].filter((stop) => stop.checkVisibility())

function moveAmong(items: HTMLElement, target: Element, by: 1 | -1): void {
  const stops = stopsIn(items)
  const at = stops.findIndex((stop) => stop === target)
  stops[(at + by + stops.length) % stops.length]?.focus()
}

/** The menu that letters are meant for: where a pointer opened it, not every browser gives it the focus. */
function itemsFor(target: EventTarget | null): HTMLElement | null {
  if (!(target instanceof Element) || isTyping(target)) return null
  const menu = target === document.body ? document.querySelector('main details.menu[open]') : target.closest('.menu')
  return menu?.matches('[open]') ? menu.querySelector<HTMLElement>('.menu-items') : null
}

/** Leads to what begins with the letters that were typed in a menu. */
class Letters {
  #typed = ''
  #typedAt = Number.NEGATIVE_INFINITY

  /** Returns whether the key is a character, which does nothing else while a menu is open. */
  take(event: KeyboardEvent, items: HTMLElement): boolean {
    const { key, timeStamp } = event
    if ([...key].length !== 1 || key === ' ') return false
    const field = items.querySelector<HTMLInputElement>(FIELD)
    if (field?.checkVisibility()) {
      // What has the focus once a key is down takes what it writes.
      field.focus()
      return true
    }
    event.preventDefault()
    if (!/[\p{L}\p{N}]/u.test(key)) return true
    const goesOn = timeStamp - this.#typedAt < ONE_WORD
    this.#typedAt = timeStamp
    this.#typed = goesOn ? this.#typed + key : key
    // One letter again and again goes through all that begin with it.
    if (!this.#lead(items, this.#typed, goesOn ? 0 : 1) && goesOn && this.#lead(items, key, 1)) this.#typed = key
    return true
  }

  #lead(items: HTMLElement, typed: string, from: 0 | 1): boolean {
    const stops = stopsIn(items)
    const at = stops.findIndex((stop) => stop === document.activeElement)
    const inTurn = at === -1 ? stops : [...stops.slice(at + from), ...stops.slice(0, at + from)]
    const found = inTurn.find((stop) => beginsWords(stop.textContent ?? '', typed))
    found?.focus()
    return found !== undefined
  }
}

export function startChoices(): void {
  const letters = new Letters()
  document.addEventListener('input', ({ target }) => {
    if (target instanceof HTMLInputElement && target.matches(FIELD)) find(target)
  })
  document.addEventListener('keydown', (event) => {
    const { target, key } = event
    const isHeld = event.ctrlKey || event.metaKey || event.altKey
    const open = isHeld || event.isComposing || event.defaultPrevented ? null : itemsFor(target)
    if (open && letters.take(event, open)) return void event.stopImmediatePropagation()
    const items = itemsAround(target)
    if (!items || !(target instanceof Element) || event.isComposing || event.defaultPrevented) return
    const step = key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : null
    // Days and times have arrows of their own.
    if (step !== null && !target.matches('input:not([data-find-choice])')) {
      event.preventDefault()
      moveAmong(items, target, step)
    }
    if (key === 'Enter' && target instanceof HTMLInputElement && target.matches(FIELD)) {
      // A field that only finds sends nothing.
      if (takeFirst(target) || target.matches('.find')) event.preventDefault()
    }
  })
  // What was looked for is over when the menu closes.
  document.addEventListener(
    'toggle',
    ({ target }) => {
      if (!(target instanceof HTMLDetailsElement) || target.open || !target.matches('.menu')) return
      for (const field of target.querySelectorAll<HTMLInputElement>(FIELD)) field.value = ''
      for (const choice of choicesIn(target)) choice.hidden = false
    },
    true,
  )
}
