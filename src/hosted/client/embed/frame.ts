import type { FrameMessage } from '../tools/frame.ts'

type Told = { [K in FrameMessage['frontdesk']]: Extract<FrameMessage, { frontdesk: K }> }

/** What is done on a message of the form, beside what every frame does. */
type Hear = { readonly [K in FrameMessage['frontdesk']]?: (message: Told[K]) => void }

/** A frame with a form, which grows with it and tells of it on the script element. It loads once it is in the page. */
export function formFrame(script: HTMLScriptElement, address: URL, hear: Hear = {}) {
  const frame = document.createElement('iframe')
  frame.src = address.href
  frame.title = script.dataset.title ?? 'Form'
  // Sites that forbid styles in their HTML allow them to be set.
  Object.assign(frame.style, { width: '100%', height: '600px', border: '0', display: 'block', colorScheme: 'normal' })

  const announce = (name: string, detail: object | null = null) =>
    script.dispatchEvent(new CustomEvent(`frontdesk:${name}`, { bubbles: true, detail }))

  const always: Hear = {
    ready: () => announce('ready'),
    page: ({ page, count }) => announce('page', { page: Number(page), count: Number(count) }),
    complete: () => announce('complete'),
    height({ height, title }) {
      if (height > 0) frame.style.height = `${Math.ceil(height)}px`
      // The form's own title is in the form's language.
      frame.title = script.dataset.title ?? String(title)
    },
  }

  window.addEventListener('message', ({ source, origin, data }) => {
    if (source !== frame.contentWindow || origin !== address.origin) return
    for (const heard of [always, hear]) {
      const name = data?.frontdesk as FrameMessage['frontdesk']
      if (Object.hasOwn(heard, name)) (heard[name] as (message: FrameMessage) => void)(data)
    }
  })

  return { frame }
}
