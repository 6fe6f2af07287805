import { invalid, rule } from '../../errors.ts'
import type { Ticket } from '../../tickets/model.ts'
import type { Requester } from '../../tickets/requester.ts'
import type { Undo } from '../flash.ts'
import type { Guard } from '../guard.ts'
import { redirectTo } from '../visit.ts'
import { customerText, setCustomerText } from './customer-part.ts'
import { askedBy, listPath, MOST, queryOf } from './list/query.ts'
import { type Changeable, type Part, parts } from './parts.ts'
import { isDone } from './still-there.ts'

/**
 * The form that gives these tickets again what they had, as they were `before` the change. `list` is the query of the list
 * that it leads back to; without one it leads to the ticket.
 */
export function undoOf(part: Part, before: readonly Ticket[], list: string | null = null): Undo {
  const ids = Map.groupBy(before, parts[part].read)
  const was = [...ids].map(([value, tickets]) => ['was', `${pack(tickets)} ${value}`] as const)
  return {
    action: '/console/inbox/undo',
    fields: [['part', part], ...(list === null ? [] : [['list', list] as const]), ...was],
  }
}

/** The form that gives a ticket again the customer whom it had. */
export function undoOfCustomer(before: Requester & Pick<Ticket, 'id'>): Undo {
  const was = `${pack([before])} ${customerText(before)}`
  return {
    action: '/console/inbox/undo',
    fields: [
      ['part', 'customer'],
      ['was', was],
    ],
  }
}

const settings: Readonly<Record<string, Changeable['set']>> = {
  ...Object.fromEntries(Object.entries(parts).map(([part, { set }]) => [part, set])),
  customer: setCustomerText,
}

/** Takes back what was done with one ticket or with several, each as it was before that. */
export function undoActions(add: Guard): void {
  add.action('/console/inbox/undo', {}, async (visit, sent) => {
    const { say } = visit.wording
    const name = sent.text('part')
    const set = Object.hasOwn(settings, name) ? settings[name] : undefined
    if (!set) throw invalid('part', rule('one_of', { choices: Object.keys(settings).join(', ') }))
    const given = sent.texts('was').flatMap((text) => {
      const [packed = '', ...was] = text.split(' ')
      return unpack(packed).map((id) => ({ id, was: was.join(' ') }))
    })
    // As many as are changed at once.
    const changes = given.slice(0, MOST).map(({ id, was }) => ({ id, give: set(was) }))
    await visit.change(async (tx, caller) => {
      for (const { id, give } of changes) await isDone(() => give(tx, caller, { id }))
    })
    const list = sent.has('list') ? listPath(queryOf(askedBy(new URLSearchParams(sent.text('list'))))) : null
    const [first] = changes
    return redirectTo(list ?? (first ? `/console/tickets/${first.id}` : '/console/inbox'), say('undone'))
  })
}

/** Ids in a third less than they are long: a cookie carries them. */
function pack(tickets: readonly Pick<Ticket, 'id'>[]): string {
  return Buffer.from(tickets.map(({ id }) => id.replaceAll('-', '')).join(''), 'hex').toString('base64url')
}

const UUID = /^(.{8})(.{4})(.{4})(.{4})(.{12})$/

function unpack(packed: string): string[] {
  const digits = Buffer.from(packed, 'base64url').toString('hex').match(/.{32}/g) ?? []
  return digits.map((id) => id.replace(UUID, '$1-$2-$3-$4-$5'))
}
