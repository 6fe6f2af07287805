import type { Markup } from '../../lib/html/markup.ts'
import { setAway } from '../../users/changes.ts'
import { button, checkbox, form } from '../components/forms.ts'
import type { Guard } from '../guard.ts'
import { redirectTo, type Visit } from '../visit.ts'

const PATH = '/console/account/away'

/** Whether somebody is away, so that no team hands them a ticket by itself (decisions §16). */
export function awayPages(add: Guard): void {
  add.action(PATH, {}, async (visit, sent) => {
    const away = sent.has('away')
    await visit.change((tx, caller) => setAway(tx, caller, visit.principal.userId, away))
    return redirectTo('/console/account', visit.wording.say(away ? 'youAreAway' : 'youAreBack'))
  })
}

/** What the account page says of it. */
export function awayPart(visit: Visit): Markup {
  const { say } = visit.wording
  return form(visit, { action: PATH }, [
    checkbox(visit, { name: 'away', label: say('beAway'), help: say('beAwayHelp'), checked: visit.session.isAway }),
    button(say('save'), { kind: 'secondary' }),
  ])
}
