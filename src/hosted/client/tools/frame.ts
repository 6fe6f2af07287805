import { say } from './words.ts'

/* A form on another site lives in a frame: the page around it is told what it needs, and never an answer (`embed.ts`). */

/** What a frame tells the page around it. */
export type FrameMessage =
  /** The form can be filled in: what a dialog around it looks like, and calls its button in the form's language. */
  | { frontdesk: 'ready'; close: string; background: string; color: string }
  | { frontdesk: 'height'; height: number; title: string }
  | { frontdesk: 'scroll'; top: number }
  /** What shows now, counted from 1. */
  | { frontdesk: 'page'; page: number; count: number }
  | { frontdesk: 'complete' }
  | { frontdesk: 'escape' }

const isFramed = window.parent !== window

/** Tells the page around a framed form. */
export function post(message: FrameMessage): void {
  if (isFramed) window.parent.postMessage(message, '*')
}

/** The frame grows with the form, is called what it is called, and lets the page around it know of Escape. */
export function announceReady(): void {
  if (!isFramed) return
  document.documentElement.classList.add('embedded')
  const size = () => post({ frontdesk: 'height', height: document.body.offsetHeight, title: document.title })
  new ResizeObserver(size).observe(document.body)
  document.addEventListener('keydown', ({ key, defaultPrevented }) => {
    if (key === 'Escape' && !defaultPrevented) post({ frontdesk: 'escape' })
  })
  const look = getComputedStyle(document.documentElement)
  const [background, color] = [look.getPropertyValue('--card'), look.getPropertyValue('--text')]
  post({ frontdesk: 'ready', close: say('close'), background, color })
}

/** Brings the start of an element into view, or of the page. */
export function bringIntoView(element: HTMLElement | null): void {
  if (element) element.scrollIntoView({ block: 'start' })
  else scrollTo(0, 0)
  post({ frontdesk: 'scroll', top: element ? element.getBoundingClientRect().top + scrollY : 0 })
}

/** Goes on to the page that the form's owner wants to come next, which is told the response: from a frame, with all around it. */
export function leaveFor(redirect: string, response: string): void {
  const address = new URL(redirect)
  address.searchParams.set('response', response)
  window.open(address, '_top')
}
