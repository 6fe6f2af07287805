import type { Command } from 'commander'
import type { Calendar } from '../../calendars/model.ts'
import { setCalendar } from '../../calendars/operations.ts'
import { parseCalendar } from '../../calendars/parse.ts'
import { calendarOfInbox, calendarOfTenant } from '../../calendars/read.ts'
import { writeWeek } from '../../calendars/week-text.ts'
import type { Reader } from '../../db/index.ts'
import { getInbox } from '../../inboxes/operations.ts'
import { change, look, noun, type TenantOptions, withTenant } from '../command.ts'
import { readJsonInput } from '../input.ts'
import { print } from '../print.ts'

interface CalendarOptions extends TenantOptions {
  inbox?: string
}

/** `calendar set`, `show` and `clear`. */
export function calendarCommands(root: Command): void {
  const calendar = noun(root, 'calendar')
  const about = (name: string, description: string) =>
    withTenant(calendar.command(name))
      .description(description)
      .option('--inbox <id>', 'of this inbox; else the tenant’s')

  about('set', 'set the working hours, from a JSON file or standard input')
    .argument('[file]')
    .action(async (file: string | undefined, options: CalendarOptions) => {
      const given = parseCalendar(await readJsonInput(file))
      const held = await change(options, async (tx, caller) => {
        await setCalendar(tx, caller, { inboxId: options.inbox }, given)
        return calendarOf(tx, caller.tenantId, options)
      })
      show(held, options)
    })

  about('show', 'print the working hours that hold').action(async (options: CalendarOptions) =>
    show(await look(options, (db, tenantId) => calendarOf(db, tenantId, options)), options),
  )

  about('clear', 'have an inbox follow the tenant’s hours, or the tenant be open always').action(
    async (options: CalendarOptions) => {
      const held = await change(options, async (tx, caller) => {
        await setCalendar(tx, caller, { inboxId: options.inbox }, null)
        return calendarOf(tx, caller.tenantId, options)
      })
      show(held, options)
    },
  )
}

function show(calendar: Calendar, options: CalendarOptions): void {
  print(options.json ? calendar : { ...calendar, hours: writeWeek(calendar.hours) }, options)
}

async function calendarOf(db: Reader, tenantId: string, { inbox }: CalendarOptions): Promise<Calendar> {
  if (inbox === undefined) return calendarOfTenant(db, tenantId)
  return calendarOfInbox(db, tenantId, (await getInbox(db, tenantId, inbox)).id)
}
