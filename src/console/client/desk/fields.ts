/* Fields and single keys: what is typed in one is text. */

/** Whether keys are text where the focus is. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target.isContentEditable || target.closest('[role="textbox"], textarea, select')) return true
  return target instanceof HTMLInputElement && !['checkbox', 'radio', 'button', 'submit'].includes(target.type)
}

/** Where the focus was when a key led into a field. */
let cameFrom: Element | null = null

/** Leads into a field by a key. */
export function enter(field: HTMLElement | null): void {
  const { activeElement } = document
  if (!isTyping(activeElement)) cameFrom = activeElement
  field?.focus()
}

/** Leaves a field for where a key led into it from: a row of the list, say. Else for the ticket, or the list. */
export function leave(): void {
  const title = document.querySelector<HTMLElement>('[data-pane="ticket"] h1')
  const isThere = cameFrom?.isConnected && cameFrom !== document.body && cameFrom.checkVisibility()
  const to = isThere ? (cameFrom as HTMLElement) : (title ?? document.querySelector<HTMLElement>('.tickets a'))
  if (to) to.focus({ preventScroll: true })
  else (document.activeElement as HTMLElement | null)?.blur()
}

/** Whether Escape leaves the field that the focus is in: a browser empties a search by it first. */
export function isLeft(field: EventTarget | null): boolean {
  if (!(field instanceof HTMLElement) || !isTyping(field)) return false
  if (field instanceof HTMLInputElement && field.id === 'search') return field.value === ''
  return field.closest('.composer') !== null && field === document.activeElement
}
