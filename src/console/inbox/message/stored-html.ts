import { html, type Markup, trustedHtml } from '../../../lib/html/markup.ts'
import type { View } from '../../visit.ts'
import { folded } from './quotes.ts'
import { linked } from './written.ts'

/** A stored message as a page shows it, and how many of its images lie elsewhere and are kept back. */
export interface Shown {
  readonly content: Markup
  readonly blockedImages: number
}

/** Ids of the files of ours that the HTML of a message shows. */
export function imagesIn(stored: string): ReadonlySet<string> {
  const found = stored.matchAll(/<img\b[^>]*?\ssrc="\/v1\/attachments\/([0-9a-f-]{36})"/g)
  return new Set([...found].map(([, id = '']) => id))
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
  // Where their marks and columns begin follows from what they say.
  const directed = folded(below, view.wording.say('quotedText')).replace(/<(ul|ol|table)>/g, '<$1 dir="auto">')
  return { content: trustedHtml(withLinks(directed)), blockedImages }
}

/** Where a stranger's link leads opens apart, and learns nothing of where it was. */
const APART = ' target="_blank" rel="noopener noreferrer nofollow"'

/** Addresses that stand there as words are links, too; none takes agents away from what they write. */
function withLinks(content: string): string {
  let isLink = false
  return content.replace(/<[^>]*>|[^<]+/g, (part) => {
    if (!part.startsWith('<')) return isLink ? part : linked(part, APART)
    if (part === '</a>') isLink = false
    if (!/^<a[\s>]/.test(part)) return part
    isLink = true
    const href = /\shref="[^"]*"/.exec(part)?.[0]
    return href === undefined ? part : `<a${href}${APART}>`
  })
}
