/* Menus of the desk, which are details elements. */

/** A menu closes as people expect it: when something else is pressed. */
export function closeOthers(within: Element, target: EventTarget | null): void {
  for (const menu of within.querySelectorAll<HTMLDetailsElement>('details.menu[open]')) {
    if (target instanceof Node && !menu.contains(target)) menu.open = false
  }
}

/** What was chosen in a menu closes it, and no other that somebody has opened since. */
export function closeMenuOf(pressed: HTMLElement): void {
  const menu = pressed.closest<HTMLDetailsElement>('details.menu[open]')
  if (!menu) return
  if (menu.contains(document.activeElement)) menu.querySelector('summary')?.focus()
  menu.open = false
}
