/*
 * The list of the inbox where scripts run: what can be done with ticked tickets shows once some are, and all can be ticked
 * at once. It works without. The list may be put in anew while the page is open.
 */

const bar = document.querySelector<HTMLFormElement>('[data-bulk]')
const label = bar?.querySelector<HTMLElement>('.all')
const all = label?.querySelector('input')
const text = label?.querySelector('span')

const boxes = () => [...document.querySelectorAll<HTMLInputElement>('.tickets input[name="ticket"]')]

function show(): void {
  if (!bar || !all || !text) return
  const count = boxes().filter(({ checked }) => checked).length
  bar.classList.toggle('idle', count === 0)
  all.checked = count > 0 && count === boxes().length
  all.indeterminate = count > 0 && !all.checked
  text.textContent = count === 0 ? (text.dataset.none ?? '') : (text.dataset.some ?? '').replace('%', String(count))
}

all?.addEventListener('change', () => {
  for (const box of boxes()) box.checked = all.checked
})
document.addEventListener('change', show)
// A browser may tick again what was ticked when the page was left.
window.addEventListener('pageshow', show)
if (label) label.hidden = false
show()

// A module, so that its names are its own.
export {}
