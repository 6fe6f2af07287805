/** Where the account page speaks of notifications, says whether this browser shows them, and has it asked. */
export function askForNotifications(): void {
  const place = document.querySelector<HTMLElement>('[data-notifications]')
  const [button, status] = [place?.querySelector('button'), place?.querySelector('p')]
  if (!place || !button || !status) return
  const show = () => {
    // Pages that come over plain HTTP have none.
    const permission = 'Notification' in window && isSecureContext ? Notification.permission : 'unable'
    button.hidden = permission !== 'default'
    status.textContent = place.dataset[permission] ?? ''
  }
  button.addEventListener('click', async () => {
    await Notification.requestPermission()
    show()
  })
  show()
  place.hidden = false
}
