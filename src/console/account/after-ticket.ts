import type { Markup } from '../../lib/html/markup.ts'
import { setAfterDone } from '../../users/changes.ts'
import { button, form, select } from '../components/forms.ts'
import type { Guard } from '../guard.ts'
import { type Again, type PageContent, redirectTo, type Visit } from '../visit.ts'

const PATH = '/console/account/after-done'

/** Where somebody goes on from a ticket that they have answered or closed (decisions §20). */
export function afterTicketPages(add: Guard, again: (visit: Visit, again: Again) => Promise<PageContent>): void {
  add.action(PATH, { again }, async (visit, sent) => {
    await visit.change((tx, caller) => setAfterDone(tx, caller, visit.principal.userId, sent.text('afterDone')))
    return redirectTo('/console/account', visit.wording.say('afterDoneSaved'))
  })
}

/** What the account page says of it. */
export function afterTicketPart(visit: Visit, again?: Again): Markup {
  const { say } = visit.wording
  return form(visit, { action: PATH }, [
    select(visit, {
      name: 'afterDone',
      label: say('afterDone'),
      options: [
        ['next', say('afterDoneNext')],
        ['list', say('afterDoneList')],
        ['ticket', say('afterDoneTicket')],
      ],
      value: visit.session.afterDone,
      again,
    }),
    button(say('save'), { kind: 'secondary' }),
  ])
}
