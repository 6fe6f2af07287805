import { cut, oneLine } from '../lib/text/one-line.ts'

/** The longest address kept of a page, in characters. */
const MAX_PAGE = 300
/** Not drawn by themselves, and able to turn round what stands beside them. */
const UNSEEN = /[\p{Cf}\u2028\u2029]/gu

/**
 * What is kept of the address of a page that a visitor's browser reports: origin and path. What follows may hold secrets, and
 * so may a user name. null for what is no page of a site.
 */
export function visitedPage(reported: string): string | null {
  const url = URL.canParse(reported) ? new URL(reported) : null
  if (!url || !/^https?:$/.test(url.protocol)) return null
  return cut(`${url.origin}${readable(url.pathname)}`, MAX_PAGE)
}

function readable(path: string): string {
  try {
    return oneLine(decodeURI(path).replace(UNSEEN, ''))
  } catch {
    return path
  }
}

/** The path of a page that was kept. */
export function pathOfPage(page: string): string {
  return page.replace(/^https?:\/\/[^/]*/, '') || '/'
}
