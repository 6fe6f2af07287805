import { strikethrough, tables } from '@joplin/turndown-plugin-gfm'
import { Marked } from 'marked'
import TurndownService from 'turndown'

/** As the help centre renders it. */
const markdown = new Marked({ gfm: true })

const turndown = new TurndownService({
  headingStyle: 'atx',
  hr: '---',
  bulletListMarker: '-',
  codeBlockStyle: 'fenced',
  emDelimiter: '*',
})
turndown.use([tables, strikethrough])
// With no more space than its mark needs.
turndown.addRule('listItem', {
  filter: 'li',
  replacement(content, node, { bulletListMarker }) {
    const list = node.parentNode as Element
    const number = Number(list.getAttribute('start') ?? 1) + [...list.children].indexOf(node as Element)
    const mark = list.nodeName === 'OL' ? `${number}. ` : `${bulletListMarker} `
    const ends = /\n$/.test(content) ? '\n' : ''
    const lines = content.replace(/^\n+|\n+$/g, '') + ends
    return mark + lines.replaceAll('\n', `\n${' '.repeat(mark.length)}`) + (node.nextSibling ? '\n' : '')
  },
})

/** Markdown as HTML that nothing has made safe. */
export function htmlOf(text: string): string {
  return withoutLineBreaks(parsed(markdown.parse(text, { async: false }) as string)).innerHTML
}

/** HTML as Markdown; what that has no marks for stays HTML. */
export function markdownOf(html: string): string {
  const body = parsed(html.replaceAll('\u200b', ''))
  // A line break that ends a block is there for the caret alone.
  for (const end of body.querySelectorAll('br:last-child')) if (!end.nextSibling) end.remove()
  // The editor puts what stands beside a list within an item into a block of its own.
  for (const made of body.querySelectorAll('li > div, td > div, th > div')) made.replaceWith(...made.childNodes)
  return turndown.turndown(body)
}

/**
 * Where two documents differ: the beginning of the first block of `one` that is another one in `two`, null where they are
 * the same to a reader.
 */
export function differenceOf(one: string, two: string): string | null {
  const [first, second] = [blocksOf(one), blocksOf(two)]
  const at = first.findIndex((block, index) => block.html !== second[index]?.html)
  if (at !== -1) return first[at]?.text ?? ''
  return first.length === second.length ? null : ''
}

function blocksOf(html: string): { html: string; text: string }[] {
  return [...withoutLineBreaks(parsed(html)).childNodes]
    .map((node) => ({
      html: node instanceof Element ? node.outerHTML : (node.textContent ?? ''),
      text: (node.textContent ?? '').trim().slice(0, 60),
    }))
    .filter((block) => block.html.trim() !== '')
}

/** In a document of its own, in which nothing runs and nothing is loaded. */
function parsed(html: string): HTMLElement {
  return new DOMParser().parseFromString(html, 'text/html').body
}

/** Lines of Markdown are no lines of its page: white space is as a reader sees it. */
function withoutLineBreaks(body: HTMLElement): HTMLElement {
  const walker = body.ownerDocument.createTreeWalker(body, NodeFilter.SHOW_TEXT)
  const blank: Node[] = []
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node.parentElement?.closest('pre')) continue
    node.nodeValue = (node.nodeValue ?? '').replace(/[ \t\r\n]+/g, ' ')
    if (node.nodeValue === ' ' && isBetweenBlocks(node)) blank.push(node)
    else if (node.previousSibling?.nodeName === 'BR') node.nodeValue = node.nodeValue.replace(/^ /, '')
  }
  for (const node of blank) node.parentNode?.removeChild(node)
  return body
}

const BLOCKS = /^(?:P|H[1-6]|UL|OL|LI|BLOCKQUOTE|PRE|HR|TABLE|THEAD|TBODY|TR|TH|TD|DIV)$/

function isBetweenBlocks({ previousSibling, nextSibling, parentNode }: Node): boolean {
  const isBlock = (node: Node | null) => node === null || BLOCKS.test(node.nodeName)
  return (
    isBlock(previousSibling) &&
    isBlock(nextSibling) &&
    (previousSibling !== null || nextSibling !== null || parentNode?.nodeName === 'BODY')
  )
}
