import type { Calendar } from '../../../calendars/model.ts'
import { setCalendar } from '../../../calendars/operations.ts'
import { MAX_DAYS_OFF } from '../../../calendars/parse.ts'
import type { Owner } from '../../../calendars/read.ts'
import type { Tx } from '../../../db/index.ts'
import { invalid, rule } from '../../../errors.ts'
import type { FormFields } from '../../form-fields.ts'
import type { Visit } from '../../visit.ts'

const DAY = 86_400_000
/** The largest file that is read, in bytes: an ICS file of some 1,000 events. */
const MAX_FILE = 256 * 1024

/**
 * Adds the days off of an ICS file to the calendar that `held` finds, which becomes the owner's; a day that is there already keeps
 * its name. Returns how many came. Throws `invalid_request` for what is no such file, and for too many days.
 */
export async function takeDaysOff(
  visit: Visit,
  owner: Owner,
  sent: FormFields,
  held: (tx: Tx) => Promise<Calendar>,
): Promise<number> {
  const file = sent.file('file')
  if (!file) throw invalid('file', rule('required'))
  if (file.size > MAX_FILE) throw invalid('file', rule('too_large', { size: MAX_FILE }))
  // Few ever take one in.
  const { daysOffIn } = await import('../../../calendars/ics.ts')
  const found = daysOffIn(await file.text(), Math.floor(visit.at / DAY), 'file')
  return visit.change(async (tx, caller) => {
    const calendar = await held(tx)
    const known = new Set(calendar.daysOff.map(({ date }) => date))
    const added = found.filter(({ date }) => !known.has(date))
    const daysOff = [...calendar.daysOff, ...added].sort((a, b) => (a.date < b.date ? -1 : 1))
    if (daysOff.length > MAX_DAYS_OFF) throw invalid('file', rule('too_many_items', { most: MAX_DAYS_OFF }))
    await setCalendar(tx, caller, owner, { ...calendar, daysOff })
    return added.length
  })
}
