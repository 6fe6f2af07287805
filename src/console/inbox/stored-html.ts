import { html, type Markup, trustedHtml } from '../../lib/markup.ts'
import type { View } from '../visit.ts'

/** A stored message as a page shows it, and how many of its images lie elsewhere and are kept back. */
export interface Shown {
  readonly content: Markup
  readonly blockedImages: number
}

/**
 * The HTML of a message, sanitised when it was stored: the sanitiser writes every tag in one way, so they are found as text.
 * Images that lie elsewhere tell their sender that somebody reads: without `showsImages` their place says so instead.
 * Files of ours come by the console's own route. What a mail quotes at its end is folded.
 */
export function shownHtml(view: View, stored: string, showsImages: boolean): Shown {
  let blockedImages = 0
  const withImages = stored.replace(/<img\b[^>]*>/g, (tag) => {
    const src = /\ssrc="([^"]*)"/.exec(tag)?.[1] ?? ''
    const own = /^\/v1\/attachments\/([0-9a-f-]{36})$/.exec(src)?.[1]
    const alt = /\salt="([^"]*)"/.exec(tag)?.[1]
    const described = alt === undefined ? tag.replace('<img', '<img alt=""') : tag
    if (own) return described.replace(src, view.href(`/console/attachments/${own}`))
    if (src.startsWith('data:')) return described
    if (!src.startsWith('https://')) return alt ?? ''
    if (showsImages) return described.replace('<img', '<img referrerpolicy="no-referrer" loading="lazy"')
    blockedImages += 1
    // Escaped when it was stored, as all attributes are.
    return `<span class="blocked">${alt?.trim() || html`${view.wording.say('blockedImage')}`}</span>`
  })
  // Headings of strangers come below those of the page.
  const below = withImages.replace(/<(\/?)h[1-6]>/g, '<$1h3>')
  return { content: trustedHtml(folded(below, view.wording.say('quotedText'))), blockedImages }
}

/** Puts the quote at the end of a message under a summary. */
function folded(content: string, label: string): string {
  const parts = lastQuote(content) ?? markedLines(content)
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

const isBlank = (part: string) => !/<img\b/.test(part) && part.replace(/<[^>]*>|&nbsp;|\s/g, '') === ''
