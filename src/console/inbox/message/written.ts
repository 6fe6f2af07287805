import { htmlOfText } from '../../../lib/html/sanitise.ts'

/** In text that was escaped: marks and quotes that were end an address as spaces do. */
const ADDRESS = /https?:\/\/(?:(?!&(?:lt|gt|quot|nbsp|#x27|#39);)[^\s<>"])+/gi
/** What was one character before it was escaped. */
const ESCAPED = /&[a-z]{2,8};$/
/** What closes the sentence around an address. */
const CLOSING = new Set(".,;:!?)]'")

/** What somebody typed, as HTML: paragraphs, line breaks, and addresses as links. Operations sanitise it once more. */
export function writtenHtml(text: string): string {
  return linked(htmlOfText(text), '')
}

/** Text that was escaped, with the addresses in it as links, which have these attributes. */
export function linked(escaped: string, attributes: string): string {
  return escaped.replace(ADDRESS, (found) => {
    let end = found.length
    while (CLOSING.has(found.charAt(end - 1)) && !ESCAPED.test(found.slice(Math.max(0, end - 10), end))) end -= 1
    const address = found.slice(0, end)
    return `<a href="${address}"${attributes}>${address}</a>${found.slice(end)}`
  })
}
