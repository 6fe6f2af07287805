import type { Caller } from '../../../caller.ts'
import type { Tx } from '../../../db/index.ts'
import { AppError, invalid, rule } from '../../../errors.ts'
import { assignTicket } from '../../../tickets/assignment.ts'
import { addView, deleteView } from '../../../tickets/inbox/views.ts'
import { setStatus } from '../../../tickets/status.ts'
import type { FormFields } from '../../form-fields.ts'
import type { Guard } from '../../guard.ts'
import { refuse } from '../../refusal.ts'
import { redirectTo, type Visit } from '../../visit.ts'
import { inboxPageAgain } from './page.ts'
import { askedBy, listPath, queryOf } from './query.ts'
import { OWN_VIEWS, SHARED_VIEWS } from './views.ts'

/** Tickets that are changed at once: more than a page of the list has. */
const MOST = 100

/** Keeping filters under a name: for oneself, and for everybody. */
export function viewActions(add: Guard): void {
  const owners = [
    { path: OWN_VIEWS, role: 'agent', ownerOf: ({ principal }: Visit) => principal.userId },
    { path: SHARED_VIEWS, role: 'admin', ownerOf: () => null },
  ] as const
  for (const { path, role, ownerOf } of owners) {
    add.action(path, { role, again: inboxPageAgain }, async (visit, sent) => {
      const filters = queryOf(askedBy(new URLSearchParams(sent.text('list')))).toString()
      await visit.change((tx, caller) => addView(tx, caller, ownerOf(visit), { name: sent.text('name'), filters }))
      return redirectTo(listPath(new URLSearchParams(filters)), visit.wording.say('viewSaved'))
    })

    add.action(`${path}/:id/delete`, { role }, async (visit) => {
      await visit.change((tx, caller) => deleteView(tx, caller, ownerOf(visit), visit.params.id as string))
      return redirectTo('/console/inbox', visit.wording.say('viewDeleted'))
    })
  }
}

/** What is done with all tickets that are ticked. */
export function bulkActions(add: Guard): void {
  add.action('/console/inbox/bulk', { again: inboxPageAgain }, async (visit, sent) => {
    const { say } = visit.wording
    const ids = [...new Set(sent.texts('ticket'))].slice(0, MOST)
    if (ids.length === 0) throw refuse(say('nothingTicked'))
    const work = workOf(visit, sent)
    const count = await visit.change(async (tx, caller) => {
      let done = 0
      for (const id of ids) if (await isDone(() => work(tx, caller, id))) done += 1
      return done
    })
    const left = ids.length - count
    const told = say('ticketsChanged', { count })
    const path = listPath(queryOf(askedBy(new URLSearchParams(sent.text('list')))))
    return redirectTo(path, left === 0 ? told : `${told} ${say('ticketsLeft', { count: left })}`)
  })
}

/** What the button that was pressed does with each. Throws `invalid_request`. */
function workOf({ principal }: Visit, sent: FormFields): (tx: Tx, caller: Caller, id: string) => Promise<unknown> {
  const assign = (userId: string | null) => (tx: Tx, caller: Caller, id: string) =>
    assignTicket(tx, caller, id, { userId })
  const move = (status: 'open' | 'closed' | 'spam') => (tx: Tx, caller: Caller, id: string) =>
    setStatus(tx, caller, id, { status })
  switch (sent.text('do')) {
    case 'take':
      return assign(principal.userId)
    case 'assign':
      return assign(sent.text('assigneeId') || null)
    case 'close':
      return move('closed')
    case 'spam':
      return move('spam')
    case 'reopen':
      return move('open')
    default:
      throw invalid('do', rule('one_of', { choices: 'take, assign, close, spam, reopen' }))
  }
}

/** Some may have been merged or deleted since the page was shown: the others are changed all the same. */
async function isDone(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    if (error instanceof AppError && (error.code === 'not_found' || error.code === 'unprocessable')) return false
    throw error
  }
}
