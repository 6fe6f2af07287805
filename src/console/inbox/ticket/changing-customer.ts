import { ticketRowOf } from '../../../tickets/read.ts'
import { type NamedCustomer, setCustomer } from '../../../tickets/requester.ts'
import type { FormFields } from '../../form-fields.ts'
import type { Guard } from '../../guard.ts'
import { refuse } from '../../refusal.ts'
import { redirectTo, type Visit } from '../../visit.ts'
import { undoOfCustomer } from '../undoing.ts'
import { ticketPage } from './page.ts'

/** Giving a ticket another customer, which applies at once and can be taken back (decisions §20). */
export function customerActions(add: Guard): void {
  add.action('/console/tickets/:id/customer', { again: ticketPage }, async (visit, sent) => {
    const { db, principal, params, wording } = visit
    const before = await ticketRowOf(db, principal.tenantId, params.id as string)
    const to = customerIn(visit, sent)
    await visit.change((tx, caller) => setCustomer(tx, caller, before.id, to))
    const { requesterName, requesterEmail } = await ticketRowOf(db, principal.tenantId, before.id)
    const said = wording.say('customerChanged', { name: requesterName || requesterEmail || '' })
    return redirectTo(`/console/tickets/${before.id}`, said, undoOfCustomer(before))
  })
}

function customerIn({ wording }: Visit, sent: FormFields): NamedCustomer {
  const [contactId, email] = [sent.text('contactId'), sent.text('email')]
  if (contactId === '' && email === '') throw refuse(wording.say('customerNeeded'), 'email')
  return contactId === '' ? { email } : { contactId }
}
