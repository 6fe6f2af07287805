import { htmlOfText } from '../../lib/html.ts'

/** In text that was escaped: `&lt;`, `&gt;` and `&quot;` end an address as spaces do. */
const ADDRESS = /https?:\/\/(?:(?!&(?:lt|gt|quot);)[^\s<>])+/gi
/** What closes the sentence around an address. */
const CLOSING = new Set(".,;:!?)]'")

/** What somebody typed, as HTML: paragraphs, line breaks, and addresses as links. Operations sanitise it once more. */
export function writtenHtml(text: string): string {
  return htmlOfText(text).replace(ADDRESS, (found) => {
    let end = found.length
    while (CLOSING.has(found.charAt(end - 1))) end -= 1
    const address = found.slice(0, end)
    return `<a href="${address}">${address}</a>${found.slice(end)}`
  })
}
