import type { Markup } from '../../lib/html/markup.ts'
import { field } from '../components/forms.ts'
import type { Again, View } from '../visit.ts'

/** Where somebody types the password that they want from now on: with a session, or by a link. */
export function newPasswordField(view: View, again?: Again): Markup {
  const { say } = view.wording
  return field(view, {
    name: 'password',
    label: say('newPassword'),
    type: 'password',
    help: say('passwordHelp'),
    required: true,
    autocomplete: 'new-password',
    again,
  })
}
