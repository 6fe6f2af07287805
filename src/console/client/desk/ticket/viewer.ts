/** Shows pictures of the thread large, above it: one after the other by keys or buttons. Their links lead to pages that do the same. */
export function startViewer(): void {
  let shown: HTMLElement | undefined
  const viewer = () => document.querySelector<HTMLDialogElement>('[data-viewer]')
  const show = (link: HTMLElement | undefined) => {
    const place = viewer()
    const picture = place?.querySelector('img')
    const download = place?.querySelector<HTMLAnchorElement>('figcaption a')
    const name = download?.querySelector('bdi')
    if (!link || !place || !picture || !download || !name) return
    shown = link
    name.textContent = picture.alt = link.querySelector('bdi')?.textContent ?? ''
    picture.src = download.href = link.dataset.picture ?? ''
    if (!place.open) place.showModal()
    const all = pictures()
    for (const button of place.querySelectorAll<HTMLButtonElement>('[data-step]')) {
      button.disabled = all[all.indexOf(link) + Number(button.dataset.step)] === undefined
    }
  }
  const step = (by: number) => {
    const all = pictures()
    if (shown) show(all[all.indexOf(shown) + by])
  }
  document.addEventListener('click', (event) => {
    const target = event.target instanceof Element ? event.target : null
    const isPlain = event.button === 0 && !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey)
    const link = target?.closest<HTMLElement>('[data-picture]')
    if (link && isPlain && viewer()) {
      event.preventDefault()
      show(link)
    }
    const by = target?.closest<HTMLElement>('[data-step]')?.dataset.step
    if (by) step(Number(by))
    // Beside the picture.
    if (target?.matches('[data-viewer]')) viewer()?.close()
  })
  document.addEventListener(
    'keydown',
    (event) => {
      if (!viewer()?.open) return
      // No other key does anything behind it.
      event.stopPropagation()
      if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return
      event.preventDefault()
      const isOn = (event.key === 'ArrowRight') === (document.documentElement.dir !== 'rtl')
      step(isOn ? 1 : -1)
    },
    { capture: true },
  )
}

const pictures = () => [...document.querySelectorAll<HTMLElement>('.thread [data-picture]')]
