import { html, type Insert } from '../lib/html/markup.ts'
import type { Excerpt } from './excerpt.ts'

/** An excerpt with the words of the question marked. */
export function markedExcerpt({ text, marks }: Excerpt): Insert {
  const parts: Insert[] = []
  let at = 0
  for (const [start, end] of marks) {
    parts.push(text.slice(at, start), html`<mark>${text.slice(start, end)}</mark>`)
    at = end
  }
  return [...parts, text.slice(at)]
}
