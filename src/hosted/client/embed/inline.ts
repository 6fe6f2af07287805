import { AROUND } from './around.ts'
import { formFrame } from './frame.ts'
import { schemeAround } from './surroundings.ts'

/** Puts the form in the place of the script; in a page's head nothing shows, so there it comes first on the page. */
export function inline(script: HTMLScriptElement, address: URL): void {
  const { frame } = formFrame(script, address, { scroll: ({ top }) => show(Number(top)), height: insist })
  insist()
  if (script.closest('head'))
    addEventListener('DOMContentLoaded', () => place(document.body, () => document.body.prepend(frame)))
  else place(script, () => script.after(frame))

  /** The frame loads once it stands somewhere. A frame that is light or dark as its page is can be seen through. */
  function place(around: Element, put: () => void): void {
    const scheme = schemeAround(around)
    address.searchParams.set(AROUND, scheme)
    frame.src = address.href
    frame.style.colorScheme = scheme
    put()
  }

  /** Many sites size every frame as they would a film: a form would have to be scrolled in a part of the page. */
  function insist(): void {
    frame.style.setProperty('height', frame.style.height, 'important')
    frame.style.setProperty('min-height', '0', 'important')
    frame.style.setProperty('max-height', 'none', 'important')
  }

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
