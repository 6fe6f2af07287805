import type { Article } from '../articles/model.ts'

/** A paragraph, list item or row of a table, as a reader sees it: one line without marks. */
export interface Block {
  readonly text: string
  readonly isHeading: boolean
}

/** What is read of a content, in characters: words are found in its first 128 KiB of bytes. */
const READ = 128 * 1024

/** Elements whose content nobody reads. */
const HIDDEN = ['script', 'style', 'template', 'title', 'noscript']

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

/**
 * The beginning of an article as plain text, block by block. For excerpts and models, never for a page as it is: the
 * marks are taken out by their looks, in time that grows with the length alone, whatever the content.
 */
export function blocksOf(content: string, format: Article['format']): Block[] {
  const read = content.slice(0, READ)
  if (format === 'text') return paragraphs(read.split(/\n\s*\n/))
  if (format === 'html') return paragraphs(linesOfHtml(read))
  return ofMarkdown(read)
}

function paragraphs(texts: readonly string[]): Block[] {
  return texts.flatMap((text) => blockOf(decode(text), false))
}

function blockOf(text: string, isHeading: boolean): Block[] {
  const line = text.replace(/\s+/g, ' ').trim()
  return line === '' ? [] : [{ text: line, isHeading }]
}

/** One line for each heading, paragraph, item and row. */
function ofMarkdown(markdown: string): Block[] {
  const blocks: Block[] = []
  let lines: string[] = []
  let isCode = false
  const end = () => {
    blocks.push(...blockOf(decode(withoutTags(lines.join(' '))), false))
    lines = []
  }
  for (const line of markdown.split('\n')) {
    const bare = line.replace(/\s+/g, ' ').trim()
    if (/^(```|~~~)/.test(bare)) {
      isCode = !isCode
      end()
    } else if (isCode) {
      blocks.push(...blockOf(bare, false))
    } else if (/^#{1,6}\s/.test(bare)) {
      end()
      blocks.push(...blockOf(inline(bare.replace(/^#+\s|\s#+$/g, '')), true))
    } else if (bare === '' || isRule(bare)) {
      end()
    } else {
      const starts = /^(?:[-*+]|\d{1,9}[.)])\s+/.exec(bare)
      if (starts || bare.startsWith('|')) end()
      lines.push(inline(bare.slice(starts?.[0].length ?? 0).replace(/^(?:>\s?)+/, '')))
    }
  }
  end()
  return blocks
}

/** A line across the page, under a heading, or under the head of a table. */
function isRule(line: string): boolean {
  return /^[-*_=:| ]{3,}$/.test(line)
}

/** Links and pictures as their words, rows of tables with commas, and no marks of emphasis. */
function inline(line: string): string {
  return line
    .replace(/!?\[([^[\]]{0,500})\]\([^()\s]{0,2000}(?:\s"[^"]{0,500}")?\)/g, '$1')
    .replace(/^\||\|$/g, '')
    .replace(/\s*\|\s*/g, ', ')
    .replace(/(\*\*\*|\*\*|__|~~|`+)/g, '')
    .replace(/(?<![\p{L}\p{N}])[*_](?=\S)|(?<=\S)[*_](?![\p{L}\p{N}])/gu, '')
    .replace(/\\([!-/:-@[-`{-~])/g, '$1')
}

/** Broken at the elements that stand on a line of their own; what nobody reads is left out. */
function linesOfHtml(html: string): string[] {
  return withoutTags(
    html.replace(/\s+/g, ' ').replace(/<\/?(?:p|div|li|ul|ol|tr|table|h[1-6]|br|hr|pre|blockquote|dt|dd)\b/gi, '\n$&'),
  ).split('\n')
}

/** A `<` without an end is text, as it is where somebody compares two numbers. */
function withoutTags(html: string): string {
  if (!html.includes('<')) return html
  let text = ''
  let at = 0
  let hiddenIn: string | null = null
  for (const { 0: tag, 1: slash, 2: name = '', index } of html.matchAll(
    /<(?:!--|(\/)?([a-z][a-z0-9]{0,20}))[^<>]*>/gi,
  )) {
    if (hiddenIn === null) text += html.slice(at, index)
    if (!slash && hiddenIn === null && HIDDEN.includes(name.toLowerCase())) hiddenIn = name.toLowerCase()
    else if (slash && hiddenIn === name.toLowerCase()) hiddenIn = null
    at = index + tag.length
  }
  return hiddenIn === null ? text + html.slice(at) : text
}

function decode(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,6}));/gi, (whole, decimal, hex, name) => {
    if (name) return ENTITIES[name.toLowerCase()] ?? whole
    const code = decimal ? Number(decimal) : Number.parseInt(hex, 16)
    const isCharacter = code >= 32 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)
    return isCharacter ? String.fromCodePoint(code) : whole
  })
}
