import { setCalendar } from '../../calendars/operations.ts'
import { parseCalendar } from '../../calendars/parse.ts'
import { commandCaller } from '../../caller.ts'
import type { Tx } from '../../db/index.ts'
import { weekdays } from '../../kinds/calendars.ts'
import { createPromise } from '../../promises/operations.ts'
import { parsePromise } from '../../promises/parse.ts'
import type { Company } from '../company.ts'

const OFFICE = [
  ['09:00', '12:30'],
  ['13:00', '17:30'],
]

/** Days off of a year, as month and day. */
const DAYS_OFF = [
  ['01-01', 'New Year’s Day'],
  ['05-01', 'Labour Day'],
  ['12-24', 'Christmas Eve'],
  ['12-25', 'Christmas Day'],
  ['12-26', 'Second day of Christmas'],
  ['12-31', 'New Year’s Eve'],
] as const

/** When the company works, and the two promises that it makes: one for invoices, one for everything else. */
export async function addPromises(tx: Tx, { tenantId, inboxes }: Company, at: number): Promise<void> {
  const caller = commandCaller(tenantId, at)
  const year = new Date(at).getUTCFullYear()
  const calendar = parseCalendar({
    zone: 'Europe/Copenhagen',
    hours: Object.fromEntries(weekdays.slice(0, 5).map((day) => [day, OFFICE])),
    daysOff: [year, year + 1].flatMap((one) => DAYS_OFF.map(([day, name]) => ({ date: `${one}-${day}`, name }))),
  })
  await setCalendar(tx, caller, {}, calendar)
  const billing = {
    name: 'Invoices and refunds',
    when: { all: [{ field: 'inbox', is: inboxes.billing }] },
    targets: {
      urgent: { firstAnswer: '1h', nextAnswer: '2h', close: '8h' },
      high: { firstAnswer: '2h', nextAnswer: '4h', close: '16h' },
      normal: { firstAnswer: '4h', nextAnswer: '8h', close: '40h' },
    },
  }
  const support = {
    name: 'Support',
    targets: {
      urgent: { firstAnswer: '30m', nextAnswer: '1h', close: '8h' },
      high: { firstAnswer: '1h', nextAnswer: '2h', close: '16h' },
      normal: { firstAnswer: '4h', nextAnswer: '8h', close: '40h' },
      low: { firstAnswer: '8h' },
    },
  }
  for (const promise of [billing, support]) await createPromise(tx, caller, parsePromise(promise))
}
