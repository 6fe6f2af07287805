import { Marked } from 'marked'
import { articleHtml, htmlOfText } from '../lib/html/sanitise.ts'
import type { ToRender } from './rendering.ts'

const markdown = new Marked({ gfm: true })

/**
 * The content of an article as HTML that is safe to put into a page, below the title that stands there: a first heading
 * that repeats it is left out, and no heading is above the second level. May take long, and throw, for hostile content:
 * for the worker alone.
 */
export function renderArticle({ title, content, format, base }: ToRender): string {
  if (format === 'text') return htmlOfText(content)
  const html = format === 'html' ? content : (markdown.parse(content, { async: false }) as string)
  const safe = articleHtml(html).trim().replaceAll('src="/help/', `src="${base}/help/`)
  const heading = /^<h([1-6])>([^<]*)<\/h\1>\s*/.exec(safe)
  const isTitle = heading !== null && title !== null && heading[2]?.trim() === Bun.escapeHTML(title).trim()
  return lowered(isTitle ? safe.slice(heading[0].length) : safe)
}

/** The first heading of a page is the article's title. */
function lowered(html: string): string {
  return html.includes('<h1') ? html.replace(/<(\/?)h([1-5])>/g, (_, slash, level) => `<${slash}h${+level + 1}>`) : html
}
