/*
 * `<script src="https://…/embed.js" data-form="CODE"></script>` puts a hosted form in the place of the script, in a
 * frame that grows with it.
 */
const script = document.currentScript as HTMLScriptElement | null
const code = script?.dataset.form
if (script && code) {
  const address = new URL(`f/${encodeURIComponent(code)}`, script.src)
  const frame = document.createElement('iframe')
  frame.src = address.href
  frame.title = script.dataset.title ?? 'Form'
  Object.assign(frame.style, { width: '100%', height: '600px', border: '0', display: 'block', colorScheme: 'normal' })
  window.addEventListener('message', ({ source, origin, data }) => {
    if (source !== frame.contentWindow || origin !== address.origin) return
    if (data?.frontdesk === 'height') {
      grow(Number(data.height))
      // The form's own title is in the form's language.
      frame.title = script.dataset.title ?? String(data.title)
    }
    if (data?.frontdesk === 'scroll') show(Number(data.top))
  })
  // Nothing shows in a page's head.
  if (script.closest('head')) addEventListener('DOMContentLoaded', () => document.body.prepend(frame))
  else script.after(frame)

  function grow(height: number): void {
    if (height > 0) frame.style.height = `${Math.ceil(height)}px`
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

export {}
