import { limitSize, limitTags, MAX_HTML, MAX_SAFE_HTML } from '../../lib/html/limits.ts'
import { htmlOfText, plainText, richHtml } from '../../lib/html/sanitise.ts'
import { cut, oneLine } from '../../lib/text/one-line.ts'

/** decisions §8, in characters. */
const MAX_EXCERPT = 200
/** The longest subject kept, in characters; mail has no limit of its own. */
export const MAX_SUBJECT = 500
const NO_SUBJECT = '(no subject)'
/** A character that shows: neither white space nor one that is never drawn, such as a zero-width space. */
const VISIBLE = /[^\s\p{Default_Ignorable_Code_Point}\u2800]/u

/** A message's two forms. */
export interface Content {
  html: string
  text: string
}

/**
 * The two forms of a message, each made from the other when it is missing (decisions §8): the HTML is sanitised, the
 * text has no control characters but line breaks and tabs. Throws `invalid_request`, naming `html` or `text`, for what is
 * longer than decisions §1 allows: whoever takes mail from strangers cuts it first. `images` says where the images of a
 * mail lie, by their Content-Ids.
 */
export function contentOf(
  input: { html?: string | null | undefined; text?: string | null | undefined },
  images?: ReadonlyMap<string, string>,
): Content {
  const sent = { html: input.html ?? '', text: input.text ?? '' }
  limitSize(sent.html, MAX_HTML, 'html')
  limitTags(sent.html, 'html')
  limitSize(sent.text, MAX_HTML, 'text')
  const given = cleanText(sent.text)
  const html = richHtml(cleanText(sent.html), 'html', images) || htmlOfText(given)
  const text = given.trim() === '' ? plainText(html) : given
  limitSize(html, MAX_SAFE_HTML, 'text', 'too_large_as_html')
  limitSize(text, MAX_SAFE_HTML, 'html', 'too_large_as_text')
  return { html, text }
}

/** Whether a reader would see nothing at all. */
export function isEmpty({ html, text }: Content): boolean {
  return !VISIBLE.test(text) && !html.includes('<img')
}

/** The start of a text in one line, of at most 200 characters, never half of one. */
export function excerptOf(text: string): string {
  return cut(oneLine(text), MAX_EXCERPT)
}

/** A subject in one line. Whatever a sender put into it, it cannot begin another header. */
export function subjectOf(text: string): string {
  return cut(oneLine(text), MAX_SUBJECT) || NO_SUBJECT
}

/** The subject of an answer; it says `Re:` once. */
export function replySubject(subject: string): string {
  return /^re\s*:/i.test(subject) ? subject : `Re: ${subject}`
}

/** The subject of what is forwarded; it says `Fwd:` once. */
export function forwardSubject(subject: string): string {
  return /^(?:fwd?|wg)\s*:/i.test(subject) ? subject : `Fwd: ${subject}`
}

function cleanText(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(/[\p{Cc}--[\n\t]]/gv, '')
}
