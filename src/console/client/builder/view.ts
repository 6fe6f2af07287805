/* How the builder is looked at. */

/** The outline scrolls by itself where there is room beside it; then it begins with what is worked on. */
export function scrollToCurrent(root: HTMLElement): void {
  const outline = root.querySelector<HTMLElement>('[data-part="outline"]')
  const current = outline?.querySelector<HTMLElement>('[aria-current]')
  if (outline && current) outline.scrollTop = current.offsetTop - outline.clientHeight / 3
}

/** Whether the preview is that of a phone is a matter of taste, which browsers remember. */
export function rememberSize(root: HTMLElement): void {
  const wide = root.querySelector<HTMLInputElement>('#size-wide')
  if (!wide) return
  try {
    wide.checked = localStorage.getItem('frontdesk preview') === 'wide'
    root.querySelector('.sizes')?.addEventListener('change', () => {
      localStorage.setItem('frontdesk preview', wide.checked ? 'wide' : 'phone')
    })
  } catch {
    // Not allowed: it begins as a phone each time.
  }
}
