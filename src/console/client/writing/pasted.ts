import DOMPurify from 'dompurify'
import { withLists } from './word-lists.ts'

/** What an editor may hold; the server has the last word. */
export interface Allowed {
  readonly tags: readonly string[]
  readonly attributes: readonly string[]
  readonly links: RegExp
  /** Images from elsewhere tell their owner that somebody looks at them. */
  readonly images: RegExp
}

/** What an answer may hold; images are those of its ticket. */
export const inAnswers: Allowed = {
  tags: [
    ...[
      'a',
      'b',
      'strong',
      'i',
      'em',
      'u',
      's',
      'del',
      'br',
      'p',
      'div',
      'ul',
      'ol',
      'li',
      'blockquote',
      'pre',
      'code',
    ],
    ...['h1', 'h2', 'h3', 'h4', 'img', 'table', 'thead', 'tbody', 'tr', 'th', 'td'],
  ],
  attributes: ['href', 'src', 'alt', 'colspan', 'rowspan'],
  links: /^(?:https?:\/\/|mailto:|\/)/i,
  images: /^\/[^?#]*console\/attachments\/[0-9a-f-]{36}$/,
}

/** HTML from wherever, as an editor can hold it: without styles, scripts and what else it was dressed in. */
export function cleaned(html: string, { tags, attributes, links, images }: Allowed = inAnswers): DocumentFragment {
  const fragment = DOMPurify.sanitize(withLists(html), {
    ALLOWED_TAGS: [...tags],
    ALLOWED_ATTR: [...attributes],
    ALLOWED_URI_REGEXP: links,
    RETURN_DOM_FRAGMENT: true,
  })
  for (const image of fragment.querySelectorAll('img'))
    if (!images.test(image.getAttribute('src') ?? '')) image.remove()
  for (const link of fragment.querySelectorAll('a:not([href])')) link.replaceWith(...link.childNodes)
  return document.importNode(fragment, true)
}
