import { cut } from '../../lib/text/one-line.ts'
import { parseTime } from '../../lib/time.ts'
import { MAX_NAME } from '../../tickets/incoming/sender.ts'
import { type Requester, restoreCustomer } from '../../tickets/requester.ts'
import type { Changeable } from './parts.ts'

/** Whose ticket it is, as a text: what a ticket's page shows alone does not say it. */
export function customerText({ contactId, requesterEmail, requesterName, customerSince }: Requester): string {
  return [contactId ?? '', requesterEmail ?? '', customerSince ?? '', requesterName ?? ''].join(' ')
}

/** Gives a ticket again the customer that `customerText` noted. */
export const setCustomerText: Changeable['set'] = (text) => {
  const [contactId, requesterEmail, since = '', ...name] = text.split(' ')
  const was = {
    contactId: contactId || null,
    requesterEmail: requesterEmail || null,
    requesterName: cut(name.join(' '), MAX_NAME) || null,
    customerSince: parseTime(since),
  }
  return (tx, caller, { id }) => restoreCustomer(tx, caller, id, was)
}
