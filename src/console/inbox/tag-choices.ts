import { html, type Insert } from '../../lib/html/markup.ts'
import { button } from '../components/forms.ts'
import { choice } from '../components/menus.ts'
import type { Visit } from '../visit.ts'

/** Tags that a menu offers: others are found by their names. */
const MOST = 100

/**
 * In a form that tags: what is typed is added, and each tag is a choice that adds it, or takes it away where it is one of
 * `chosen`.
 */
export function tagChoices(
  visit: Visit,
  tags: readonly { readonly name: string }[],
  chosen: readonly string[] = [],
): Insert {
  const { say } = visit.wording
  const others = tags.filter(({ name }) => !chosen.includes(name)).slice(0, MOST)
  return [
    html`<div class="adding"><input class="text" name="add" aria-label="${say('addTags')}" placeholder="${say('addTags')}" autocomplete="off" data-find-choice>${button(say('addThem'), { kind: 'secondary', name: 'do', value: 'tag' })}</div>`,
    chosen.map((name) => choice('untag', name, name, true)),
    others.map(({ name }) => choice('tag', name, name)),
  ]
}

/** The tags of a ticket after such a form. */
export function taggedBy(
  sent: { has(name: string): boolean; exact(name: string): string; text(name: string): string },
  tags: readonly string[],
): string[] {
  if (sent.has('untag')) return tags.filter((name) => name !== sent.exact('untag'))
  return [...tags, ...(sent.has('tag') ? [sent.exact('tag')] : namesIn(sent.text('add')))]
}

/** The names of tags in a field, with commas between them. */
function namesIn(text: string): string[] {
  return text.split(',').filter((name) => name.trim() !== '')
}
