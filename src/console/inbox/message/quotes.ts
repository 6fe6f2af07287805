import { html, trustedHtml } from '../../../lib/html/markup.ts'

/** Puts the quote at the end of a message under a summary. `content` was sanitised; so is what is returned. */
export function folded(content: string, label: string): string {
  const parts = lastQuote(content) ?? markedLines(content) ?? quotedHead(content)
  if (!parts || isBlank(parts.before)) return content
  return html`${trustedHtml(parts.before)}<details class="quoted"><summary>${label}</summary><div>${trustedHtml(parts.quote)}</div></details>${trustedHtml(parts.after)}`
    .text
}

interface Parts {
  readonly before: string
  readonly quote: string
  readonly after: string
}

/** The last `blockquote` that stands in no other, when nothing is said after it. */
function lastQuote(content: string): Parts | null {
  let depth = 0
  let start = 0
  let found: Parts | null = null
  for (const { 0: tag, index } of content.matchAll(/<\/?blockquote>/g)) {
    depth += tag === '<blockquote>' ? 1 : -1
    const end = index + tag.length
    if (depth === 1 && tag === '<blockquote>') start = index
    if (depth === 0)
      found = { before: content.slice(0, start), quote: content.slice(start, end), after: content.slice(end) }
  }
  return found && isBlank(found.after) ? found : null
}

/** Of a message that was plain text: the lines at its end that begin with `>`. */
function markedLines(content: string): Parts | null {
  if (!content.includes('>&gt;') || /<(?!\/?p>|br \/>)/.test(content)) return null
  const lines = [...content.matchAll(/<p>|<br \/>/g)]
  const unmarked = lines.findLastIndex(({ 0: tag, index }) => !content.startsWith('&gt;', index + tag.length))
  const first = lines[unmarked + 1]
  if (!first) return null
  const quote = content.slice(first.index + first[0].length)
  // A paragraph that is cut in two is closed, and the other half opened.
  return { before: content.slice(0, first.index) + (first[0] === '<p>' ? '' : '</p>'), quote: `<p>${quote}`, after: '' }
}

/** What Outlook puts above the mail that is answered, in the languages that it is used in most: from whom, and when. */
const FROM = /<b>(?:<span>)?\s*(?:From|Von|De|Da|Van|Från|Fra|Od|Lähettäjä|Από)\s*:/
const SENT =
  /<b>(?:<span>)?\s*(?:Sent|Date|Gesendet|Datum|Envoyé|Enviad[oa]|Fecha|Inviato|Data|Verzonden|Skickat|Sendt|Wysłano|Lähetetty)\b/
/** So far from each other at most, in characters. */
const WITHIN = 600

/** Of a message in which everything from a head of Outlook's on is quoted. */
function quotedHead(content: string): Parts | null {
  const found = FROM.exec(content)
  if (!found || !SENT.test(content.slice(found.index, found.index + WITHIN))) return null
  // What is drawn above it belongs to it.
  const opening = /(?:<hr \/>\s*)?(?:<(?:div|p|span)>\s*)*$/.exec(content.slice(0, found.index))
  return cutAt(content, found.index - (opening?.[0].length ?? 0))
}

/** Cuts HTML in two: what is open there is closed, and opened again behind it. */
function cutAt(content: string, at: number): Parts {
  const open: string[] = []
  for (const [, slash, name = '', isVoid] of content.slice(0, at).matchAll(/<(\/?)([a-z][a-z0-9]*)\b[^>]*?(\/?)>/g)) {
    if (slash) open.pop()
    else if (!isVoid) open.push(name)
  }
  const closing = open.toReversed().map((name) => `</${name}>`)
  const again = open.map((name) => `<${name}>`)
  return {
    before: content.slice(0, at) + closing.join(''),
    quote: again.join('') + content.slice(at),
    after: '',
  }
}

const isBlank = (part: string) => !/<img\b/.test(part) && part.replace(/<[^>]*>|&nbsp;|\s/g, '') === ''
