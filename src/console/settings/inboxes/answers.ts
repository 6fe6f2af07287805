import type { Inbox } from '../../../inboxes/model.ts'
import type { Markup } from '../../../lib/html/markup.ts'
import {
  type AutomaticAnswers,
  automaticAnswersOf,
  changeAutomaticAnswers,
  MAX_TEXT,
} from '../../../tickets/automatic/settings.ts'
import { placeholders, written } from '../../../tickets/writing/placeholders.ts'
import { card } from '../../components/display.ts'
import { button, checkbox, field, form, textArea } from '../../components/forms.ts'
import type { FormFields } from '../../form-fields.ts'
import { requireSeen, seenInput } from '../../seen.ts'
import { type Again, type Redirect, redirectTo, type Visit } from '../../visit.ts'
import { pathOf } from './inboxes.ts'

/** What an email inbox answers by itself. */
export async function answersForm(visit: Visit, { id }: Inbox, again?: Again): Promise<Markup> {
  const { say } = visit.wording
  const answers = await automaticAnswersOf(visit.db, visit.principal.tenantId, id)
  const placed = placeholders.filter((name) => name !== 'agent.name').map(written)
  return card(
    say('answersTitle'),
    form(visit, { action: `${pathOf(id)}/answers` }, [
      seenInput(answers),
      checkbox(visit, {
        name: 'acknowledges',
        label: say('answersAcknowledge'),
        help: say('answersAcknowledgeHelp'),
        checked: answers.acknowledges,
        again,
      }),
      textArea(visit, {
        name: 'acknowledgement',
        label: say('answersAcknowledgement'),
        help: say('answersPlaceholders', { placeholders: placed.join(', ') }),
        value: answers.acknowledgement,
        required: 'depends',
        maxLength: MAX_TEXT,
        again,
      }),
      checkbox(visit, {
        name: 'answersOutOfHours',
        label: say('answersAway'),
        help: say('answersAwayHelp'),
        checked: answers.answersOutOfHours,
        again,
      }),
      field(visit, {
        name: 'hours',
        label: say('chatHours'),
        help: say('answersHoursHelp'),
        value: answers.hours,
        required: 'depends',
        again,
      }),
      textArea(visit, {
        name: 'outOfHours',
        label: say('answersOutOfHours'),
        value: answers.outOfHours,
        required: 'depends',
        maxLength: MAX_TEXT,
        again,
      }),
      button(say('save'), { kind: 'secondary' }),
    ]),
  )
}

/** Saves the form for the inbox. */
export async function saveAnswers(visit: Visit, { id }: Inbox, sent: FormFields): Promise<Redirect> {
  const typed: AutomaticAnswers = {
    acknowledges: sent.has('acknowledges'),
    acknowledgement: sent.text('acknowledgement'),
    answersOutOfHours: sent.has('answersOutOfHours'),
    outOfHours: sent.text('outOfHours'),
    hours: sent.text('hours') || null,
  }
  await visit.change(async (tx, caller) => {
    requireSeen(sent, await automaticAnswersOf(tx, caller.tenantId, id))
    await changeAutomaticAnswers(tx, caller, id, typed)
  })
  return redirectTo(pathOf(id), visit.wording.say('settingsSaved'))
}
