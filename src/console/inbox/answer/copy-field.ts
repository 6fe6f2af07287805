import { html, type Markup } from '../../../lib/html/markup.ts'
import { field } from '../../components/forms.ts'
import type { Again, Visit } from '../../visit.ts'

interface CopyField {
  readonly name: 'cc' | 'bcc'
  readonly value: readonly string[]
  readonly again?: Again | undefined
}

/** The field of those who get a copy. */
export function copyField(visit: Visit, { name, value, again }: CopyField): Markup {
  const { say } = visit.wording
  return field(visit, {
    name,
    label: say(name === 'cc' ? 'mailCc' : 'mailBcc'),
    value: value.join(', '),
    help: say(name === 'cc' ? 'copiesHelp' : 'blindCopiesHelp'),
    autocomplete: 'off',
    again,
  })
}

/** Whether the field stands there by itself: it holds something, or is wrong. Else it opens when asked for. */
export function hasCopies({ name, value, again }: CopyField): boolean {
  return value.length > 0 || again?.problem.field === name || Boolean(again?.form.text(name))
}

/** The field behind its name. */
export function copyOnDemand(visit: Visit, copies: CopyField): Markup {
  const { say } = visit.wording
  return html`<details class="recipients"><summary>${say(copies.name === 'cc' ? 'mailCc' : 'mailBcc')}</summary>${copyField(visit, copies)}</details>`
}
