import { Marked, type Tokens } from 'marked'
import { type Markup, ownHtml } from '../lib/html/markup.ts'
import { type Chapter, chapters, frontPage } from './chapters.ts'

/**
 * A chapter as HTML. Its text is ours and part of the executable, so nothing of it is sanitised; HTML in it is shown as it
 * is written. What may be wider than a telephone scrolls by itself, with the keyboard too. `base` is the path the service
 * is reached under, mostly ''.
 */
export function renderChapter({ markdown, sections }: Chapter, base: string): Markup {
  const headings = sections.values()
  const marked = new Marked({ gfm: true })
  marked.use({
    renderer: {
      heading({ tokens, depth }: Tokens.Heading) {
        const { id = '', title = '' } = headings.next().value ?? {}
        const text = this.parser.parseInline(tokens)
        if (depth === 1) return `<h1 id="${id}">${text}</h1>\n`
        const anchor = `<a class="anchor" href="#${id}" aria-label="${Bun.escapeHTML(`Link to “${title}”`)}">#</a>`
        return `<h${depth} id="${id}">${text} ${anchor}</h${depth}>\n`
      },
      code({ text, lang = '' }: Tokens.Code) {
        const code = `<pre tabindex="0" role="group" aria-label="Code"><code>${Bun.escapeHTML(text)}\n</code></pre>`
        return `<div class="code" data-language="${Bun.escapeHTML(lang)}">${code}</div>\n`
      },
      table(table: Tokens.Table) {
        const cellsOf = (cells: readonly Tokens.TableCell[]) =>
          cells.map(({ tokens, header }, column) => {
            const text = this.parser.parseInline(tokens)
            if (header) return `<th scope="col" role="columnheader">${text}</th>`
            // Where rows are shown one under the other, each cell says what it is.
            const label = Bun.escapeHTML(table.header[column]?.text ?? '')
            return `<td role="cell" data-label="${label}">${text}</td>`
          })
        const [head = '', ...rows] = [table.header, ...table.rows].map(
          (cells) => `<tr role="row">${cellsOf(cells).join('')}</tr>`,
        )
        return `<div class="scroll" tabindex="0" role="group" aria-label="Table"><table role="table">
<thead role="rowgroup">${head}</thead>
<tbody role="rowgroup">${rows.join('\n')}</tbody>
</table></div>\n`
      },
      link({ href, tokens }: Tokens.Link) {
        return `<a href="${Bun.escapeHTML(pageOf(href, base))}">${this.parser.parseInline(tokens)}</a>`
      },
      image({ href, text }: Tokens.Image) {
        return `<img src="${base}/docs/guide/${Bun.escapeHTML(href)}" alt="${Bun.escapeHTML(text)}" loading="lazy">`
      },
      html: ({ text }: Tokens.HTML | Tokens.Tag) => Bun.escapeHTML(text),
    },
  })
  return ownHtml(marked.parse(markdown, { async: false }))
}

/** Where a link of a chapter leads: GitHub has a file where the service has a page. */
function pageOf(href: string, base: string): string {
  const file = /^([\w-]+)\.md(#.*)?$/.exec(href)
  // What a chapter hands out lies in a folder of its name.
  if (/^[\w-]+\/[\w.-]+$/.test(href)) return `${base}/docs/guide/${href}`
  if (!file) return href
  const [, name, place = ''] = file
  const { path } = chapters.find(({ slug }) => slug === name) ?? frontPage
  return `${base}${path}${place}`
}
