import { Parser } from 'htmlparser2'

/** What mail programs put around the mail that is answered, around signatures and what is not shown: it is skipped. */
const QUOTES: readonly ((name: string, attributes: Attributes) => boolean)[] = [
  (name, { type }) => name === 'blockquote' && type?.toLowerCase() === 'cite',
  (_, { class: classes = '' }) =>
    /(?:^|\s)(?:gmail_(?:quote|attr|extra|signature)|yahoo_quoted|protonmail_(?:quote|signature_block)|moz-(?:cite-prefix|signature)|tutanota_quote|zmail_extra|AppleOriginalContents)(?:_container)?(?:\s|$)/i.test(
      classes,
    ),
  (_, { id = '' }) =>
    /^(?:x_)*(?:Signature|OLK_SRC_BODY_SECTION|mail-editor-reference-message-container|ms-outlook-mobile-signature)$/i.test(
      id,
    ),
  // GMX and WEB.DE.
  (_, { name }) => name === 'quote',
  // What shops and banks put above the words for lists of mails alone.
  (_, { style = '', hidden }) => hidden !== undefined || /(?:^|;)\s*display\s*:\s*none/i.test(style),
]

/** What programs put above it: all from there on is history. */
const ENDINGS: readonly ((name: string, attributes: Attributes) => boolean)[] = [
  (_, { id = '' }) => /^(?:x_)*(?:divRplyFwdMsg|appendonsend|stopSpelling|original-content)$/i.test(id),
  (_, { name = '' }) => /^_MailOriginal$/i.test(name),
  // Outlook on Windows and on the Mac: a line above the head of the earlier mail.
  (name, { style = '' }) =>
    name === 'div' && /border:\s?none;\s?border-top:\s?solid\s#(?:E1E1E1|B5C4DF)\s1\.0pt/i.test(style),
]

const UNSEEN = new Set(['head', 'script', 'style', 'template', 'title'])
const VOID = new Set(['area', 'base', 'br', 'col', 'embed', 'hr', 'img', 'input', 'link', 'meta', 'source', 'wbr'])
const LINES = new Set(['br', 'div', 'dd', 'dt', 'hr', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'li', 'table', 'tr'])
const PARAGRAPHS = new Set(['p', 'blockquote', 'ol', 'ul', 'pre'])

type Attributes = Record<string, string | undefined>

/** The text of an HTML mail without what its program marks as quoted or as signature; lines in other quotes begin with `>`. */
export function newTextOfHtml(html: string): string {
  const text: string[] = []
  let depth = 0
  /** The depth of the element that is being skipped. */
  let skipped: number | null = null
  let hasEnded = false
  /** How many quotes are open that only look like ones: some programs mark them in no other way. */
  let quotes = 0
  const parser = new Parser({
    onopentag(name, attributes) {
      if (hasEnded) return
      if (!VOID.has(name)) depth += 1
      if (skipped !== null) return
      hasEnded = ENDINGS.some((isEnding) => isEnding(name, attributes))
      const isLeftOut = UNSEEN.has(name) || QUOTES.some((isQuote) => isQuote(name, attributes))
      if (isLeftOut && !VOID.has(name)) skipped = depth
      else {
        if (name === 'blockquote') quotes += 1
        text.push(marked(breakFor(name), quotes))
      }
    },
    ontext(words) {
      if (skipped === null && !hasEnded) text.push(words.replace(/\s+/g, ' '))
    },
    onclosetag(name) {
      if (hasEnded || VOID.has(name)) return
      if (skipped === depth) skipped = null
      else if (skipped === null) {
        if (name === 'blockquote') quotes -= 1
        text.push(marked(breakFor(name), quotes))
      }
      depth -= 1
    },
  })
  parser.end(html)
  return text.join('')
}

function marked(lineBreaks: string, quotes: number): string {
  return quotes > 0 ? lineBreaks.replaceAll('\n', '\n> ') : lineBreaks
}

function breakFor(name: string): string {
  if (PARAGRAPHS.has(name)) return '\n\n'
  return LINES.has(name) ? '\n' : ''
}
