/** Where the server has to know the reader's own zone, which only their browser does: forms say it, and so does their text. */
export function showZone(within: ParentNode): void {
  const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone
  if (!zone) return
  for (const field of within.querySelectorAll<HTMLInputElement>('input[data-zone]')) field.value = zone
  for (const place of within.querySelectorAll<HTMLElement>('[data-zone-text]'))
    place.textContent = (place.dataset.zoneText ?? '').replace('%', zone)
}
