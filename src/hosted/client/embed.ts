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
    if (source !== frame.contentWindow || origin !== address.origin || data?.frontdesk !== 'height') return
    const height = Number(data.height)
    if (height > 0) frame.style.height = `${Math.ceil(height)}px`
  })
  // Nothing shows in a page's head.
  if (script.closest('head')) addEventListener('DOMContentLoaded', () => document.body.prepend(frame))
  else script.after(frame)
}

export {}
