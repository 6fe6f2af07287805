import type { Contact } from '../../contacts/model.ts'
import type { Insert } from '../../lib/html/markup.ts'
import { countPerson } from '../../privacy/erasure.ts'
import { retentionOf } from '../../tenants/retention.ts'
import { definitions } from '../components/display.ts'
import type { Visit } from '../visit.ts'

/** What is kept of a contact, and for how long (decisions §22). */
export async function kept(visit: Visit, contact: Contact): Promise<Insert> {
  const { say, write } = visit.wording
  const { tenantId } = visit.principal
  const there = await countPerson(visit.db, tenantId, contact.id)
  const days = new Map((await retentionOf(visit.db, tenantId)).map((of) => [of.rule, of.days]))
  const [tickets, mails, responses] = [there.tickets, there.mails, there.responses].map(write) as [
    string,
    string,
    string,
  ]
  const lasts = (rule: 'closed_tickets' | 'raw_mails' | 'responses' | 'contacts') => days.get(rule) ?? null
  const forGood = (number: string) => say('personForGood', { number })
  const [ofTickets, ofMails, ofResponses, ofContact] = [
    lasts('closed_tickets'),
    lasts('raw_mails'),
    lasts('responses'),
    lasts('contacts'),
  ]
  return definitions([
    [
      say('personKeptTickets'),
      there.tickets > 0 &&
        (ofTickets === null ? forGood(tickets) : say('personAfterClosing', { tickets, count: ofTickets })),
    ],
    [
      say('personKeptMails'),
      there.mails > 0 && (ofMails === null ? forGood(mails) : say('personAfterArrival', { mails, count: ofMails })),
    ],
    [
      say('personKeptResponses'),
      there.responses > 0 &&
        (ofResponses === null ? forGood(responses) : say('personAfterSending', { responses, count: ofResponses })),
    ],
    [
      say('personKeptContact'),
      ofContact === null ? say('personContactForGood') : say('personContactDays', { count: ofContact }),
    ],
  ])
}
