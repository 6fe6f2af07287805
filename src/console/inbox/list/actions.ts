import { invalid, rule } from '../../../errors.ts'
import { addView, deleteView } from '../../../tickets/inbox/views.ts'
import type { Ticket } from '../../../tickets/model.ts'
import { getTicket } from '../../../tickets/read.ts'
import type { FormFields } from '../../form-fields.ts'
import type { Guard } from '../../guard.ts'
import { refuse } from '../../refusal.ts'
import { redirectTo, type Visit } from '../../visit.ts'
import { type Part, parts } from '../parts.ts'
import { isDone, unlessGone } from '../still-there.ts'
import { taggedBy } from '../tag-choices.ts'
import { type Change, snooze } from '../ticket/handling.ts'
import { askToMerge } from '../ticket/merging.ts'
import { undoOf } from '../undoing.ts'
import { inboxPageAgain } from './page.ts'
import { askedBy, listPath, MOST, queryOf } from './query.ts'
import { OWN_VIEWS, SHARED_VIEWS } from './views.ts'

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

/** What is done with all tickets that are ticked, and can be taken back at once. */
export function bulkActions(add: Guard): void {
  add.action('/console/inbox/bulk', { again: inboxPageAgain }, async (visit, sent) => {
    const { say } = visit.wording
    const ids = [...new Set(sent.texts('ticket'))].slice(0, MOST)
    if (ids.length === 0) throw refuse(say('nothingTicked'))
    if (sent.text('do') === 'merge') return askToMerge(visit, ids)
    const { part, change } = workOf(visit, sent)
    const changed = await visit.change(async (tx, caller) => {
      const before: Ticket[] = []
      for (const id of ids) {
        const was = await unlessGone(() => getTicket(tx, caller.tenantId, id))
        if (was && (await isDone(() => change(tx, caller, was)))) before.push(was)
      }
      return before
    })
    const left = ids.length - changed.length
    const told = say('ticketsChanged', { count: changed.length })
    const list = queryOf(askedBy(new URLSearchParams(sent.text('list'))))
    return redirectTo(
      listPath(list),
      left === 0 ? told : `${told} ${say('ticketsLeft', { count: left })}`,
      changed.length > 0 ? undoOf(part, changed, list.toString()) : null,
    )
  })
}

interface Work {
  readonly part: Part
  readonly change: Change
}

/** What the button that was pressed does with each. Throws `invalid_request`. */
function workOf(visit: Visit, sent: FormFields): Work {
  const to = (part: Part, text: string): Work => ({ part, change: parts[part].set(text) })
  const does: Readonly<Record<string, () => Work>> = {
    take: () => to('assignee', visit.principal.userId),
    assign: () => to('assignee', sent.text('assigneeId')),
    close: () => to('status', 'closed'),
    spam: () => to('status', 'spam'),
    reopen: () => to('status', 'open'),
    prioritize: () => to('priority', sent.text('priority')),
    // In addition to what each has.
    tag: () => {
      const add: Change = (tx, caller, ticket) =>
        parts.tags.set(taggedBy(sent, ticket.tags).join('\n'))(tx, caller, ticket)
      return { part: 'tags', change: add }
    },
    team: () => to('team', sent.text('teamId')),
    snooze: () => {
      const isAtTime = sent.text('until') === 'time'
      return { part: 'status', change: snooze(visit, isAtTime ? sent.with('until', sent.text('untilTime')) : sent) }
    },
  }
  // A choice in a menu is a button of its own, and says by its name what it is for.
  const chosen = [
    ['assigneeId', 'assign'],
    ['priority', 'prioritize'],
    ['until', 'snooze'],
    ['teamId', 'team'],
    ['tag', 'tag'],
  ].find(([field]) => sent.has(field as string))
  // Enter in the field of a time presses the first button, which is the one of the field of tags.
  const isAtTime = sent.text('do') === 'tag' && sent.text('add') === '' && sent.text('untilTime') !== ''
  if (isAtTime) return workOf(visit, sent.with('do', 'snooze').with('until', 'time'))
  const what = sent.text('do') || (chosen?.[1] ?? '')
  const work = Object.hasOwn(does, what) ? does[what] : undefined
  if (!work) throw invalid('do', rule('one_of', { choices: Object.keys(does).join(', ') }))
  return work()
}
