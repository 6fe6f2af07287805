/** What can be taken back for some seconds is said for as long. */
export function forgetSaidInTime(): void {
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
