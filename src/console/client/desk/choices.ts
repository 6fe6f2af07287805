import { beginsWords } from '../palette/words.ts'

/*
 * Menus by keyboard: arrows go through what is in them, and where they have a field above their choices, what is typed
 * there leaves those whose words begin so, of which Enter takes the first. Menus may be put in anew while the page is open.
 */

const FIELD = 'input[data-find-choice]'
const STOPS = ':is(button, a[href], summary, input:not([type="hidden"]))'

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

function moveAmong(items: HTMLElement, target: Element, by: 1 | -1): void {
  const stops = [...items.querySelectorAll<HTMLElement>(STOPS)].filter((stop) => stop.checkVisibility())
  const at = stops.findIndex((stop) => stop === target)
  stops[(at + by + stops.length) % stops.length]?.focus()
}

export function startChoices(): void {
  document.addEventListener('input', ({ target }) => {
    if (target instanceof HTMLInputElement && target.matches(FIELD)) find(target)
  })
  document.addEventListener('keydown', (event) => {
    const { target, key } = event
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
