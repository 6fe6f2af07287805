import { commandCaller } from '../../caller.ts'
import type { Tx } from '../../db/index.ts'
import { addView } from '../../tickets/inbox/views.ts'
import { addCannedReply } from '../../tickets/writing/canned-replies.ts'
import type { Company } from '../company.ts'

const REPLIES = [
  [
    'Asking for a booking reference',
    'Hello {{contact.first_name}},\n\nthank you for writing to us. So that I can find the booking: could you send me its reference? It stands at the top of the confirmation, and begins with HP.\n\nKind regards\n{{agent.name}}',
  ],
  [
    'Refund is on its way',
    'Hello {{contact.first_name}},\n\nyour refund was sent today. Banks take three to five working days until it shows in your account. If it has not by then, just answer this mail ({{ticket.number}}).\n\nKind regards\n{{agent.name}}',
  ],
  [
    'Passed on to the developers',
    'Hello {{contact.first_name}},\n\nthank you for telling us. I could see the same here and have passed it on to our developers. I will write again as soon as I know more.\n\nKind regards\n{{agent.name}}',
  ],
] as const

const VIEWS = [
  ['Urgent', 'priority=urgent'],
  ['Urgent and unassigned', 'assignee=nobody&priority=urgent'],
] as const

/** What the team has made for its work in the inbox: for everybody. */
export async function addInboxWork(tx: Tx, { tenantId, inboxes }: Company, at: number): Promise<void> {
  const caller = commandCaller(tenantId, at)
  for (const [name, text] of REPLIES) await addCannedReply(tx, caller, null, { name, text })
  for (const [name, filters] of VIEWS) await addView(tx, caller, null, { name, filters })
  await addView(tx, caller, null, { name: 'Billing', filters: `inbox=${inboxes.billing}` })
}
