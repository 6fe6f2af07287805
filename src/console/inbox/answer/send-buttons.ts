import { html, type Markup } from '../../../lib/html/markup.ts'
import { button, field } from '../../components/forms.ts'
import { icons } from '../../icons.ts'
import type { Again, Visit } from '../../visit.ts'

/** The button that sends an answer, and the ways to send it that also say what becomes of the ticket (decisions §20). */
export function sendButtons(
  visit: Visit,
  { label, key, again }: { label: string; key: string; again: Again | undefined },
): Markup {
  const { say } = visit.wording
  const after = (value: string, text: string) =>
    html`<button class="choice" name="after" value="${value}">${text}</button>`
  const isWrong = again?.problem.field === 'sendUntil'
  return html`<div class="send"><button class="primary" data-send title="${key}">${label}</button><details class="menu up"${isWrong && html` open`}><summary class="primary" title="${say('sendOtherwise')}">${icons.expand}<span class="sr">${say('sendOtherwise')}</span></summary><div class="menu-items">
${after('close', say('sendAndClose'))}${after('wait', say('sendAndWait'))}
<div role="group" aria-labelledby="send-and-snooze"><p class="help" id="send-and-snooze">${say('sendAndSnooze')}</p><input type="hidden" name="zone" value="${again?.form.text('zone') || 'UTC'}" data-zone>${after('later', say('snoozeLater'))}${after('tomorrow', say('snoozeTomorrow'))}${after('monday', say('snoozeMonday'))}
<div class="until">${field(visit, {
    name: 'sendUntil',
    label: say('sendAndSnoozeUntil'),
    type: 'datetime-local',
    required: 'depends',
    again,
  })}${button(say('sendUntilThen'), { kind: 'secondary', name: 'after', value: 'snooze' })}</div></div></div></details></div>`
}
