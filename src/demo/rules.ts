import { commandCaller } from '../caller.ts'
import { ofTenant, type Tx } from '../db/index.ts'
import { forms } from '../db/schema.ts'
import { createRule } from '../rules/operations.ts'
import { ADMIN_EMAIL, type Company } from './company.ts'

/** The form whose bad ratings somebody has to see to, and the one that asks how an answer was. */
const RATED = 'How are we doing?'
const ASKED = 'How was our help?'

/**
 * The rules that the company runs on. They come once all else has happened: what lies behind it was done by people, and
 * nobody is written to for it.
 */
export async function addRules(tx: Tx, { tenantId, inboxes, teams }: Company, now: number): Promise<void> {
  const caller = commandCaller(tenantId, now)
  const titles = await tx.select({ id: forms.id, title: forms.title }).from(forms).where(ofTenant(forms, tenantId))
  const idOf = (wanted: string) => titles.find(({ title }) => title === wanted)?.id as string
  for (const rule of [
    {
      name: 'Invoices go to Billing',
      on: 'ticket.created',
      when: { all: [{ field: 'inbox', is: inboxes.billing }] },
      then: [{ do: 'assign', team: teams.billing }],
    },
    {
      name: 'Refunds go to Billing',
      on: 'ticket.created',
      when: {
        any: ['refund', 'money back', 'chargeback'].flatMap((words) => [
          { field: 'subject', contains: words },
          { field: 'text', contains: words },
        ]),
      },
      then: [
        { do: 'add_tags', tags: ['refund'] },
        { do: 'assign', team: teams.billing },
      ],
    },
    {
      name: 'Bookings that do not work come first',
      on: 'ticket.created',
      when: {
        all: [
          { field: 'automatic', is: false },
          {
            any: ['urgent', 'outage', 'cannot book', 'double booking'].map((words) => ({
              field: 'subject',
              contains: words,
            })),
          },
        ],
      },
      then: [
        { do: 'set_priority', priority: 'urgent' },
        {
          do: 'mail',
          to: [ADMIN_EMAIL],
          subject: '{ticket.number} is urgent: {ticket.subject}',
          text: '{contact.name} writes that something does not work.',
        },
      ],
    },
    {
      name: 'Nobody waits for more than four hours',
      on: 'ticket.waiting',
      after: '4h',
      when: { all: [{ field: 'status', is: 'open' }] },
      then: [
        { do: 'set_priority', priority: 'high' },
        { do: 'note', text: '{contact.first_name} has waited for four working hours.' },
      ],
    },
    {
      name: 'We call whoever is unhappy with us',
      on: 'response.completed',
      when: {
        all: [
          { field: 'form', is: idOf(RATED) },
          { field: 'answer:RECOMMEND', at_most: 6 },
        ],
      },
      then: [
        {
          do: 'open_ticket',
          inbox: inboxes.help,
          subject: '{contact.name} gave us {answer:RECOMMEND} of 10',
          tags: ['unhappy'],
          priority: 'urgent',
          team: teams.support,
        },
      ],
    },
    {
      name: 'We ask how it was',
      on: 'ticket.status_changed',
      when: { all: [{ field: 'status', is: 'closed' }] },
      then: [{ do: 'send_form', form: idOf(ASKED) }],
    },
  ]) {
    await createRule(tx, caller, rule)
  }
}
