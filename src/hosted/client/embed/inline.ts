import { formFrame } from './frame.ts'

/** Puts the form in the place of the script; in a page's head nothing shows, so there it comes first on the page. */
export function inline(script: HTMLScriptElement, address: URL): void {
  const { frame } = formFrame(script, address, { scroll: ({ top }) => show(Number(top)) })
  if (script.closest('head')) addEventListener('DOMContentLoaded', () => document.body.prepend(frame))
  else script.after(frame)

  /** Scrolls to a place in the frame, counted from its top, unless it can be seen in the upper half of the window. */
  function show(top: number): void {
    if (!(top >= 0 && top <= frame.offsetHeight)) return
    const place = frame.getBoundingClientRect().top + top
    if (place >= 0 && place < innerHeight / 2) return
    // Whatever it is that scrolls around the frame.
    frame.style.scrollMarginTop = `${-top}px`
    frame.scrollIntoView()
  }
}
