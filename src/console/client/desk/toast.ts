/** Hides the toast when what it offers to undo can no longer be undone. */
export function hideToastInTime(): void {
  const said = document.querySelector<HTMLElement>('[data-said][data-seconds]')
  if (!said) return
  setTimeout(() => {
    const hadFocus = said.contains(document.activeElement)
    said.querySelector('form')?.remove()
    const flash = said.querySelector('.flash')
    if (flash) flash.textContent = ''
    if (hadFocus) document.getElementById('main')?.focus({ preventScroll: true })
  }, Number(said.dataset.seconds) * 1000)
}
