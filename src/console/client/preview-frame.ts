/**
 * Shows another page in the preview of a form: the next one takes the place of the one that is looked at when it is there,
 * and browsers remember neither. `preview` has one frame that is looked at.
 */
export function showInPreview(preview: ParentNode, address: string): void {
  const shown = preview.querySelector<HTMLIFrameElement>('iframe:not(.waiting)')
  const waiting = preview.querySelector<HTMLIFrameElement>('iframe.waiting')
  if (!shown || (waiting ?? shown).getAttribute('src') === address) return
  waiting?.remove()
  if (shown.getAttribute('src') === address) return
  const next = shown.cloneNode() as HTMLIFrameElement
  next.className = 'waiting'
  next.src = address
  next.addEventListener('load', () => {
    if (!next.isConnected) return
    shown.remove()
    next.className = ''
  })
  shown.after(next)
}
