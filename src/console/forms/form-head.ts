import type { FormListItem } from '../../forms/model.ts'
import type { FormRecord } from '../../forms/operations.ts'
import { html, type Insert, type Markup } from '../../lib/html/markup.ts'
import { formatTime } from '../../lib/time.ts'
import { backLink, badge, pageHead } from '../components/display.ts'
import { tabs } from '../components/lists.ts'
import type { View, Visit } from '../visit.ts'

/** What its state is told by; lists do not know when a form closes. */
export type Shown = Pick<FormListItem, 'status' | 'publishedAt'> & { closesAt?: string | null }

export type State = 'draft' | 'open' | 'closed'

/** Whether a form was published, and collects. The job that closes forms may be late: the moment counts. */
export function stateOf({ status, publishedAt, closesAt = null }: Shown, at: number): State {
  if (publishedAt === null) return 'draft'
  return status === 'active' && !(closesAt !== null && closesAt <= formatTime(at)) ? 'open' : 'closed'
}

export function stateBadge({ wording: { say } }: View, form: Shown, at: number): Markup {
  const state = stateOf(form, at)
  if (state === 'draft') return badge(say('formDraft'), 'accent')
  return state === 'open' ? badge(say('formOpen'), 'good') : badge(say('formClosed'))
}

/** What stands at the head of every page of one form; `note` beside its state. */
export function formHead(visit: Visit, form: FormRecord, actions?: Insert, note?: Insert): Markup {
  const { say } = visit.wording
  const path = `/console/forms/${form.id}`
  return html`${backLink(visit, '/console/forms', say('navForms'))}
${pageHead(form.title, actions, [stateBadge(visit, form, visit.at), note && [' ', note]])}
${tabs(visit, form.title, [
  { path, text: say('formOverview') },
  { path: `${path}/build`, text: say('builderTab') },
  { path: `${path}/languages`, text: say('formLanguages') },
  { path: `${path}/results`, text: say('formResults') },
  { path: `${path}/responses`, text: say('formResponses') },
  { path: `${path}/settings`, text: say('formSettings') },
])}`
}
