/*
 * What follows from a choice in a condition: how it can compare, and with what. The server has written it, and here it takes
 * the place of what was chosen in.
 */

/** Puts conditions that consist of other parts than those shown in their place. The focus stays where it was. */
export function followChoices(pane: HTMLElement, next: HTMLElement): void {
  const [shown, other] = [pane, next].map((one) => one.querySelector<HTMLElement>('[data-logic]'))
  if (!shown || !other || shown.dataset.logic === other.dataset.logic) return
  const count = (logic: HTMLElement) => logic.querySelectorAll('.logic-row').length
  const [before, now] = [count(shown), count(other)]
  const focused = shown.contains(document.activeElement) ? document.activeElement : null
  shown.replaceWith(document.importNode(other, true))
  const logic = pane.querySelector<HTMLElement>('[data-logic]')
  if (!focused || !logic) return
  // A new condition is gone on with; after one that was taken out, what adds another.
  const added =
    now > before ? logic.querySelectorAll<HTMLElement>('.logic-row')[now - 1]?.querySelector('select') : null
  const same = focused.id ? logic.querySelector<HTMLElement>(`#${CSS.escape(focused.id)}`) : null
  ;(added ?? same ?? logic.querySelector<HTMLElement>('[data-more]'))?.focus()
}
