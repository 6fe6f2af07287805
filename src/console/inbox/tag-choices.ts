import { html, type Insert } from '../../lib/html/markup.ts'
import { button } from '../components/forms.ts'
import { choice } from '../components/menus.ts'
import type { FormFields } from '../form-fields.ts'
import type { Again, Visit } from '../visit.ts'

/** Tags that a menu offers: others are found by their names. */
const MOST = 100

/**
 * In a form that tags: what is typed is added, and each tag is a choice that adds it, or takes it away where it is one of
 * `chosen`. `again` where what was typed was refused.
 */
export function tagChoices(
  visit: Visit,
  tags: readonly { readonly name: string }[],
  chosen: readonly string[] = [],
  again?: Again,
): Insert {
  const { say } = visit.wording
  const others = tags.filter(({ name }) => !chosen.includes(name)).slice(0, MOST)
  const problem = again?.form.has('add') ? again.problem.text : null
  const typed = problem === null ? '' : again?.form.text('add')
  return [
    html`<div class="adding"><input class="text" name="add" value="${typed}" aria-label="${say('addTags')}" placeholder="${say('addTags')}" autocomplete="off" data-find-choice${problem !== null && html` id="field-tags" aria-invalid="true" aria-describedby="field-tags-error"`}>${button(say('addThem'), { kind: 'secondary', name: 'do', value: 'tag' })}${
      problem !== null && html`<p class="error" id="field-tags-error">${problem}</p>`
    }</div>`,
    chosen.map((name) => choice('untag', name, name, true)),
    others.map(({ name }) => choice('tag', name, name)),
  ]
}

/** The tags of a ticket after such a form. */
export function taggedBy(sent: FormFields, tags: readonly string[]): string[] {
  if (sent.has('untag')) return tags.filter((name) => name !== sent.exact('untag'))
  return [...tags, ...(sent.has('tag') ? [sent.exact('tag')] : namesIn(sent.text('add')))]
}

/** The names of tags in a field, with commas between them. */
function namesIn(text: string): string[] {
  return text.split(',').filter((name) => name.trim() !== '')
}
