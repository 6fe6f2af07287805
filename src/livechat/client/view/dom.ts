export { all, one } from '../../../hosted/client/tools/dom.ts'

/** An element with a class, and what is in it; text stays text. */
export function create<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  className: string,
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag)
  element.className = className
  element.append(...children)
  return element
}

/** A button that does one thing. */
export function createButton(className: string, text: string, onClick: () => void): HTMLButtonElement {
  const button = create('button', className, text)
  button.type = 'button'
  button.addEventListener('click', onClick)
  return button
}

/** A link to a page of the web, which opens beside the chat; the text alone where it leads elsewhere. */
export function createLink(className: string, address: string, ...children: (Node | string)[]): HTMLElement {
  const target = webAddress(address)
  if (target === null) return create('span', className, ...children)
  const link = create('a', className, ...children)
  link.href = target
  link.target = '_blank'
  link.rel = 'noopener'
  return link
}

/** An address that may be gone to from here, or null. */
function webAddress(address: string): string | null {
  try {
    const url = new URL(address, location.href)
    return /^(?:https?|mailto):$/.test(url.protocol) ? url.href : null
  } catch {
    return null
  }
}
