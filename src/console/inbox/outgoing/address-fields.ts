import { html, type Markup } from '../../../lib/html/markup.ts'
import type { Draft } from '../../../tickets/writing/drafts.ts'
import { field } from '../../components/forms.ts'
import type { Again, Visit } from '../../visit.ts'
import { copyField, copyOnDemand, hasCopies } from '../answer/copy-field.ts'

/** Whom a mail goes to, and what it is about. */
export function addressFields(
  visit: Visit,
  draft: Pick<Draft, 'recipients' | 'bcc' | 'subject'> | null,
  again?: Again,
): Markup {
  const { say } = visit.wording
  const { to, cc } = draft?.recipients ?? { to: [], cc: [] }
  const bcc = { name: 'bcc', value: draft?.bcc ?? [], again } as const
  const off = { autocomplete: 'off', again }
  return html`${field(visit, { ...off, name: 'to', label: say('answerTo'), value: to.join(', '), required: true })}${field(
    visit,
    { ...off, name: 'cc', label: say('mailCc'), value: cc.join(', ') },
  )}${hasCopies(bcc) ? copyField(visit, bcc) : copyOnDemand(visit, bcc)}${field(visit, { ...off, name: 'subject', label: say('mailSubject'), value: draft?.subject ?? '', required: true, maxLength: 500 })}`
}
