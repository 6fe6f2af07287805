import type { Markup } from '../../lib/html/markup.ts'
import { setShortcuts } from '../../users/changes.ts'
import { button, checkbox, form } from '../components/forms.ts'
import type { Guard } from '../guard.ts'
import { redirectTo, type Visit } from '../visit.ts'

const PATH = '/console/account/shortcuts'

/** Whether single keys do things: who dictates, or types with a screen reader, may not want them (WCAG 2.1.4). */
export function shortcutPages(add: Guard): void {
  add.action(PATH, {}, async (visit, sent) => {
    const uses = sent.has('shortcuts')
    await visit.change((tx, caller) => setShortcuts(tx, caller, visit.principal.userId, uses))
    return redirectTo('/console/account', visit.wording.say(uses ? 'shortcutsAreOn' : 'shortcutsAreOff'))
  })
}

/** What the account page says of it. */
export function shortcutPart(visit: Visit): Markup {
  const { say } = visit.wording
  return form(visit, { action: PATH }, [
    checkbox(visit, {
      name: 'shortcuts',
      label: say('useShortcuts'),
      help: say('useShortcutsHelp'),
      checked: visit.session.usesShortcuts,
    }),
    button(say('save'), { kind: 'secondary' }),
  ])
}
