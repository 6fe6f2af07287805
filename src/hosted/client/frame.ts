/* A form on another site lives in a frame as tall as its content: only the page around it can scroll (`embed.ts`). */

const isFramed = window.parent !== window

function tell(
  message: { frontdesk: 'height'; height: number; title: string } | { frontdesk: 'scroll'; top: number },
): void {
  window.parent.postMessage(message, '*')
}

/** The frame grows with the form, and is called what it is called. */
export function tellHeight(): void {
  if (!isFramed) return
  document.documentElement.classList.add('embedded')
  const size = () => tell({ frontdesk: 'height', height: document.body.offsetHeight, title: document.title })
  new ResizeObserver(size).observe(document.body)
}

/** Brings the start of an element into view, or of the page. */
export function bringIntoView(element: HTMLElement | null): void {
  if (element) element.scrollIntoView({ block: 'start' })
  else scrollTo(0, 0)
  if (isFramed) tell({ frontdesk: 'scroll', top: element ? element.getBoundingClientRect().top + scrollY : 0 })
}

/** Goes on to the page that the form's owner wants to come next, which is told the response: from a frame, with all around it. */
export function leaveFor(redirect: string, response: string): void {
  const address = new URL(redirect)
  address.searchParams.set('response', response)
  window.open(address, '_top')
}
