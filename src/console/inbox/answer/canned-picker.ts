import { html, type Markup } from '../../../lib/html/markup.ts'
import type { CannedReply } from '../../../tickets/writing/canned-replies.ts'
import { fieldId } from '../../components/forms.ts'
import { icons } from '../../icons.ts'
import type { Visit } from '../../visit.ts'

/** What somebody can put into an answer: their own, and everybody's. */
export interface Canned {
  readonly own: readonly CannedReply[]
  readonly shared: readonly CannedReply[]
}

/** Whether there is anything to choose from. */
export const hasCanned = ({ own, shared }: Canned) => own.length + shared.length > 0

/**
 * Within the form of an answer: what can be put into it. Sent to `action` as a form where no script runs; where one does, a
 * button, or `/` in the answer, opens the same as a list.
 */
export function cannedPicker(visit: Visit, action: string, canned: Canned): Markup {
  const { say } = visit.wording
  const path = visit.href(action)
  const id = fieldId('canned')
  if (!hasCanned(canned))
    return html`<p class="canned"><a class="quiet" href="${visit.href('/console/canned-replies')}">${say('cannedTitle')}</a></p>`
  return html`<div class="canned" data-canned="${path}"><label for="${id}" class="sr">${say('chooseCanned')}</label><div class="select"><select id="${id}" name="canned"><option value="">${say(
    'noCannedChosen',
  )}</option>${group(say('cannedOwn'), canned.own)}${group(say('cannedShared'), canned.shared)}</select></div><button class="secondary" formaction="${path}" formnovalidate>${say('insertCanned')}</button><a class="quiet" href="${visit.href('/console/canned-replies')}">${say('manageCanned')}</a></div><button type="button" class="tool" data-open-canned title="${say('chooseCanned')} (/)">${icons.canned}<span class="sr">${say('chooseCanned')}</span></button>`
}

function group(label: string, replies: readonly CannedReply[]): Markup | false {
  return (
    replies.length > 0 &&
    html`<optgroup label="${label}">${replies.map(({ id, name }) => html`<option value="${id}">${name}</option>`)}</optgroup>`
  )
}
