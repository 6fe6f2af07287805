/*
 * The list of the inbox where scripts run: what can be done with ticked tickets shows once some are, and all can be ticked
 * at once. It works without.
 */

const bar = document.querySelector<HTMLFormElement>('[data-bulk]')
if (bar) {
  const boxes = [...document.querySelectorAll<HTMLInputElement>('input[type="checkbox"][name="ticket"]')]
  const label = bar.querySelector<HTMLElement>('.all')
  const all = label?.querySelector('input')
  const text = label?.querySelector('span')
  const show = () => {
    const count = boxes.filter(({ checked }) => checked).length
    bar.classList.toggle('idle', count === 0)
    if (all) {
      all.checked = count === boxes.length
      all.indeterminate = count > 0 && count < boxes.length
    }
    if (text) {
      text.textContent = count === 0 ? (text.dataset.none ?? '') : (text.dataset.some ?? '').replace('%', String(count))
    }
  }
  all?.addEventListener('change', () => {
    for (const box of boxes) box.checked = all.checked
    show()
  })
  for (const box of boxes) box.addEventListener('change', show)
  // A browser may tick again what was ticked when the page was left.
  window.addEventListener('pageshow', show)
  if (label) label.hidden = false
  show()
}

// A module, so that its names are its own.
export {}
