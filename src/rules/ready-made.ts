import type { Trigger } from '../kinds/rules.ts'

/* Rules to begin with. What only the company knows is left open: it is chosen before one is kept. */

export const readyMadeNames = [
  'by_inbox',
  'vip',
  'spam_words',
  'detractor',
  'waiting',
  'out_of_hours',
  'language',
  'refunds',
  'automatic_mail',
  'urgent_words',
  'ask_when_closed',
  'new_customers',
] as const
export type ReadyMadeName = (typeof readyMadeNames)[number]

/** A rule without a name: texts that customers and colleagues read are in the words of who offers it. */
export interface ReadyMade {
  readonly on: Trigger
  readonly after?: string
  readonly when?: { readonly all?: readonly object[]; readonly any?: readonly object[] }
  readonly then: readonly ({ readonly do: string } & Readonly<Record<string, unknown>>)[]
}

/** What is to be chosen: no record has this id. */
export const OPEN = ''

/** What each does. `given` are what it writes to people, and the form that it asks by. */
export function readyMade(given: {
  readonly outOfHours: string
  readonly waited: string
  readonly askBy: string
}): Readonly<Record<ReadyMadeName, ReadyMade>> {
  return {
    by_inbox: {
      on: 'ticket.created',
      when: { all: [{ field: 'inbox', is: OPEN }] },
      then: [{ do: 'assign', team: OPEN }],
    },
    vip: {
      on: 'ticket.created',
      when: { all: [{ field: 'contact.organisation', is: OPEN }] },
      then: [
        { do: 'set_priority', priority: 'urgent' },
        { do: 'add_tags', tags: ['VIP'] },
      ],
    },
    spam_words: {
      on: 'ticket.created',
      when: {
        any: ['casino', 'crypto giveaway', 'seo services', 'viagra'].flatMap((words) => [
          { field: 'subject', contains: words },
          { field: 'text', contains: words },
        ]),
      },
      then: [{ do: 'set_status', status: 'spam' }, { do: 'stop' }],
    },
    detractor: {
      on: 'response.completed',
      when: {
        all: [
          { field: 'form', is: OPEN },
          { field: 'answer:NPS', at_most: 6 },
        ],
      },
      then: [
        {
          do: 'open_ticket',
          inbox: OPEN,
          subject: '{contact.name}: {answer:NPS} / 10',
          tags: ['nps'],
          priority: 'high',
        },
      ],
    },
    waiting: {
      on: 'ticket.waiting',
      after: '1d',
      when: { all: [{ field: 'status', is: 'open' }] },
      then: [
        { do: 'set_priority', priority: 'high' },
        { do: 'note', text: given.waited },
      ],
    },
    out_of_hours: {
      on: 'ticket.created',
      when: { all: [{ field: 'working_hours', is: false }] },
      then: [{ do: 'reply', html: given.outOfHours }],
    },
    language: {
      on: 'ticket.created',
      when: {
        any: ['guten tag', 'sehr geehrte', 'mit freundlichen grüßen', 'vielen dank'].map((words) => ({
          field: 'text',
          contains: words,
        })),
      },
      then: [
        { do: 'add_tags', tags: ['Deutsch'] },
        { do: 'assign', team: OPEN },
      ],
    },
    refunds: {
      on: 'ticket.created',
      when: {
        any: ['refund', 'money back', 'chargeback', 'rückerstattung'].flatMap((words) => [
          { field: 'subject', contains: words },
          { field: 'text', contains: words },
        ]),
      },
      then: [
        { do: 'add_tags', tags: ['refund'] },
        { do: 'assign', team: OPEN },
      ],
    },
    automatic_mail: {
      on: 'ticket.created',
      when: { all: [{ field: 'automatic', is: true }] },
      then: [
        { do: 'set_priority', priority: 'low' },
        { do: 'add_tags', tags: ['automatic'] },
      ],
    },
    urgent_words: {
      on: 'ticket.created',
      when: {
        any: ['urgent', 'asap', 'outage', 'dringend'].map((words) => ({ field: 'subject', contains: words })),
      },
      then: [{ do: 'set_priority', priority: 'urgent' }],
    },
    ask_when_closed: {
      on: 'ticket.status_changed',
      when: { all: [{ field: 'status', is: 'closed' }] },
      then: [{ do: 'send_form', form: given.askBy }],
    },
    new_customers: {
      on: 'contact.created',
      when: { all: [{ field: 'contact.email', contains: '@' }] },
      then: [{ do: 'add_to_group', group: OPEN }],
    },
  }
}
