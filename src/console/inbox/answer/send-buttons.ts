import { html, type Markup } from '../../../lib/html/markup.ts'
import { button, field } from '../../components/forms.ts'
import { choice, menu } from '../../components/menus.ts'
import { icons } from '../../icons.ts'
import type { Again, Visit } from '../../visit.ts'

interface SendButtons {
  readonly label: string
  /** The key that sends. */
  readonly key: string
  readonly again: Again | undefined
}

/** The button that sends an answer, and the ways to send it that also say what becomes of the ticket (decisions §20). */
export function sendButtons(visit: Visit, { label, key, again }: SendButtons): Markup {
  const { say } = visit.wording
  const isOpen = again?.problem.field === 'sendUntil'
  const zone = again?.form.text('zone') || 'UTC'
  const until = field(visit, {
    name: 'sendUntil',
    label: say('sendAndSnoozeUntil'),
    type: 'datetime-local',
    required: 'depends',
    again,
  })
  return html`<div class="send"><button class="primary" data-send title="${key}">${label}</button>${menu(
    { name: 'up', icon: icons.expand, label: say('sendOtherwise'), shown: null, isOpen },
    html`<button class="choice" name="after" value="close" title="Ctrl+Shift+Enter">${say('sendAndClose')}</button>${choice('after', 'wait', say('sendAndWait'))}
<div role="group" aria-labelledby="send-and-snooze"><p class="help" id="send-and-snooze">${say('sendAndSnooze')}</p><input type="hidden" name="zone" value="${zone}" data-zone>
${choice('after', 'later', say('snoozeLater'))}${choice('after', 'tomorrow', say('snoozeTomorrow'))}${choice('after', 'monday', say('snoozeMonday'))}
<div class="until">${until}${button(say('sendUntilThen'), { kind: 'secondary', name: 'after', value: 'snooze' })}</div></div>`,
  )}</div>`
}
