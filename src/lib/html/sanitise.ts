import type { Attributes, IOptions, Tag } from 'sanitize-html'
import { deferred } from '../deferred.ts'
import { limitSize, MAX_SAFE_HTML } from './limits.ts'

const sanitizer = deferred(() => require('sanitize-html') as typeof import('sanitize-html'))
const htmlToText = deferred(() => require('html-to-text') as typeof import('html-to-text'))

/** Elements nested deeper than this are unwrapped, so that nobody who reads the result meets a tower of tags. */
const MAX_DEPTH = 40

const INLINE_TAGS = ['a', 'b', 'br', 'code', 'em', 'i', 's', 'span', 'strong', 'sub', 'sup', 'u']
const SIMPLE_TAGS = [...INLINE_TAGS, 'blockquote', 'li', 'ol', 'p', 'ul']
const RICH_TAGS = [
  ...SIMPLE_TAGS,
  ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'hr', 'pre', 'div', 'dl', 'dt', 'dd', 'del', 'ins', 'mark', 'small', 'img'],
  ...['table', 'caption', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td'],
]

/** What stands in lines of its own: without a mark the words of two of them would be one. */
const BLOCKS = [
  ...['address', 'article', 'aside', 'center', 'details', 'fieldset', 'figcaption', 'figure', 'footer', 'form'],
  ...['header', 'main', 'nav', 'section', 'summary'],
]
const AS_DIV = Object.fromEntries(BLOCKS.map((name) => [name, () => ({ tagName: 'div', attribs: {} })]))

const LINK_ADDRESS = /^(?:https?:\/\/|mailto:)/i
// SVG is left out on purpose: it is a document that can hold scripts, not a picture.
const IMAGE_ADDRESS =
  /^(?:https:\/\/|cid:|\/v1\/attachments\/[0-9a-f-]{36}$|data:image\/(?:png|jpeg|gif|webp);base64,[a-z0-9+/=]*$)/i

const COMMON: IOptions = {
  disallowedTagsMode: 'discard',
  allowedSchemes: ['http', 'https', 'mailto'],
  allowProtocolRelative: false,
  nestingLimit: MAX_DEPTH,
  // What is no part of what people read: the title of a mail's HTML, besides the library's own list.
  nonTextTags: ['script', 'style', 'textarea', 'option', 'title'],
}

const SIMPLE: IOptions = {
  ...COMMON,
  allowedTags: SIMPLE_TAGS,
  allowedAttributes: { a: ['href', 'rel', 'target'] },
  transformTags: { a: safeLink },
}

const RICH: IOptions = {
  ...COMMON,
  allowedTags: RICH_TAGS,
  allowedAttributes: {
    a: ['href', 'rel', 'target', 'title'],
    img: ['src', 'alt', 'title', 'width', 'height'],
    td: ['colspan', 'rowspan', 'align', 'valign'],
    th: ['colspan', 'rowspan', 'align', 'valign', 'scope'],
  },
  allowedSchemesByTag: { img: ['https', 'cid', 'data'] },
  transformTags: { ...AS_DIV, a: safeLink, img: safeImage },
  exclusiveFilter: (frame) => frame.tag === 'img' && !frame.attribs.src,
}

/** The longest page of an article, in bytes: its content is at most 1 MiB, and marks take more room as HTML. */
const MAX_ARTICLE = 4 * 1024 * 1024
/** Another article of the same source, by its slug, and a place in it. */
const ARTICLE_ADDRESS = /^[A-Za-z0-9\-._~]{1,200}$/

/** A picture of an article, which its help centre serves. */
const ARTICLE_IMAGE = /^\/help\/[0-9a-f-]{36}\/images\/[0-9a-f-]{36}$/

const ARTICLE: IOptions = {
  ...RICH,
  allowedSchemesByTag: { img: ['https', 'data'] },
  transformTags: { ...AS_DIV, a: articleLink, img: articleImage },
}

/**
 * The simple HTML of question texts, page titles and form descriptions (decisions §5): inline marks, paragraphs,
 * lists, quotes and links to http, https and mailto addresses. No styles, classes, images or anything that runs.
 * Safe to put into a page as it is; doing it twice changes nothing. Throws `invalid` for what would get longer than
 * 512 KiB. What it costs follows from how much it is given, which is the caller's to bound (`html-limits.ts`).
 */
export function simpleHtml(html: string, place = 'html'): string {
  return sanitise(html, SIMPLE, place)
}

