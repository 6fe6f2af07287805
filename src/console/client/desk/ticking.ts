/*
 * Ticking tickets: what can be done with them shows once some are ticked, and all can be ticked at once. The list may be
 * put in anew while the page is open.
 */

const boxes = () => [...document.querySelectorAll<HTMLInputElement>('.tickets input[name="ticket"]')]

/** How many tickets are ticked. */
export function countTicked(): number {
  return boxes().filter(({ checked }) => checked).length
}

/** Shows what can be done with what is ticked now. */
export function showTicked(): void {
  const bar = document.querySelector<HTMLFormElement>('[data-bulk]')
  const label = bar?.querySelector<HTMLElement>('.all')
  const all = label?.querySelector('input')
  const text = label?.querySelector('span')
  if (!bar || !label || !all || !text) return
  label.hidden = false
  const count = countTicked()
  bar.classList.toggle('idle', count === 0)
  all.checked = count > 0 && count === boxes().length
  all.indeterminate = count > 0 && !all.checked
  text.textContent = count === 0 ? (text.dataset.none ?? '') : (text.dataset.some ?? '').replace('%', String(count))
}

export function untickAll(): void {
  for (const box of boxes()) box.checked = false
  showTicked()
}

export function startTicking(): void {
  document.addEventListener('change', ({ target }) => {
    if (target instanceof HTMLInputElement && target.matches('[data-bulk] .all input'))
      for (const box of boxes()) box.checked = target.checked
    showTicked()
  })
  // A browser may tick again what was ticked when the page was left.
  window.addEventListener('pageshow', showTicked)
  showTicked()
}
