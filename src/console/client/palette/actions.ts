/** Something that the page one is on can do. */
export interface Action {
  readonly text: string
  readonly detail: string
  /** The single key that does it, too. */
  readonly key: string
  run(): void
}

/** All that the page says it can do: by single keys, in its menus, and by its buttons. */
export function actionsOfPage(): Action[] {
  const all = [...keyed(), ...inMenus(), ...shown()]
  return all.filter(({ text }, at) => text !== '' && all.findIndex((one) => one.text === text) === at)
}

/** The sheet of keys names what they do. */
function keyed(): Action[] {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-shortcuts] dl > div')]
  return rows.flatMap((row) => {
    const [key, text] = ['kbd', 'dd'].map((part) => saidIn(row.querySelector(part)))
    if (!key || [...key].length !== 1 || !text) return []
    const press = () =>
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
    return [{ text, detail: '', key, run: press }]
  })
}

const CHOICE = 'a[href], button.choice'

function inMenus(): Action[] {
  const menus = [...document.querySelectorAll<HTMLDetailsElement>('main details.menu')]
  return menus
    .filter((menu) => menu.checkVisibility() && !menu.closest('.idle'))
    .flatMap((menu) => {
      const label = menu.querySelector('summary')?.title ?? ''
      return [...menu.querySelectorAll<HTMLElement>(CHOICE)]
        .filter((choice) => !choice.hasAttribute('aria-current') && !choice.hidden && !choice.closest('.confirm'))
        .map((choice) => ({ text: saidIn(choice), detail: label, key: '', run: () => choice.click() }))
    })
}

/** Buttons that need nothing filled in; what deletes asks first, and is not among them. */
function shown(): Action[] {
  const buttons = [...document.querySelectorAll<HTMLElement>('main :is(a[href], button):is(.primary, .secondary)')]
  return buttons
    .filter((button) => button.checkVisibility() && !button.closest('.menu, .confirm, .thread, dialog, [data-said]'))
    .filter((button) => !(button instanceof HTMLButtonElement && button.form?.querySelector(FIELD)))
    .map((button) => ({ text: saidIn(button), detail: '', key: '', run: () => button.click() }))
}

const FIELD = 'input:not([type="hidden"]), textarea, select'

function saidIn(element: Element | null): string {
  return (element?.textContent ?? '').replace(/\s+/g, ' ').trim()
}