/**
 * The HTML of messages (decisions §8): all of `simpleHtml`, headings, tables and raster images from https, cid or data
 * addresses, or that are attachments of ours. No styles, forms, frames or scripts. `images` says where the parts of a
 * mail lie, by their Content-Ids: other images with cid addresses go. Otherwise as `simpleHtml`.
 */
export function richHtml(html: string, place = 'html', images?: ReadonlyMap<string, string>): string {
  if (!images) return sanitise(html, RICH, place)
  const img = (tagName: string, attributes: Attributes) => safeImage(tagName, withPlace(attributes, images))
  return sanitise(html, { ...RICH, transformTags: { ...RICH.transformTags, img } }, place)
}

/** RFC 2392: the address of a part is its Content-Id, percent-encoded. */
function withPlace(attributes: Attributes, images: ReadonlyMap<string, string>): Attributes {
  const address = attributes.src?.trim() ?? ''
  if (!/^cid:/i.test(address)) return attributes
  const id = address.slice('cid:'.length)
  return { ...attributes, src: images.get(id) ?? images.get(decoded(id)) ?? '' }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/**
 * The HTML of articles' pages: all of `richHtml`, and links to other articles of the same source
 * (`refunds`). Pictures are from https and data addresses, or the help centre's own. Throws `invalid` for what would get longer than 4 MiB.
 */
export function articleHtml(html: string): string {
  return sanitise(html, ARTICLE, 'content', MAX_ARTICLE)
}

/** What a person would read in `html`: lines for paragraphs and list items, addresses in brackets after links. */
export function plainText(html: string): string {
  return toText()(html.replace(INHERITED_NAMES, '$1x-'))
}

/** Plain text as HTML that reads the same: paragraphs at blank lines, breaks at the others. */
export function htmlOfText(text: string): string {
  return text
    .trim()
    .split(/\n[^\S\n]*\n\s*/)
    .filter(Boolean)
    .map((paragraph) => `<p>${Bun.escapeHTML(paragraph).replaceAll('\n', '<br />')}</p>`)
    .join('')
}

/** Tags that html-to-text mistakes for members of its own table, and fails. */
const INHERITED_NAMES = /(<\/?)(?=constructor\b|__proto__\b)/gi

const toText = deferred(() =>
  htmlToText().compile({
    wordwrap: false,
    limits: { maxDepth: MAX_DEPTH * 2 },
    formatters: {
      cell(cell, walk, builder) {
        walk(cell.children, builder)
        builder.addInline(' ')
      },
    },
    selectors: [
      { selector: 'a', options: { hideLinkHrefIfSameAsText: true, ignoreHref: false } },
      { selector: 'img', format: 'skip' },
      ...['td', 'th'].map((selector) => ({ selector, format: 'cell' })),
      ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, options: { uppercase: false } })),
    ],
  }),
)

/** Sanitises until nothing changes: dropping one thing can let the parser see another. */
function sanitise(html: string, options: IOptions, place: string, max = MAX_SAFE_HTML): string {
  // Most question texts are plain: the sanitiser would give them back as they are.
  if (!/[<>&]/.test(html)) return html
  const sanitizeHtml = sanitizer()
  let before = html
  for (let round = 0; round < 5; round += 1) {
    const after = bounded(sanitizeHtml(before, options), place, max)
    if (after === before) return after
    before = after
  }
  return bounded(sanitizeHtml(before, { allowedTags: [], disallowedTagsMode: 'escape' }), place, max)
}

function bounded(html: string, place: string, max: number): string {
  limitSize(html, max, place, 'too_large_sanitised')
  return html
}

function safeLink(tagName: string, { href = '', target, title }: Attributes): Tag {
  const address = href.trim()
  if (!LINK_ADDRESS.test(address)) return { tagName, attribs: {} }
  const attribs: Attributes = { href: address, rel: 'noopener noreferrer nofollow' }
  if (target === '_blank') attribs.target = target
  if (title) attribs.title = title
  return { tagName, attribs }
}

function articleLink(tagName: string, attributes: Attributes): Tag {
  const href = attributes.href?.trim() ?? ''
  return ARTICLE_ADDRESS.test(href) ? { tagName, attribs: { href } } : safeLink(tagName, attributes)
}

function articleImage(tagName: string, attributes: Attributes): Tag {
  const src = attributes.src?.trim() ?? ''
  return ARTICLE_IMAGE.test(src) ? { tagName, attribs: { ...attributes, src } } : safeImage(tagName, attributes)
}

function safeImage(tagName: string, attributes: Attributes): Tag {
  const src = attributes.src?.trim()
  if (!src || !IMAGE_ADDRESS.test(src)) return { tagName, attribs: {} }
  return { tagName, attribs: { ...attributes, src } }
}
