import { type Block, blocksOf } from '../assistant/plain.ts'

/** A heading of a chapter and what stands under it, up to the next one. */
export interface Section {
  /** The heading's anchor, as GitHub makes it. */
  readonly id: string
  readonly title: string
  /** Without the heading. */
  readonly blocks: readonly Block[]
}

/** A chapter taken apart at its headings, in its order. */
export function sectionsOf(markdown: string): Section[] {
  const sections: { id: string; title: string; blocks: Block[] }[] = []
  const used = new Map<string, number>()
  for (const block of blocksOf(markdown, 'markdown')) {
    if (block.isHeading) sections.push({ id: anchorOf(block.text, used), title: block.text, blocks: [] })
    else sections.at(-1)?.blocks.push(block)
  }
  return sections
}

/** Small letters with hyphens for spaces; a heading that was there before gets a number. */
function anchorOf(title: string, used: Map<string, number>): string {
  const name = title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
    .replaceAll(' ', '-')
  const before = used.get(name) ?? 0
  used.set(name, before + 1)
  return before === 0 ? name : `${name}-${before}`
}
