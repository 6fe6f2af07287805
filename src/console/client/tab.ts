/** On a phone the tabs are one row that scrolls: the one that is shown stands in its middle, as far as the row goes. */
export function showTab(): void {
  const tab = document.querySelector('.tabs [aria-current]')
  const row = tab?.closest('ul')
  if (!tab || !row) return
  const [own, whole] = [tab.getBoundingClientRect(), row.getBoundingClientRect()]
  row.scrollLeft += own.left + own.width / 2 - whole.left - whole.width / 2
}
