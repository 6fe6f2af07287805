import { create, createLink } from './dom.ts'
import { say } from './words.ts'

/*
 * What an agent wrote, as elements. The service has sanitised it, and the page's policy lets nothing run; here once more
 * only what is known to be text gets through.
 */

const TAGS = new Set(
  (
    'A B BR CODE EM I S SPAN STRONG SUB SUP U BLOCKQUOTE LI OL P UL HR PRE DIV DL DT DD DEL INS MARK ' +
    'SMALL TABLE CAPTION THEAD TBODY TFOOT TR TH TD'
  ).split(' '),
)
/** What has no text to keep. */
const DROPPED = /^(?:SCRIPT|STYLE|TEMPLATE|TITLE|NOSCRIPT|IFRAME|OBJECT|TEXTAREA|SVG|MATH)$/i
const ADDRESS = /https?:\/\/[^\s<>"']+[^\s<>"'.,;:!?)\]]/g
const MAX_DEPTH = 60

/** The HTML of a message. */
export function contentOf(html: string): DocumentFragment {
  const fragment = document.createDocumentFragment()
  copy(new DOMParser().parseFromString(html, 'text/html').body, fragment, 0)
  return fragment
}

function copy(from: Node, to: Node, depth: number): void {
  for (const node of from.childNodes) {
    if (node instanceof Text) to.appendChild(isInLink(to) ? document.createTextNode(node.data) : linked(node.data))
    if (!(node instanceof Element) || DROPPED.test(node.tagName)) continue
    const element = depth < MAX_DEPTH ? known(node) : null
    if (element) to.appendChild(element)
    copy(node, element ?? to, depth + 1)
  }
}

function isInLink(node: Node): boolean {
  return node instanceof Element && node.closest('a') !== null
}

/** An element like it that is safe; null for one whose content stands by itself. */
function known(node: Element): HTMLElement | null {
  const { tagName } = node
  if (tagName === 'A') return createLink('', node.getAttribute('href') ?? '')
  if (tagName === 'IMG') return picture(node.getAttribute('src') ?? '', node.getAttribute('alt') || say('picture'))
  // The headings of the page are those of the chat.
  if (/^H[1-6]$/.test(tagName)) return create('p', 'heading')
  if (!TAGS.has(tagName)) return null
  const element = document.createElement(tagName)
  for (const span of ['colspan', 'rowspan']) {
    const value = node.getAttribute(span)
    if (value && /^\d{1,2}$/.test(value)) element.setAttribute(span, value)
  }
  return element
}

/** Pictures from elsewhere are linked to: to load one would tell its site who reads this. */
function picture(source: string, text: string): HTMLElement | null {
  if (/^data:image\/(?:png|jpeg|gif|webp);base64,/.test(source)) {
    const image = create('img', '')
    image.src = source
    image.alt = text
    return image
  }
  // Ours stand below as files.
  if (/^\/chat\/[^/]+\/attachments\//.test(source)) return null
  return /^https?:/i.test(source) ? createLink('', source, text) : create('span', '', text)
}

/** Plain text, with its addresses as links. */
export function linked(text: string): DocumentFragment {
  const fragment = document.createDocumentFragment()
  let at = 0
  for (const { 0: address, index } of text.matchAll(ADDRESS)) {
    fragment.append(text.slice(at, index), createLink('', address, address))
    at = index + address.length
  }
  fragment.append(text.slice(at))
  return fragment
}
