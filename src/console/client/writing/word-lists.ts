/**
 * Word writes the items of a list as paragraphs, each with its bullet or number as text. Makes lists of them; what does not
 * come from Word stays as it is.
 */
export function withLists(pasted: string): string {
  if (!/mso-list\s*:/i.test(pasted)) return pasted
  const { body } = new DOMParser().parseFromString(pasted, 'text/html')
  let list = null as HTMLElement | null
  for (const item of body.querySelectorAll<HTMLElement>('[style*="mso-list:"]')) {
    if (/mso-list:\s*Ignore/i.test(item.getAttribute('style') ?? '')) continue
    const marker = item.querySelector('[style*="mso-list:Ignore"]')
    const kind = /^\s*[\da-z]{1,3}[.)]/i.test(marker?.textContent ?? '') ? 'ol' : 'ul'
    marker?.remove()
    if (list?.localName !== kind || list.nextElementSibling !== item) {
      list = body.ownerDocument.createElement(kind)
      item.before(list)
    }
    const entry = body.ownerDocument.createElement('li')
    entry.append(...item.childNodes)
    list.append(entry)
    item.remove()
  }
  return body.innerHTML
}
