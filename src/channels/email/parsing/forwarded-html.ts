import { Parser } from 'htmlparser2'

type Attributes = Record<string, string | undefined>

/** What mail programs put around the head of a mail that they forward, as it stands above its text. */
const HEADS: readonly ((name: string, attributes: Attributes) => boolean)[] = [
  // Gmail, and Thunderbird.
  (_, { class: classes = '' }) => /(?:^|\s)(?:gmail_attr|moz-email-headers-table)(?:\s|$)/.test(classes),
  // Outlook on the web.
  (_, { id = '' }) => /^(?:x_)*divRplyFwdMsg$/i.test(id),
  // Outlook on Windows and on the Mac: a line above the head.
  (name, { style = '' }) =>
    name === 'div' && /border:\s?none;\s?border-top:\s?solid\s#(?:E1E1E1|B5C4DF)\s1\.0pt/i.test(style),
]
const VOID = new Set(['area', 'base', 'br', 'col', 'embed', 'hr', 'img', 'input', 'link', 'meta', 'source', 'wbr'])

/** The lines that programs leave free below it. */
const BLANK = /^(?:\s|<br\s?\/?>|<\/\w{1,20}>)+/i

/**
 * The HTML below the head of a forwarded mail, the first one that names this address; null where no program has marked it: then
 * the text says what it says. Not sanitised, and with end tags that nothing begins.
 */
export function htmlBelowHead(html: string, address: string): string | null {
  const found = { depth: 0, head: 0, text: '', end: -1 }
  const parser = new Parser({
    onopentag(name, attributes) {
      if (VOID.has(name) || found.end !== -1) return
      found.depth += 1
      if (found.head === 0 && HEADS.some((isHead) => isHead(name, attributes))) found.head = found.depth
    },
    ontext(words) {
      if (found.head > 0 && found.end === -1) found.text += words
    },
    onclosetag(name) {
      if (VOID.has(name) || found.end !== -1) return
      if (found.depth === found.head) found.end = parser.endIndex + 1
      found.depth -= 1
    },
  })
  parser.end(html)
  const isFound = found.end !== -1 && found.text.toLowerCase().includes(address.toLowerCase())
  return isFound ? html.slice(found.end).replace(BLANK, '') : null
}
