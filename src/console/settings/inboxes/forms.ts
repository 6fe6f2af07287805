import type { Inbox } from '../../../inboxes/model.ts'
import { html, type Markup } from '../../../lib/html/markup.ts'
import { card, time } from '../../components/display.ts'
import { button, buttons, confirmed, field, form } from '../../components/forms.ts'
import { seenInput } from '../../seen.ts'
import type { Again, Visit } from '../../visit.ts'
import { pathOf } from './inboxes.ts'

/** What an inbox is called, and its address. */
export function inboxForm(visit: Visit, inbox: Inbox, again?: Again): Markup {
  const { say } = visit.wording
  return card(
    say('settingsGeneral'),
    form(visit, { action: pathOf(inbox.id) }, [
      seenInput(seenOf(inbox)),
      field(visit, {
        name: 'name',
        label: say('inboxName'),
        help: say('inboxNameHelp'),
        value: inbox.name,
        required: true,
        maxLength: 255,
        again,
      }),
      inbox.channel === 'email' &&
        field(visit, {
          name: 'emailAddress',
          label: say('inboxAddress'),
          help: say('inboxAddressChangeHelp'),
          type: 'email',
          value: inbox.emailAddress,
          required: true,
          maxLength: 320,
          autocomplete: 'off',
          again,
        }),
      button(say('save')),
    ]),
  )
}

/** Whether the inbox is in use, and how that ends. */
export function inboxEnd(visit: Visit, { id, channel, archivedAt }: Inbox): Markup {
  const { say } = visit.wording
  const path = pathOf(id)
  const isMail = channel === 'email'
  return card(
    say(archivedAt === null ? 'inboxRetire' : 'inboxArchived'),
    html`<p>${say(isMail ? 'inboxArchiveMail' : 'inboxArchiveChat')}</p>
${archivedAt !== null && html`<p>${say('inboxArchivedSince')} ${time(visit, archivedAt)}</p>`}
${buttons(
  archivedAt === null
    ? confirmed(visit, {
        label: say('inboxArchive'),
        question: say('inboxArchiveAsk'),
        action: `${path}/archive`,
        kind: 'primary',
      })
    : form(visit, { action: `${path}/restore`, inline: true }, button(say('inboxRestore'), { kind: 'secondary' })),
  confirmed(visit, { label: say('inboxDelete'), question: say('inboxDeleteAsk'), action: `${path}/delete` }),
)}`,
  )
}

/** What the form of an inbox was written from. */
export const seenOf = ({ name, emailAddress }: Inbox) => ({ name, emailAddress })
